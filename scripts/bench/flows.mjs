// What holding many flows costs, and how exact it stays, against a probe on loopback: `node scripts/bench/flows.mjs [FLOWS[:UDP_INTERVAL_MS]]...`.
// `benchFlows` gives the same as an object. Each number of flows has a client process of its own, so that none inherits another's memory.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

/* global AbortController */
const thisFile = fileURLToPath(import.meta.url);
const bundle = 'build/bench-flows';
const tickMs = 10; // USER_HZ is 100 on every Linux architecture that Node.js runs on
/** What memory a flow is counted above. */
const base = { flows: 10, udpIntervalMs: 20, seconds: 3 };
const defaults = { tcpHeartbeatMs: 500, seconds: 5 };
const askedUdpIntervalMs = 20;

/**
 * @param cases of { flows, udpIntervalMs?, tcpHeartbeatMs?, seconds? }: `flows` TCP and as many UDP flows, each period in
 *   milliseconds, by default as a trial with 20 ms would have it; the measured time in seconds
 */
export async function benchFlows(cases) {
  await build({
    entryPoints: {
      'flow-client': 'src/flows/flow-client.ts',
      'flow-worker': 'src/flows/worker.ts',
      'udp-interval': 'src/domain/udp-interval.ts',
      probe: 'probe/src/main.ts',
    },
    outdir: bundle,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    logLevel: 'warning',
  });
  const { udpIntervalFor } = await import(new URL(`../../${bundle}/udp-interval.mjs`, import.meta.url));
  const results = [];
  for (const each of cases) {
    const udpIntervalMs = udpIntervalFor(each.flows, askedUdpIntervalMs);
    results.push(await measureApart({ ...defaults, udpIntervalMs, ...each }));
  }
  return { node: process.version, cores: availableParallelism(), results };
}

async function measureApart(wanted) {
  const { stdout } = await promisify(execFile)(process.execPath, [thisFile, '--client', JSON.stringify(wanted)]);
  return JSON.parse(stdout);
}

async function measure(wanted) {
  const few = await holdFlows({ ...wanted, ...base });
  const held = await holdFlows(wanted);
  const reset = await resetFlows(wanted);
  return {
    ...wanted,
    ...held,
    memoryPerFlowKb:
      wanted.flows > base.flows ? (held.residentKb - few.residentKb) / (2 * (wanted.flows - base.flows)) : null,
    ...reset,
  };
}

/** Steady state: what it costs, how late sends were, what stayed unanswered. */
async function holdFlows({ seconds, ...wanted }) {
  const probe = await startProbe();
  const { flows, openingMs } = await openAnswered(wanted, probe);
  await sleep(1_000);
  flows.mark();
  const clientCpu = process.cpuUsage();
  const probeCpuMs = cpuMsOf(probe.pid);
  const startMs = performance.now();
  await sleep(seconds * 1_000);
  const elapsedMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(clientCpu);
  const spentMs = cpuMsOf(probe.pid) - probeCpuMs;
  const residentKb = process.memoryUsage.rss() / 1024;
  const observation = await flows.finish();
  const probeResidentKb = residentKbOf(probe.pid);
  await probe.kill();
  return {
    openingMs,
    clientCpuShare: (user + system) / 1_000 / elapsedMs,
    probeCpuShare: spentMs / elapsedMs,
    residentKb,
    probeResidentKb,
    sendLatenessMs: observation.sendLatenessMs.value ?? null,
    eventLoopDelayMs: observation.eventLoopDelayMs,
    sent: sum(observation.flows, ({ sent }) => sent),
    unanswered: sum(observation.flows, holesOf),
    neverAnswered: observation.flows.filter(({ firstAnswer }) => firstAnswer === null).length,
    generator: observation.generator ?? null,
  };
}

/** Pings before the last answered one that nobody answered: what came after it may have been on its way. */
const holesOf = ({ lastAnswer, answered }) => (lastAnswer === null ? 0 : lastAnswer.sequence + 1 - answered);

