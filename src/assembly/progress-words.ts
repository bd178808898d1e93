import prettyMs from 'pretty-ms';
import { outcomeName } from '../domain/classify.ts';
import type { Flow } from '../domain/flow.ts';
import type { Measured } from '../domain/measured.ts';
import type { TrialReport } from '../domain/trial.ts';
import type { Progress, TrialPhase } from '../experiment/progress.ts';

export const duration = (seconds: number): string => prettyMs(Math.round(seconds) * 1000, { unitCount: 2 });

const phaseWords: Readonly<Record<TrialPhase, string>> = {
  deploying: 'deploying the probe',
  'opening-flows': 'opening flows',
  settling: 'settling',
  observing: 'pod told to end, observing',
  trailing: 'watching what follows',
  collecting: 'collecting evidence',
  removing: 'removing the probe',
};

export const phaseLine = ({ trial, phase, seconds }: Extract<Progress, { kind: 'trial-phase' }>): string =>
  `${trial}: ${phaseWords[phase]}${seconds === null ? '' : ` (${phase === 'observing' || phase === 'opening-flows' ? 'at most ' : ''}${duration(seconds)})`}`;

/** One line a fact that stays: what a log keeps. Undefined for what only a live view shows. */
export function lastingLine(progress: Progress): string | undefined {
  switch (progress.kind) {
    case 'cluster-opening':
      return `${progress.cluster}: opening for ${progress.arms.join(', ')}`;
    case 'cluster-ready': {
      const { environment } = progress;
      const facts = [
        `Kubernetes ${valueOrDash(environment.kubernetesVersion)}`,
        valueOrDash(environment.proxyMode),
        valueOrDash(environment.cni),
        environment.path,
      ];
      const text = environment.nodes.length === 0 ? environment.path : facts.join(' · ');
      return `${progress.cluster}: ready after ${duration(progress.seconds)} · ${text}`;
    }
    case 'cluster-closing':
      return undefined;
    case 'trial-phase':
      return undefined;
    case 'trial-ended': {
      const left = progress.done === progress.planned ? '' : `, about ${duration(progress.remainingSeconds)} left`;
      return `[${progress.done}/${progress.planned}] ${trialLine(progress.report)}${left}`;
    }
    case 'removal-failed':
      return `${progress.what}: not everything could be removed: ${progress.reason}`;
    case 'captures-lost':
      return `${progress.trial}: its captures could not be kept: ${progress.reason}`;
    case 'trial-disturbed':
      return `${progress.trial} was disturbed and is measured again: ${progress.reasons.join('; ')}`;
    case 'trial-failed':
      return `${progress.trial} failed: ${progress.reason}`;
    case 'arm-absent':
      return `${progress.arm} is ${progress.status}: ${progress.reason}`;
    default:
      return progress satisfies never;
  }
}

function trialLine({ trial, unexpected, inconclusive }: TrialReport): string {
  const exit = trial.container.status === 'measured' ? `exit ${trial.container.value.exitCode}` : 'exit not measured';
  const flows = (['tcp', 'udp'] as const).map(
    (protocol) => `${protocol.toUpperCase()} ${outcomes(trial.flows, protocol)}`,
  );
  const against = [
    ...(unexpected.length === 0 ? [] : [` · NOT AS EXPECTED: ${unexpected.join('; ')}`]),
    ...(inconclusive.length === 0 ? [] : [` · INCONCLUSIVE: ${inconclusive.join('; ')}`]),
  ];
  return `${trial.id}: ${flows.join(' · ')} · ${exit}${against.join('')}`;
}

function outcomes(flows: readonly Flow[], protocol: Flow['protocol']): string {
  const own = flows.filter((flow) => flow.protocol === protocol);
  const names = [...new Set(own.map(({ outcome }) => outcomeName(outcome)))];
  const parts = names.map((name) => `${own.filter(({ outcome }) => outcomeName(outcome) === name).length} ${name}`);
  return parts.length === 0 ? 'none' : parts.join(' + ');
}

const valueOrDash = (quantity: Measured<string>) => (quantity.status === 'measured' ? quantity.value : '–');
