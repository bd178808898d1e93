/**
 * How surely the range of `n` independent repeats covers the true median, 0 to 1: all repeats lie on one side of it with
 * probability 2 * (1/2)^n or less, whatever the distribution, hence 1 - 2^(1-n). It is the interval of the outermost order
 * statistics (David and Nagaraja, "Order Statistics", 3rd edition, section 7.1). For n = 1 it is 0.
 */
export const rangeConfidence = (n: number): number => 1 - 2 ** (1 - n);
