import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { diagnose, type Finding } from '../diagnosis.ts';
import { examples } from '../examples.ts';
import { exitStatuses } from '../../assembly/exit-status.ts';
import type { Perform } from '../program.ts';
import type { RunOptions } from '../../assembly/run-options.ts';
import { addProviderOptions } from '../provider-options.ts';
import { openSession } from '../../assembly/session.ts';

const marks: Readonly<Record<Finding['status'], string>> = { ok: '✓', lacking: '✗', note: '·' };

export function addDoctor(program: Command, context: CliContext, perform: Perform): void {
  addProviderOptions(program.command('doctor'))
    .description(
      'tell what this machine can do, and how to mend what it lacks; with --provider, fail where that one can’t work',
    )
    .option('--json', 'print the findings as JSON')
    .addHelpText(
      'after',
      examples(
        ['drainwatch doctor', 'what can run here'],
        ['drainwatch doctor --provider kind', 'exit status 2 where kind can’t work'],
      ),
    )
    .action((options: RunOptions & { readonly json?: boolean }) => {
      perform(async (signal) => {
        const session = await openSession(context.files, (text) => void context.stderr.write(`${text}\n`));
        const findings = await diagnose(session.providerContext, options, signal);
        context.stdout.write(options.json === true ? `${JSON.stringify({ findings }, null, 2)}\n` : text(findings));
        const asked = findings.find(({ name }) => name === `provider ${options.provider}`);
        return asked?.status === 'lacking' ? exitStatuses.badInput : exitStatuses.asExpected;
      });
    });
}

const text = (findings: readonly Finding[]) =>
  findings
    .map(({ name, status, detail, remedy }) => {
      const mend = remedy === null ? '' : `\n    mend: ${remedy}`;
      return `${marks[status]} ${name}: ${detail}${mend}\n`;
    })
    .join('');
