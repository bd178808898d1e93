import type { Protocol } from '../../domain/flow.ts';
import type { AttemptRecord, NewConnectionSpec } from '../../domain/new-connections.ts';
import { monotonicNs, nsOfMs, Schedule } from '../schedule.ts';
import type { Dialer } from './dial.ts';
import { Prober } from './prober.ts';
import { SourcePorts } from './source-ports.ts';
import { TcpDial } from './tcp-dial.ts';
import { UdpDial } from './udp-dial.ts';

/** A prober for each protocol of a path, out of step with each other. */
export class ProberSet {
  readonly #schedule = new Schedule();
  readonly #probers: readonly Prober[];

  constructor(spec: NewConnectionSpec) {
    const ports = new SourcePorts();
    const dialers: Readonly<Record<Protocol, Dialer>> = {
      tcp: (endpoint, listener) => new TcpDial(endpoint, listener),
      udp: (endpoint, listener) => new UdpDial(endpoint, ports, listener),
    };
    this.#probers = spec.protocols.map((protocol) => new Prober(spec, protocol, dialers[protocol]));
    const nowNs = monotonicNs();
    for (const [index, prober] of this.#probers.entries()) {
      this.#schedule.add(nowNs + nsOfMs((spec.intervalMs * index) / this.#probers.length), prober);
    }
  }

  finish(): readonly AttemptRecord[] {
    this.#schedule.stop();
    return this.#probers.map((prober) => prober.stop());
  }
}
