// Times of a trial, counted from its flows and events.

const endsOf = (flows, protocol) => {
  const own = flows.filter((flow) => flow.protocol === protocol);
  if (own.length === 0 || own.some(({ kind }) => kind === 'not-measured')) return undefined;
  return { all: own.length, ends: own.flatMap(({ endedMs }) => (endedMs === null ? [] : [endedMs])) };
};
const first = ({ flows }, protocol) => {
  const found = endsOf(flows, protocol);
  return found === undefined || found.ends.length === 0 ? undefined : Math.min(...found.ends);
};
const last = ({ flows }, protocol) => {
  const found = endsOf(flows, protocol);
  return found === undefined || found.ends.length < found.all ? undefined : Math.max(...found.ends);
};
const rehome = ({ flows }) => {
  const times = flows.flatMap(({ protocol, rehomedMs }) =>
    protocol === 'udp' && rehomedMs !== null ? [rehomedMs] : [],
  );
  return times.length === 0 ? undefined : Math.min(...times);
};
const event = ({ events }, name) => events.find((one) => one.name === name && mayFollow(one.at))?.at.tMs;
const mayFollow = ({ tMs, precision }) => tMs + (precision.kind === 'bounded' ? precision.lateMs : 0) >= 0;
const between = (from, to) => (from === undefined || to === undefined ? undefined : to - from);

/** By the names of metrics; what has no entry is taken as the report has it. */
export const countedTimes = {
  'trigger-to-first-tcp-end': (trial) => first(trial, 'tcp'),
  'trigger-to-last-tcp-end': (trial) => last(trial, 'tcp'),
  'trigger-to-first-udp-end': (trial) => first(trial, 'udp'),
  'trigger-to-last-udp-end': (trial) => last(trial, 'udp'),
  'trigger-to-first-udp-rehome': rehome,
  'trigger-to-sigterm': (trial) => event(trial, 'sigterm-received'),
  'trigger-to-ready-false': (trial) => event(trial, 'endpoint-not-ready'),
  'trigger-to-endpoint-removed': (trial) => event(trial, 'endpoint-removed'),
  'trigger-to-container-terminated': (trial) => event(trial, 'container-terminated'),
  'trigger-to-probe-exit': (trial) => event(trial, 'probe-exiting'),
  'trigger-to-replacement-ready': ({ others }) =>
    others.find(({ name, at }) => name === 'endpoint-ready' && at.tMs >= 0)?.at.tMs,
  'dead-endpoint-window': (trial) => between(last(trial, 'tcp'), event(trial, 'endpoint-removed')),
  'sigterm-to-endpoint-removed': (trial) => between(event(trial, 'sigterm-received'), event(trial, 'endpoint-removed')),
  'sigterm-to-ready-false': (trial) => between(event(trial, 'sigterm-received'), event(trial, 'endpoint-not-ready')),
};
