/** The examples at the end of a command's help: what to type, and what for. */
export const examples = (...lines: readonly (readonly [command: string, purpose: string])[]): string =>
  `\nExamples:\n${lines.map(([command, purpose]) => `  $ ${command}\n      ${purpose}`).join('\n')}`;
