import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describeError, inputError } from '../domain/errors.ts';
import type { TimelineEvent } from '../domain/event.ts';
import type { Flow } from '../domain/flow.ts';
import { withFlowEvents } from '../domain/flow-events.ts';
import type { TrialReport } from '../domain/trial.ts';
import { detachedReportSchema, summarizeFlows, type DetachedFlows } from './detached-flows.ts';
import { flowSchema } from './flow-schema.ts';
import { jsonValue, parseJson, parseValue } from './parse.ts';
import { trialReportSchema } from './trial-schema.ts';
import { AtomicFile } from './write-atomic.ts';
import { writeJson } from './write-json.ts';

const remedy = 'restore the file, or remove the report so that it is measured again';

/** Up to this many flows a report holds them itself, as people read it; beyond, a summary of those in a file beside it. */
export const mostFlowsWithin = 200;

/**
 * Writes `<name>.json` into the folder, which is made when it is missing. The flows of a report that has many go into
 * `<name>.flows.ndjson`, before the report that names that file: no report is ever without its flows.
 */
export async function writeReport(folder: string, name: string, report: TrialReport): Promise<void> {
  const path = join(folder, `${name}.json`);
  const { trial } = report;
  if (trial.flows.length <= mostFlowsWithin) {
    await writeJson(path, trialReportSchema, report);
    return;
  }
  const others = trial.timeline.filter((event) => !isOfFlow(event));
  const isDerived = isDeepStrictEqual(withFlowEvents(others, trial.flows), trial.timeline);
  const flows: DetachedFlows = {
    ...(await writeFlows(folder, `${name}.flows.ndjson`, trial.flows)),
    events: isDerived ? 'as-flows-tell' : 'on-timeline',
    summary: summarizeFlows(trial.flows),
  };
  const timeline = isDerived ? others : trial.timeline;
  await writeJson(path, detachedReportSchema, { ...report, schemaVersion: 2, trial: { ...trial, timeline, flows } });
}

/**
 * Reads a report, and the flows beside it.
 *
 * @throws {ActionableError} of kind `input`, one line that names the file and the field.
 */
export async function readReport(path: string): Promise<TrialReport> {
  const source = { path, remedy: 'restore the file, or remove it so that it is measured again' };
  const value = jsonValue(await readFile(path, 'utf8'), source);
  if (!isDetached(value)) return parseValue(trialReportSchema, value, source);
  const report = parseValue(detachedReportSchema, value, source);
  const { timeline: stored, flows: detached } = report.trial;
  const flows = await readFlows(join(dirname(path), detached.file), detached);
  const timeline = detached.events === 'as-flows-tell' ? withFlowEvents(stored, flows) : stored;
  return { ...report, schemaVersion: 1, trial: { ...report.trial, timeline, flows } };
}

const isDetached = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'schemaVersion' in value && value.schemaVersion === 2;

const isOfFlow = ({ name }: TimelineEvent): boolean => name === 'flow-ended' || name === 'flow-rehomed';

async function writeFlows(
  folder: string,
  file: string,
  flows: readonly Flow[],
): Promise<Pick<DetachedFlows, 'file' | 'count' | 'bytes' | 'sha256'>> {
  await mkdir(folder, { recursive: true });
  await using target = await AtomicFile.create(join(folder, file));
  for (const flow of flows) await target.append(`${JSON.stringify(flowSchema.parse(flow))}\n`);
  return { file, count: flows.length, ...(await target.commit()) };
}

async function readFlows(path: string, { count, bytes, sha256 }: DetachedFlows): Promise<readonly Flow[]> {
  const content = await readFile(path).catch((error: unknown) => {
    const found = `${path} can't be read: ${describeError(error)}`;
    throw inputError({ expected: 'the flows of a report in the file that it names', found, remedy }, error);
  });
  if (content.length !== bytes || createHash('sha256').update(content).digest('hex') !== sha256) {
    const found = `${path} has ${content.length} bytes of another content`;
    throw inputError({ expected: `${bytes} bytes of SHA-256 ${sha256}, as the report says`, found, remedy });
  }
  const lines = content.toString('utf8').split('\n').slice(0, -1);
  if (lines.length !== count) {
    throw inputError({
      expected: `${count} flows, as the report says`,
      found: `${path} holds ${lines.length}`,
      remedy,
    });
  }
  return lines.map((line, index) => parseJson(flowSchema, line, { path: `${path}, line ${index + 1}`, remedy }));
}
