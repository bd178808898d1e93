/** A quantity that may not have been observed. Absence carries its reason and is never zero. */
export type Measured<T> =
  { readonly status: 'measured'; readonly value: T } | { readonly status: 'not-measured'; readonly reason: string };

export const measured = <T>(value: T): Measured<T> => ({ status: 'measured', value });
export const notMeasured = (reason: string): Measured<never> => ({ status: 'not-measured', reason });

/** Applies `transform` to a measured value; a reason passes through unchanged. */
export function mapMeasured<T, U>(quantity: Measured<T>, transform: (value: T) => U): Measured<U> {
  return quantity.status === 'measured' ? measured(transform(quantity.value)) : quantity;
}

export const valueOf = <T>(quantity: Measured<T>): T | undefined =>
  quantity.status === 'measured' ? quantity.value : undefined;
