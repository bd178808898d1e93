import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';

export const testbed = join(import.meta.dirname, '../../testbed');

/** A folder that goes with the test; its path holds a space, as any of the testbed's paths may. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'test bed-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/**
 * Runs lines of bash with some of the testbed's libraries; arguments are $1 and on. Never throws for an exit code.
 * Without bashrc, which bash reads where it takes itself to be started by sshd: standard input is a socket, as a child of
 * Node.js has it, and SHLVL is less than 2.
 */
export function withLibraries(
  libraries: readonly string[],
  lines: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const sources = libraries.map((name) => `. "$0/lib/${name}.sh"`).join('\n');
  return execa('bash', ['--norc', '-euo', 'pipefail', '-c', `${sources}\n${lines}`, testbed, ...args], {
    reject: false,
    env,
  });
}

/** The process id in a text. To kill, 0, 1 and negative numbers would mean many processes: such a text is refused. */
export function processId(text: string): number {
  const pid = Number(text.trim());
  if (!Number.isInteger(pid) || pid < 2)
    throw new Error(`a text should hold a process id, found ${JSON.stringify(text)}`);
  return pid;
}
