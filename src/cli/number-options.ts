import { InvalidArgumentError } from 'commander';

/** A commander parser for a number within [min, max]. */
function numberWithin(min: number, max: number, { whole }: { readonly whole: boolean }) {
  const kind = whole ? 'a whole number' : 'a number';
  return (text: string): number => {
    const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isNaN(value) || value < min || value > max || (whole && !Number.isInteger(value))) {
      throw new InvalidArgumentError(`Expected ${kind} from ${min} to ${max}.`);
    }
    return value;
  };
}

export const wholeNumber = (min: number, max: number) => numberWithin(min, max, { whole: true });
export const decimalNumber = (min: number, max: number) => numberWithin(min, max, { whole: false });

/** `a,b` and repeated options both make a list. */
export function list(text: string, previous: readonly string[] = []): readonly string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.some((item) => item === '')) throw new InvalidArgumentError('Expected names separated by commas.');
  return [...previous, ...items];
}

/** A whole number within [min, max], or `auto`. */
export const wholeNumberOrAuto = (min: number, max: number) => {
  const parse = wholeNumber(min, max);
  return (text: string): number | 'auto' => {
    if (text === 'auto') return text;
    if (!/^\d+$/.test(text)) throw new InvalidArgumentError(`Expected auto, or a whole number from ${min} to ${max}.`);
    return parse(text);
  };
};
