import type { Measured } from './measured.ts';

/** A stretch of a trial in which what happens is what is measured. */
export type MomentName = 'trigger' | 'end';

/** Times are ms after the trigger. */
export interface CriticalMoment {
  readonly moment: MomentName;
  readonly fromMs: number;
  readonly toMs: number;
}

/** How calm the client's machine was in one critical moment. */
export interface MomentQuality extends CriticalMoment {
  /** The client's greatest event-loop delay: how late a stamp can be. */
  readonly eventLoopDelayMs: Measured<number>;
  /** Share of the time, 0 to 1, in which some task waited for a CPU (the kernel's PSI, /proc/pressure/cpu, `some`). */
  readonly cpuPressure: Measured<number>;
  /** CPU time that a hypervisor gave to others while this machine had work (/proc/stat, `steal`), ms over all CPUs. */
  readonly stolenMs: Measured<number>;
}

/**
 * Beyond these a trial is disturbed: it is kept and shown, but repeated and not averaged. Stamps later than 25 ms would
 * exceed the floor of a TCP end (20 ms) with its usual 1 to 5 ms; a pod that starts on two cores keeps both busy, so
 * pressure alone disturbs only where hardly any time is left without it.
 */
export const qualityLimits = { eventLoopDelayMs: 25, cpuPressure: 0.9, stolenMs: 100 } as const;

/** Why a trial can't be averaged; empty for a calm one. What was not measured disturbs nothing. */
export function disturbancesIn(quality: Measured<readonly MomentQuality[]>): readonly string[] {
  if (quality.status === 'not-measured') return [];
  return quality.value.flatMap(({ moment, eventLoopDelayMs, cpuPressure, stolenMs }) => {
    const about = (what: string) => `${what} in the ${moment} moment`;
    return [
      ...(eventLoopDelayMs.status === 'measured' && eventLoopDelayMs.value > qualityLimits.eventLoopDelayMs
        ? [
            about(
              `event-loop delay of ${Math.round(eventLoopDelayMs.value)} ms (at most ${qualityLimits.eventLoopDelayMs})`,
            ),
          ]
        : []),
      ...(cpuPressure.status === 'measured' && cpuPressure.value > qualityLimits.cpuPressure
        ? [about(`CPU pressure of ${percent(cpuPressure.value)} (at most ${percent(qualityLimits.cpuPressure)})`)]
        : []),
      ...(stolenMs.status === 'measured' && stolenMs.value > qualityLimits.stolenMs
        ? [about(`${Math.round(stolenMs.value)} ms of CPU time stolen (at most ${qualityLimits.stolenMs})`)]
        : []),
    ];
  });
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
