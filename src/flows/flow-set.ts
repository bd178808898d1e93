import { getPriority } from 'node:os';
import type { ClientObservation, FlowSpec, FlowStatus } from '../domain/client.ts';
import type { Protocol } from '../domain/flow.ts';
import { LoopDelay, SendLateness } from './delay.ts';
import { dialInTurn } from './dial-in-turn.ts';
import { ExchangeLog } from './exchange-log.ts';
import type { EndWatcher } from './flow-facts.ts';
import { GeneratorAccount } from './generator-account.ts';
import type { LiveFlow } from './live-flow.ts';
import { Schedule } from './schedule.ts';
import { TcpFlow } from './tcp-flow.ts';
import { UdpFlow } from './udp-flow.ts';

/** All flows of a thread, and what is measured of the thread itself. */
export class FlowSet {
  readonly #schedule = new Schedule();
  readonly #lateness = new SendLateness();
  readonly #exchanges = new ExchangeLog();
  readonly #loopDelay = new LoopDelay();
  readonly #tcp: readonly LiveFlow[];
  readonly #udp: readonly UdpFlow[];
  readonly #account: GeneratorAccount;
  readonly #onAllEnded: () => void;
  #living: number;

  /** `onAllEnded` is called each time that the last living flow ends. */
  constructor(spec: FlowSpec, onAllEnded: () => void) {
    this.#onAllEnded = onAllEnded;
    this.#living = spec.tcp + spec.udp;
    const surroundings = { schedule: this.#schedule, lateness: this.#lateness, exchanges: this.#exchanges };
    const watcher: EndWatcher = {
      ended: () => {
        this.#living -= 1;
        this.#tellIfAllEnded();
      },
      revived: () => {
        this.#living += 1;
      },
    };
    this.#tcp = ids('tcp', spec.tcp).map((id) => new TcpFlow(id, spec, surroundings, watcher));
    this.#udp = ids('udp', spec.udp).map((id) => new UdpFlow(id, spec, surroundings, watcher));
    this.#account = new GeneratorAccount(this.#udp, spec.endpoint.udpPort);
  }

  /** Resolves when every flow is open, or noted why it is not. */
  async dial(): Promise<void> {
    await dialInTurn(this.#all());
    if (this.#all().length === 0) this.#tellIfAllEnded();
  }

  status(): FlowStatus {
    const facts = this.#all().map((flow) => flow.facts);
    const served = (flows: readonly LiveFlow[]) => flows.filter((flow) => flow.facts.isServed).length;
    return {
      dialed: facts.filter(({ dialed }) => dialed).length,
      tcpEstablished: served(this.#tcp),
      udpReplying: served(this.#udp),
      answeredBy: [...new Set(facts.flatMap(({ answeredBy }) => answeredBy))],
      firstError: facts.map(({ complaint }) => complaint).find((complaint) => complaint !== null) ?? null,
    };
  }

  mark(): void {
    this.#loopDelay.reset();
    this.#lateness.reset();
    this.#account.mark();
  }

  /** Closes all, and gives what was seen. */
  finish(): ClientObservation {
    this.#schedule.stop();
    this.#loopDelay.stop();
    const generator = this.#account.facts(this.#lateness.skipped);
    for (const flow of this.#all()) flow.close();
    return {
      flows: this.#all().map((flow) => flow.facts.record()),
      eventLoopDelayMs: this.#loopDelay.summary(),
      stampDelays: this.#loopDelay.stampDelays(),
      threadNiceness: getPriority(0),
      sendLatenessMs: this.#lateness.summary(),
      exchanges: this.#exchanges.exchanges(),
      generator,
    };
  }

  #all(): readonly LiveFlow[] {
    return [...this.#tcp, ...this.#udp];
  }

  #tellIfAllEnded(): void {
    if (this.#living === 0) this.#onAllEnded();
  }
}

const ids = (protocol: Protocol, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${protocol}-${index + 1}`);
