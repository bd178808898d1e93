import { readFileSync } from 'node:fs';
import { EOL } from 'node:os';

/** Reads a file of `name<<delimiter` blocks, as GITHUB_OUTPUT and GITHUB_STATE are; a later value replaces an earlier one. */
export function readKeyValues(path: string): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  const lines = readFileSync(path, 'utf8').split(EOL);
  for (let index = 0; index < lines.length; index++) {
    const [, name, delimiter] = /^(.+?)<<(.+)$/.exec(lines[index] ?? '') ?? [];
    if (name === undefined || delimiter === undefined) continue;
    const end = lines.indexOf(delimiter, index + 1);
    if (end === -1) throw new Error(`${path}: ${name} does not end`);
    values[name] = lines.slice(index + 1, end).join(EOL);
    index = end;
  }
  return values;
}

export interface RunnerCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

const unescape = (text: string) => text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
const unescapeProperty = (text: string) => unescape(text.replaceAll('%3A', ':').replaceAll('%2C', ','));

/**
 * The commands that a runner would find in a step's output: lines that begin with `::` (blanks aside), and those of the
 * old form, `##[`, anywhere (github.com/actions/runner, ActionCommand).
 */
export function commandsIn(output: string): readonly RunnerCommand[] {
  return output.split(/\r?\n/).flatMap((line): readonly RunnerCommand[] => {
    const [, name, properties = '', data = ''] = /^\s*::([\w-]+)(?: ([^:]*))?::(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      const pairs = properties.split(',').filter((pair) => pair.includes('='));
      return [
        {
          name,
          properties: Object.fromEntries(
            pairs.map((pair) => [
              pair.slice(0, pair.indexOf('=')),
              unescapeProperty(pair.slice(pair.indexOf('=') + 1)),
            ]),
          ),
          data: unescape(data),
        },
      ];
    }
    const old = /##\[([\w-]+)[^\]]*\](.*)$/.exec(line);
    return old === null ? [] : [{ name: `##${old[1] ?? ''}`, properties: {}, data: old[2] ?? '' }];
  });
}
