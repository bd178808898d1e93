import { statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { committedReports } from './many-reports.mjs';

/** TCP flows, and as many UDP flows. */
const sizes = [10, 100, 1_000, 5_000];
const rounds = 5;

/** What a report takes on disk, and how long it takes to be written and read, by the number of its flows. */
export const reportSize = {
  name: 'report size',
  async measure({ scratch }) {
    const { writeReport, readReport } = await storing();
    const figures = {};
    for (const count of sizes) {
      const report = withFlows(count);
      const folder = join(scratch, `flows-${count}`);
      const times = { write: [], read: [] };
      for (let round = 0; round < rounds; round += 1) {
        times.write.push(await msOf(() => writeReport(folder, '01', report)));
        times.read.push(await msOf(() => readReport(join(folder, '01.json'))));
      }
      const sizeOf = (name) => (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) / 1e3;
      const name = `${count.toLocaleString('en')} + ${count.toLocaleString('en')} flows`;
      figures[`${name}, report`] = { unit: 'kB', values: [sizeOf('01.json')] };
      const beside = sizeOf('01.flows.ndjson');
      if (beside > 0) figures[`${name}, flows beside it`] = { unit: 'kB', values: [beside] };
      figures[`${name}, writing`] = { unit: 'ms', values: times.write };
      figures[`${name}, reading`] = { unit: 'ms', values: times.read };
    }
    return figures;
  },
};

async function storing() {
  // within the project, so that its packages are found
  const outfile = join('build', 'bench', 'report-file.mjs');
  await build({
    entryPoints: ['src/report/report-file.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
  return import(pathToFileURL(outfile).href);
}

/** A committed report with its flows, and what they put on the timeline, over and over. */
function withFlows(count) {
  const [report] = committedReports().get('drain');
  const { flows, timeline } = report.trial;
  const many = ['tcp', 'udp'].flatMap((protocol) => {
    const own = flows.filter((flow) => flow.protocol === protocol);
    return Array.from({ length: count }, (_, index) => ({
      ...own[index % own.length],
      id: `${protocol}-${index + 1}`,
    }));
  });
  const others = timeline.filter(({ name }) => name !== 'flow-ended' && name !== 'flow-rehomed');
  const events = [...others, ...many.flatMap(eventsOf)].sort((a, b) => a.at.tMs - b.at.tMs);
  const [isolation, phases] = [{ lanes: 1, spacingMs: null }, []];
  const quality = { status: 'not-measured', reason: 'a report made for its size' };
  return { ...report, trial: { isolation, phases, quality, ...report.trial, flows: many, timeline: events } };
}

function eventsOf({ id, outcome, rehomed }) {
  const ended = { name: 'flow-ended', source: 'client', at: outcome.at, payload: { flow: id } };
  const again = { name: 'flow-rehomed', source: 'client', at: rehomed?.at, payload: { flow: id, pod: rehomed?.to } };
  return [...(outcome.at === undefined ? [] : [ended]), ...(rehomed === null ? [] : [again])];
}

async function msOf(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
