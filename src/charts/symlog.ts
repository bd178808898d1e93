/**
 * Places a signed value so that it is linear around zero and logarithmic beyond (Webber, "A bi-symmetric log
 * transformation for wide-range data", Meas. Sci. Technol. 24, 2013). `linear` is where the one becomes the other.
 */
export const symlog = (value: number, linear: number): number =>
  Math.sign(value) * Math.log10(1 + Math.abs(value) / linear);
