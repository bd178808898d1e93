import type { Matrix } from './matrix.ts';

/** What a trial is observed by besides its flows and what the API server tells. */
export type Observing = Pick<Matrix, 'evidence' | 'newConnectionIntervalMs'>;

export const unobserved: Observing = { evidence: false, newConnectionIntervalMs: 0 };

/** The conditions of a level's trials, as far as levels may differ in them. */
export interface LevelConditions {
  /** How many trials run at once. */
  readonly lanes: number;
  readonly observing: Observing;
}

/** In what the levels of an A/A run differ; all else is alike. */
export const variedConditions = ['lanes', 'observing'] as const;
export type VariedCondition = (typeof variedConditions)[number];

/** What a reader calls a level: `5 lanes`, or `with new connections every 10 ms`. */
export function levelName({ lanes, observing }: LevelConditions, varied: VariedCondition): string {
  switch (varied) {
    case 'lanes':
      return lanes === 1 ? '1 lane' : `${lanes} lanes`;
    case 'observing':
      return observingName(observing);
    default:
      return varied satisfies never;
  }
}

function observingName({ evidence, newConnectionIntervalMs }: Observing): string {
  const parts = [
    ...(evidence ? ['evidence'] : []),
    ...(newConnectionIntervalMs > 0 ? [`new connections every ${newConnectionIntervalMs} ms`] : []),
  ];
  return parts.length === 0 ? 'without observing' : `with ${parts.join(' and ')}`;
}
