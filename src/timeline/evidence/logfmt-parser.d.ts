declare module 'logfmt/lib/logfmt_parser.js' {
  /** A value is text; true where a key has none, null where it is empty. */
  export function parse(line: string): Readonly<Record<string, unknown>>;
}
