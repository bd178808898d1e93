import type { SystemError } from '../system-error.ts';
import type { Settlement } from './attempt-log.ts';

/** What the kernel says where no packet would reach the other side (icmp(7), connect(2)). */
const unreachableCodes: ReadonlySet<string> = new Set([
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ENONET',
  'EACCES',
  'EPERM',
]);

/** Classes what the operating system refused an attempt with. */
export function settlementOf({ code }: SystemError): Settlement {
  switch (code) {
    case 'ECONNREFUSED':
      return { outcome: 'refused', detail: null };
    // a write that met the reset before a read did
    case 'EPIPE':
    case 'ECONNRESET':
      return { outcome: 'reset', detail: null };
    case 'ETIMEDOUT':
      return { outcome: 'timed-out', detail: code };
    default:
      return { outcome: unreachableCodes.has(code) ? 'unreachable' : 'other-error', detail: code };
  }
}

/** Something answered that is not of the protocol; no error of the operating system says that, EPROTO comes nearest. */
export const notOfProtocol: Settlement = { outcome: 'other-error', detail: 'EPROTO' };
