import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { builtCli, temporaryFolder } from './command.ts';

// a file system of its own, gone with the process that mounted it
const canMount = spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;

test.skipIf(!canMount)(
  `a disk that is full is told of as that, and holds no half of a trial${canMount ? '' : ' (skipped: no right to mount)'}`,
  async () => {
    const folder = temporaryFolder();
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    const run = `run --provider local --repeats 1 --scenarios exit-now --settle 0.2 --trailing 0 --grace-period 2 -o ${disk}/r`;
    const script = `mount -t tmpfs -o size=16k tmpfs ${disk} && ${process.execPath} ${builtCli} ${run}; echo "status $?"; find ${disk}/r -name '*.json*' -size +4k`;
    const { stdout, stderr } = await execa('unshare', ['--mount', 'sh', '-c', script], {
      reject: false,
      stdin: 'ignore',
    });
    expect(stderr).toContain('no space is left on the device');
    expect(stdout.trim()).toBe('status 3');
  },
);
