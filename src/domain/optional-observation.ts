import type { Matrix } from './matrix.ts';

/** What a run observes only where its matrix asks for it. */
export const optionalObservations = ['evidence', 'new-connections'] as const;
export type OptionalObservation = (typeof optionalObservations)[number];

const asked: Readonly<Record<OptionalObservation, (matrix: Matrix) => boolean>> = {
  'new-connections': ({ newConnectionIntervalMs }) => newConnectionIntervalMs > 0,
  evidence: ({ evidence }) => evidence,
};

/** Whether a matrix asks for it: what was never asked for is not missing, and no view names it as not measured. */
export const isAskedFor = (observation: OptionalObservation, matrix: Matrix): boolean => asked[observation](matrix);
