import { randomBytes } from 'node:crypto';
import { StartFailure } from './start-failure.ts';

/** Who answers: the pod, and this process within it. */
export interface Identity {
  readonly pod: string;
  /** `<pod>/<instance>`, as the wire carries it. */
  readonly text: string;
}

/**
 * An identity that no other process has, also not the one that ran in the same container before.
 * Throws a StartFailure when the pod's name could not be a field of the protocol.
 */
export function drawIdentity(pod: string): Identity {
  if (!/^[!-.0-~]{1,253}$/.test(pod)) {
    throw new StartFailure(
      `the pod's name should be 1 to 253 printable ASCII characters without space and '/', but is ` +
        `${JSON.stringify(pod)}: set POD_NAME`,
    );
  }
  return { pod, text: `${pod}/${randomBytes(4).toString('hex')}` };
}
