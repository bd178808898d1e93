import type { GeneratorFacts } from '../domain/client.ts';
import { measured, notMeasured, type Measured } from '../domain/measured.ts';
import type { FlowFacts } from './flow-facts.ts';
import { readSocketDrops, readUdpBufferErrors, type UdpBufferErrors } from './kernel-udp.ts';

/** A UDP flow that may have lost answers at its own socket. */
export interface Receiving {
  readonly facts: FlowFacts;
  /** Undefined when the flow has no socket. */
  readonly localPort: number | undefined;
}

/** Keeps what shows whether the generator itself lost traffic: counters that are the kernel's, and what stayed unanswered. */
export class GeneratorAccount {
  readonly #flows: readonly Receiving[];
  readonly #remotePort: number;
  readonly #errorsAtStart = readUdpBufferErrors();
  #udpBeforeMark: GeneratorFacts['udpBeforeMark'] = { sent: 0, unanswered: 0 };

  constructor(udpFlows: readonly Receiving[], remotePort: number) {
    this.#flows = udpFlows;
    this.#remotePort = remotePort;
  }

  mark(): void {
    this.#udpBeforeMark = this.#overtaken();
  }

  /** Ask while the sockets are open: the kernel forgets their counters with them. */
  facts(skippedSends: number): GeneratorFacts {
    return {
      udpBeforeMark: this.#udpBeforeMark,
      skippedSends,
      droppedAnswers: this.#droppedAnswers(),
      udpBufferErrors: since(this.#errorsAtStart, readUdpBufferErrors()),
    };
  }

  /** What is still on its way counts neither as sent nor as unanswered. */
  #overtaken(): GeneratorFacts['udpBeforeMark'] {
    let sent = 0;
    let unanswered = 0;
    for (const { facts } of this.#flows) {
      sent += facts.overtaken;
      unanswered += facts.overtaken - facts.answered;
    }
    return { sent, unanswered };
  }

  #droppedAnswers(): GeneratorFacts['droppedAnswers'] {
    const drops = readSocketDrops(this.#remotePort);
    if (drops.status === 'not-measured') return drops;
    return measured(
      this.#flows.flatMap(({ facts, localPort }) => {
        const answers = localPort === undefined ? undefined : drops.value.get(localPort);
        return answers === undefined ? [] : [{ flow: facts.id, answers }];
      }),
    );
  }
}

function since(start: Measured<UdpBufferErrors>, end: Measured<UdpBufferErrors>): Measured<UdpBufferErrors> {
  if (start.status === 'not-measured') return notMeasured(start.reason);
  if (end.status === 'not-measured') return end;
  return measured({ receive: end.value.receive - start.value.receive, send: end.value.send - start.value.send });
}
