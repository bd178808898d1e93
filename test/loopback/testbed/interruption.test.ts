import { expect, test } from 'vitest';
import { temporaryFolder, withLibraries } from './bash.ts';

// kill is replaced: what is asked here must never happen
const noKill = 'kill() { echo "kill $*"; }';

test.each(['', '0', '1', '-1', '01', '$$', '$PPID'])(
  'end_group %s signals nothing, for it is no group of this script',
  async (group) => {
    const { stdout, exitCode } = await withLibraries(['interruption'], `${noKill}; end_group "${group}"`);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 });
  },
);

test('end_group signals nothing when the id belongs to a child in another group', async () => {
  const { stdout } = await withLibraries(
    ['interruption'],
    `sleep 60 & child=$!; ${noKill}; end_group $child; builtin kill $child`,
  );
  expect(stdout).toBe('');
});

test('a program and what it started end with the run, although the program itself ignores the signal', async () => {
  const folder = temporaryFolder();
  const program =
    'trap "" TERM; (trap - TERM; exec sleep 600) & echo $! > "$1/child"; touch "$1/ready"; wait; exec sleep 600';
  const { exitCode, stderr } = await withLibraries(
    ['interruption'],
    `leave_cleanly
     (until [ -e "$1/ready" ]; do sleep 0.05; done; kill -TERM $$) &
     interruptibly bash -c '${program}' - "$1"`,
    [folder],
  );
  expect(exitCode).toBe(143);
  expect(stderr).toContain('outlived SIGTERM for 10 s: SIGKILL');
  expect((await withLibraries(['processes'], 'runs "$(cat "$1/child")"', [folder])).exitCode).toBe(1);
});

test('what was to be undone is undone whichever way the script ends, and its exit code stays', async () => {
  const undo = 'leave_cleanly; undo_at_exit touch "$1/undone $2"; undo_at_exit false;';
  const folder = temporaryFolder();
  for (const [end, exitCode] of [
    ['true', 0],
    ['exit 7', 7],
    ['false', 1],
    ['kill -INT $$; sleep 1', 130],
    ['kill -HUP $$; sleep 1', 143],
  ] as const) {
    const run = await withLibraries(['interruption'], `${undo} ${end}`, [folder, end]);
    expect({ end, exitCode: run.exitCode }).toEqual({ end, exitCode });
    expect((await withLibraries([], '[ -e "$1/undone $2" ]', [folder, end])).exitCode).toBe(0);
  }
});