/** How long after the probe's kernel had sent its last reset the client knew of it. */
async function resetFlows(wanted) {
  const probe = await startProbe();
  const { flows } = await openAnswered(wanted, probe);
  await sleep(1_000);
  flows.mark();
  probe.child.kill('SIGTERM');
  const [sigterm, exiting] = await Promise.all([probe.logged('sigterm-received'), probe.logged('exiting')]);
  await flows.allEnded;
  const { flows: records } = await flows.finish();
  await probe.kill();
  const tcp = records.filter(({ protocol }) => protocol === 'tcp');
  const reset = tcp.filter(({ end }) => end?.kind === 'error' && end.code === 'ECONNRESET');
  const ends = reset.map(({ end }) => end.atNs).sort((a, b) => (a < b ? -1 : 1));
  return {
    resets: { seen: reset.length, of: tcp.length },
    resettingMs: msBetween(sigterm, exiting),
    detectedAfterLastResetMs: ends.length === 0 ? null : msBetween(exiting, ends.at(-1)),
    detectionSpreadMs: ends.length === 0 ? null : msBetween(ends[0], ends.at(-1)),
  };
}

async function openAnswered({ flows: count, tcpHeartbeatMs, udpIntervalMs }, { tcpPort, udpPort }) {
  const { createFlowClient } = await import(new URL(`../../${bundle}/flow-client.mjs`, import.meta.url));
  const startMs = performance.now();
  const flows = await createFlowClient({ workerFile: `${bundle}/flow-worker.mjs` }).open(
    {
      endpoint: { address: '127.0.0.1', tcpPort, udpPort },
      tcp: count,
      udp: count,
      tcpHeartbeatMs,
      udpIntervalMs,
      tcpReadTimeoutMs: 20_000,
      udpSilenceMs: 1_000,
    },
    new AbortController().signal,
  );
  const deadlineMs = performance.now() + 30_000;
  for (;;) {
    const { tcpEstablished, udpReplying, firstError } = await flows.status();
    if (tcpEstablished === count && udpReplying === count) break;
    if (performance.now() > deadlineMs) {
      process.stderr.write(`answered: ${tcpEstablished} TCP, ${udpReplying} UDP of ${count}; ${firstError}\n`);
      break;
    }
    await sleep(20);
  }
  return { flows, openingMs: performance.now() - startMs };
}

async function startProbe() {
  const args = ['--host=127.0.0.1', '--tcp-port=0', '--udp-port=0', '--http-port=0', '--behavior=exit-now'];
  const child = spawn(process.execPath, [`${bundle}/probe.mjs`, ...args, '--exit-with-stdin'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, POD_NAME: 'bench' },
  });
  try {
    // as a pod's, also where this program itself was given less
    setPriority(child.pid, 0);
  } catch {
    // not permitted: then it keeps this program's priority
  }
  const lines = [];
  const exited = once(child, 'exit');
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  const find = async (event) => {
    for (;;) {
      const line = lines.find((each) => each.event === event);
      if (line !== undefined) return line;
      await Promise.race([once(reader, 'line'), once(reader, 'close')]);
    }
  };
  const { tcpPort, udpPort } = await find('started');
  return {
    child,
    pid: child.pid,
    tcpPort,
    udpPort,
    logged: async (event) => BigInt((await find(event)).monotonicNs),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const sum = (items, of) => items.reduce((total, item) => total + of(item), 0);
const msBetween = (fromNs, toNs) => Number(toNs - fromNs) / 1e6;

/** User and system time, the 14th and 15th field of proc_pid_stat(5); the name before them may hold spaces. */
function cpuMsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

const residentKbOf = (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]);

const [, script, flag, wanted] = process.argv;
if (script === thisFile) {
  if (flag === '--client') {
    process.stdout.write(JSON.stringify(await measure(JSON.parse(wanted))));
  } else {
    const cases = process.argv.slice(2).map((text) => {
      const [flows, udpIntervalMs] = text.split(':').map(Number);
      return { flows, ...(udpIntervalMs === undefined ? {} : { udpIntervalMs }) };
    });
    console.log(JSON.stringify(await benchFlows(cases), null, 2));
  }
}
