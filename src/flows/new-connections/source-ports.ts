import { readFileSync } from 'node:fs';

const rangeFile = '/proc/sys/net/ipv4/ip_local_port_range';
/** The kernel's default (ip(7)), where it doesn't tell. */
const defaultRange = { first: 32_768, last: 60_999 };

/**
 * The client's ports for UDP, each in its turn.
 *
 * A kernel that picks a port at random picks one again within seconds, while each node on the path still keeps the
 * earlier exchange's conntrack entry (30 s or more): the datagram would follow that entry, to a pod that may be gone, and
 * be no new exchange. In turn, 28 232 ports at 100 a second come again after 282 s.
 */
export class SourcePorts {
  readonly #first: number;
  readonly #count: number;
  #next: number;

  constructor({ first, last } = readRange(), random: () => number = Math.random) {
    this.#first = first;
    this.#count = last - first + 1;
    // another client on this machine, or the one of the trial before, went another way round
    this.#next = Math.floor(random() * this.#count);
  }

  take(): number {
    const port = this.#first + this.#next;
    this.#next = (this.#next + 1) % this.#count;
    return port;
  }
}

function readRange(): { readonly first: number; readonly last: number } {
  try {
    const [first, last] = readFileSync(rangeFile, 'utf8').trim().split(/\s+/).map(Number);
    return first === undefined || last === undefined ? defaultRange : { first, last };
  } catch {
    return defaultRange;
  }
}
