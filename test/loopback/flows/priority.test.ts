import { getPriority, setPriority } from 'node:os';
import { expect, test } from 'vitest';
import { openAnswered, specOf } from './open-flows.ts';
import { UdpPeer } from './udp-peer.ts';

const own = getPriority(0);
const permitted = (() => {
  try {
    setPriority(process.pid, own - 1);
    setPriority(process.pid, own);
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!permitted)(
  `the thread of the flows goes before others, and the main thread does not${permitted ? '' : ' (skipped: not permitted)'}`,
  async () => {
    await using peer = new UdpPeer('pod-a/0000000a');
    await using flows = await openAnswered(specOf({ udp: await peer.bind() }));
    expect((await flows.finish()).threadNiceness).toBe(-15);
    expect(getPriority(0)).toBe(own);
  },
);
