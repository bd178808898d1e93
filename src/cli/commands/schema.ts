import type { Command } from 'commander';
import { matrixJsonSchema } from '../../report/matrix-file.ts';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import { exitStatuses } from '../../assembly/exit-status.ts';
import type { Perform } from '../program.ts';

export function addSchema(program: Command, { stdout }: CliContext, perform: Perform): void {
  program
    .command('schema')
    .description('print the JSON Schema of matrix files')
    .addHelpText('after', examples(['drainwatch schema > matrix/schema.json', 'for an editor']))
    .action(() => {
      perform(() => {
        stdout.write(`${JSON.stringify(matrixJsonSchema(), null, 2)}\n`);
        return Promise.resolve(exitStatuses.asExpected);
      });
    });
}
