/** The value of a JSON text; undefined for what is none. For answers whose form is checked next. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
