declare module 'parse-prometheus-text-format' {
  /** A sample as its line has it: without a TYPE before it, a histogram's sum or count is a sample by itself. */
  interface Family {
    readonly name: string;
    readonly metrics: readonly { readonly value?: string; readonly labels?: Readonly<Record<string, string>> }[];
  }
  export default function parsePrometheusTextFormat(text: string): readonly Family[];
}
