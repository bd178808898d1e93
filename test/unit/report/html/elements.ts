/** An element of a page, in the order of the start tags. */
export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** All text in it, references read. */
  readonly text: string;
}

const voids = new Set(['meta', 'img', 'br', 'source']);
const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*>|<!doctype html>/g;

interface OpenElement {
  readonly name: string;
  readonly attributes: Map<string, string>;
  text: string;
}

/** Reads a page as strictly as it was written: every element is closed where it should be, every `<` begins a tag. */
export function elementsOf(page: string): readonly Element[] {
  const elements: OpenElement[] = [];
  const open: OpenElement[] = [];
  let at = 0;
  const text = (until: number) => {
    const raw = page.slice(at, until);
    if (open.at(-1)?.name !== 'style' && /[<>]/.test(raw)) throw new Error(`a stray angle bracket in ${raw}`);
    for (const element of open) element.text += decoded(raw);
  };
  for (const match of page.matchAll(tag)) {
    text(match.index);
    at = match.index + match[0].length;
    const [, slash, name, attributes = ''] = match;
    if (name === undefined) continue;
    if (slash === '/') {
      const closed = open.pop();
      if (closed?.name !== name) throw new Error(`</${name}> closes <${closed?.name ?? 'nothing'}>`);
      continue;
    }
    const element = { name, attributes: attributesOf(attributes), text: '' };
    elements.push(element);
    if (!voids.has(name)) open.push(element);
  }
  text(page.length);
  if (open.length > 0) throw new Error(`never closed: ${open.map(({ name }) => name).join(', ')}`);
  return elements;
}

/** What a page says, a row of a table a line with bars between its cells. */
export const textOf = (page: string): string =>
  decoded(
    page
      .replaceAll(/<style>[^]*?<\/style>/g, '')
      .replaceAll(/<\/t[hd]><t[hd][^>]*>/g, ' | ')
      .replaceAll(/<[^>]*>/g, ''),
  );

const attributesOf = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, decoded(value)]));

const references: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
]);

const decoded = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (reference) => references.get(reference) ?? reference);
