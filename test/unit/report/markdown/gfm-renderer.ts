/** Gives the HTML that GitHub-flavoured Markdown stands for. Raw HTML passes, as on GitHub before it is sanitised. */
export type Renderer = (markdown: string) => string;

type Callable = (...parameters: readonly unknown[]) => unknown;

const callable = (module: unknown, name: string): Callable | undefined => {
  if (module === null || typeof module !== 'object') return undefined;
  const found: unknown = Reflect.get(module, name);
  return typeof found === 'function' ? (found as Callable) : undefined;
};

const load = (name: string): Promise<unknown> => import(/* @vite-ignore */ name).catch(() => undefined);

/** Undefined where micromark and its extension are not installed. */
export async function loadRenderer(): Promise<Renderer | undefined> {
  const [core, extension] = [await load('micromark'), await load('micromark-extension-gfm')];
  const micromark = callable(core, 'micromark');
  const [gfm, gfmHtml] = [callable(extension, 'gfm'), callable(extension, 'gfmHtml')];
  if (micromark === undefined || gfm === undefined || gfmHtml === undefined) return undefined;
  return (markdown) =>
    String(micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true }));
}
