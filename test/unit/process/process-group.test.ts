import { expect, test } from 'vitest';
import { signalGroup } from '../../../src/process/process-group.ts';

test.each([1, 0, -1, Number.NaN, 2.5])(
  '%s leads no group that may be signalled, since kill(2) reads more into it',
  (leader) => {
    // signal 0 only asks, should the rule be broken
    expect(() => signalGroup(leader, 0)).toThrow(RangeError);
  },
);
