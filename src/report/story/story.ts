import { missingEvidence } from '../../domain/missing-evidence.ts';
import type { Precision, TimelinePoint } from '../../domain/time.ts';
import type { Trial } from '../../domain/trial.ts';
import { causeLines } from './cause-lines.ts';
import { dataPlaneLines } from './data-plane-lines.ts';
import { eventLines } from './event-lines.ts';
import { flowLines } from './flow-lines.ts';
import { knownPatterns, type KnownPattern } from './known-patterns.ts';
import { proxyWorkLines } from './proxy-work-lines.ts';
import { runtimeLines } from './runtime-lines.ts';

/** One thing that happened: when, as far as it is known, what, and who saw it. */
export interface StoryLine {
  readonly at: TimelinePoint;
  readonly what: string;
  readonly seenBy: string;
}

/** A trial as a reader is told of it. Texts are plain, and may hold names from elsewhere. */
export interface Story {
  readonly trial: string;
  /** What was done, to which pod. */
  readonly beginning: string;
  /** In the order of time. */
  readonly lines: readonly StoryLine[];
  /** Why flows were cut off, and what contradicts that. */
  readonly causes: readonly string[];
  /** What was counted of the data plane's work while the trial was observed. */
  readonly meanwhile: readonly string[];
  /** What is publicly known of the like. */
  readonly patterns: readonly KnownPattern[];
  /** What would have told more, each with the reason why it is missing. */
  readonly missing: readonly string[];
}

/** Tells a trial from its events, its flows and its evidence. Pure. */
export function tellTrial(trial: Trial): Story {
  const lines = [...eventLines(trial), ...runtimeLines(trial), ...dataPlaneLines(trial), ...flowLines(trial)];
  return {
    trial: trial.id,
    beginning: beginningOf(trial),
    lines: lines.toSorted((a, b) => a.at.tMs - b.at.tMs),
    causes: causeLines(trial.flows),
    meanwhile: proxyWorkLines(trial),
    patterns: knownPatterns.filter(({ matches }) => matches(trial)),
    missing: missingIn(trial),
  };
}

function beginningOf({ scenario, pod, arm, conditions }: Trial): string {
  const { tcp, udp } = conditions.flows;
  const where = [arm.proxyMode, arm.kubernetesVersion].filter((level) => level !== null).join(', ');
  return `${scenario.label}${where === '' ? '' : ` (${where})`}: ${tcp} TCP and ${udp} UDP flows were held to ${pod} when t = 0 came, the moment before the request that ends it.`;
}

function missingIn({ evidence, unobservable, newConnections }: Trial): readonly string[] {
  const observers =
    evidence.status === 'not-measured'
      ? [`evidence of the data plane: ${evidence.reason}`]
      : missingEvidence(evidence.value).map(({ piece, reason }) => `${piece}: ${reason}`);
  return [
    ...observers,
    ...(newConnections.status === 'not-measured' ? [`new connections: ${newConnections.reason}`] : []),
    ...Object.entries(unobservable).map(([name, reason]) => `${name}: ${reason}`),
  ];
}

/** How far a time can be trusted, in a word or two. */
export function trustIn(precision: Precision): string {
  switch (precision.kind) {
    case 'exact':
      return 'exactly';
    case 'upper-bound':
      return 'no later';
    case 'bounded':
      return precision.lateMs === 0
        ? `−${tenths(precision.earlyMs)} at most`
        : `−${tenths(precision.earlyMs)}, +${tenths(precision.lateMs)}`;
    default:
      return precision satisfies never;
  }
}

const tenths = (ms: number): string => ms.toFixed(1);
