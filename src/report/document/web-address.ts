/** Addresses that are longer are nobody's; GitHub serves none over 8 KiB. */
const longestAddress = 2000;

/** An http(s) address in the form that a browser would send; undefined for anything else. */
export function webAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return /^https?:$/.test(protocol) && href.length <= longestAddress ? href : undefined;
}
