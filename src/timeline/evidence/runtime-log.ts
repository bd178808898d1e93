import { parse } from 'logfmt/lib/logfmt_parser.js';
import { z } from 'zod';
import type { RuntimeSighting } from '../../domain/evidence.ts';
import { wallNsOf, type WallClockMoments } from '../wall-clock.ts';

/** The parts that are read of a line of containerd's log (logfmt). */
const lineForm = z.object({ time: z.iso.datetime({ offset: true }), msg: z.string() });

/** Go's words for signals (syscall.Signal, String). */
const signalNames: Readonly<Record<string, string>> = {
  hangup: 'SIGHUP',
  interrupt: 'SIGINT',
  killed: 'SIGKILL',
  quit: 'SIGQUIT',
  terminated: 'SIGTERM',
  'user defined signal 1': 'SIGUSR1',
  'user defined signal 2': 'SIGUSR2',
};

/** What containerd writes of one container, with the quoted identifier of that one left out. */
const forms = {
  requested: /^StopContainer for {2}with timeout (?<seconds>\d+) \(s\)$/,
  signal: /^Stop container {2}with signal (?<signal>.+)$/,
  kill: 'Kill container ',
  exit: /^received (?:container )?exit event container_id: (?<fields>.*)$/,
  answered: /^StopContainer for {2}returns successfully$/,
};

/** Fields of an exit event (protobuf's text form), of which those that are 0 are left out. */
const fields = {
  seconds: /exited_at:\{seconds:(\d+)/,
  nanos: /exited_at:\{[^}]*nanos:(\d+)/,
  status: /exit_status:(\d+)/,
};

const nanoseconds = 1_000_000_000n;

/**
 * What containerd did to end a container, from its log at level info: its CRI service writes such a line when it takes a
 * StopContainer, before it sends a signal, and when it answers (internal/cri: instrument/instrumented_service.go and
 * server/container_stop.go), and one when its monitor is told of an exit, which some versions call a `container exit`. The
 * process's end has the time of the shim's report of it, not that of the line. Lines of other containers, and of other
 * things, are passed over.
 */
export function runtimeSightings(
  log: string,
  containerId: string,
  moments: WallClockMoments,
): readonly RuntimeSighting[] {
  return log.split('\n').flatMap((line) => {
    const entry = lineForm.safeParse(parse(line)).data;
    if (entry === undefined) return [];
    const quoted = `"${containerId}"`;
    if (!entry.msg.includes(quoted)) return [];
    return sightingOf(entry.msg.replaceAll(quoted, ''), wallNsOf(entry.time), moments);
  });
}

function sightingOf(message: string, wallNs: bigint, moments: WallClockMoments): readonly RuntimeSighting[] {
  const at = moments(wallNs);
  const requested = forms.requested.exec(message)?.groups;
  if (requested) return [{ step: 'stop-requested', gracePeriodSeconds: Number(requested.seconds), at }];
  const word = forms.signal.exec(message)?.groups?.signal;
  if (word !== undefined) return [{ step: 'signal-sent', signal: signalNames[word] ?? word, at }];
  if (message.startsWith(forms.kill)) return [{ step: 'kill-sent', at }];
  const exit = forms.exit.exec(message)?.groups?.fields;
  if (exit !== undefined) {
    const [seconds, nanos = '0', status = '0'] = [fields.seconds, fields.nanos, fields.status].map(
      (field) => field.exec(exit)?.[1],
    );
    if (seconds === undefined) return [];
    return [{ step: 'exited', exitCode: Number(status), at: moments(BigInt(seconds) * nanoseconds + BigInt(nanos)) }];
  }
  return forms.answered.test(message) ? [{ step: 'stop-answered', at }] : [];
}
