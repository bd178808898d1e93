import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ActionableError } from '../../../src/domain/errors.ts';
import { measured } from '../../../src/domain/measured.ts';
import type { TrialReport } from '../../../src/domain/trial.ts';
import { createRunFolder, openRunFolder } from '../../../src/report/store.ts';
import { aggregateOf, exampleReport, manifest } from './example-reports.ts';

let scratch: string;
let path: string;
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'drainwatch-store-'));
  path = join(scratch, 'run');
});
afterEach(async () => {
  await rm(scratch, { recursive: true, force: true });
});

async function refusal(action: () => Promise<unknown>): Promise<string> {
  try {
    await action();
  } catch (error) {
    if (error instanceof ActionableError && error.kind === 'input') return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

async function collect(reports: AsyncIterable<TrialReport>): Promise<readonly TrialReport[]> {
  const all: TrialReport[] = [];
  for await (const report of reports) all.push(report);
  return all;
}

describe('a new run folder', () => {
  test('is made with its parents, and holds what the run is', async () => {
    const folder = await createRunFolder(join(path, 'deep', 'er'), manifest);
    expect(folder.completed).toEqual(new Set());
    expect((await openRunFolder(join(path, 'deep', 'er'))).manifest).toEqual(manifest);
  });

  test('may be an empty folder', async () => {
    await mkdir(path);
    await createRunFolder(path, manifest);
    expect(await readdir(path)).toEqual(['run.json']);
  });

  test('is refused where another run is, which stays as it was', async () => {
    await createRunFolder(path, manifest);
    expect(await refusal(() => createRunFolder(path, { ...manifest, run: 'other' }))).toContain('holds another run');
    expect((await openRunFolder(path)).manifest.run).toBe(manifest.run);
  });

  test('is refused where other files are', async () => {
    await mkdir(path);
    await writeFile(join(path, 'notes.txt'), '');
    expect(await refusal(() => createRunFolder(path, manifest))).toContain('holds other files');
    expect(await readdir(path)).toEqual(['notes.txt']);
  });

  test('is refused where a file is, and below one', async () => {
    await writeFile(path, 'a file');
    expect(await refusal(() => createRunFolder(path, manifest))).toContain('is a file, or lies below one');
    expect(await refusal(() => createRunFolder(join(path, 'below'), manifest))).toContain(
      'is a file, or lies below one',
    );
    expect(await readFile(path, 'utf8')).toBe('a file');
  });

  test('leaves nothing behind when it can not be made: neither itself nor a parent', async () => {
    const tooLong = join(path, 'parent', 'x'.repeat(300));
    expect(await refusal(() => createRunFolder(tooLong, manifest))).toContain('ENAMETOOLONG');
    expect(await readdir(scratch)).toEqual([]);
  });

  test('is refused where the system makes no folders', async () => {
    expect(await refusal(() => createRunFolder('/proc/drainwatch', manifest))).toMatch(/^\/proc\/drainwatch can't be/);
  });
});

describe('opening a run folder', () => {
  test('is refused where nothing is, and where no run is', async () => {
    expect(await refusal(() => openRunFolder(path))).toContain('does not exist');
    await mkdir(path);
    expect(await refusal(() => openRunFolder(path))).toContain('has no run.json');
  });

  test('is refused for a manifest of another version', async () => {
    await createRunFolder(path, manifest);
    await writeFile(join(path, 'run.json'), JSON.stringify({ ...manifest, schemaVersion: 2 }));
    expect(await refusal(() => openRunFolder(path))).toContain('run.json: schemaVersion is 2; expected: 1');
  });

  test('knows the trials that are complete, so that a resumed run leaves them alone', async () => {
    const folder = await createRunFolder(path, manifest);
    await folder.writeTrial(exampleReport(1));
    await folder.writeTrial(exampleReport(2));
    expect(folder.completed).toEqual(new Set(['drain.iptables-01', 'drain.iptables-02']));
    expect((await openRunFolder(path)).completed).toEqual(folder.completed);
  });
});

describe('a stored trial', () => {
  test('comes back as it was, an arm after the other and in the order of repeats', async () => {
    const folder = await createRunFolder(path, manifest);
    const reports = [exampleReport(100), exampleReport(2), exampleReport(10), exampleReport(1, 'exit-now')];
    for (const report of reports) await folder.writeTrial(report);
    expect(await collect(folder.readTrials())).toEqual(
      [2, 10, 100].map((n) => exampleReport(n)).concat(exampleReport(1, 'exit-now')),
    );
    expect(await readdir(join(path, 'trials', 'drain.iptables'))).toEqual(['02.json', '10.json', '100.json']);
  });

  test('is never overwritten', async () => {
    const folder = await createRunFolder(path, manifest);
    await folder.writeTrial(exampleReport(1));
    await expect(folder.writeTrial({ ...exampleReport(1), unexpected: ['other'] })).rejects.toThrow('stored already');
    expect(await collect(folder.readTrials())).toEqual([exampleReport(1)]);
  });

  test('with a number that JSON does not have is refused before it is written', async () => {
    const folder = await createRunFolder(path, manifest);
    const sample = { status: 'measured', value: { value: Number.NaN, precision: 'exact' } } as const;
    await expect(folder.writeTrial({ ...exampleReport(1), metrics: { a: sample } })).rejects.toThrow();
    expect(folder.completed.size).toBe(0);
    expect(await collect(folder.readTrials())).toEqual([]);
  });

  test('stays in its folder, whatever its arm is called', async () => {
    const folder = await createRunFolder(path, manifest);
    const report = exampleReport(1);
    for (const id of ['../../out', '/tmp/out', '..', 'a/b', '']) {
      const escaping = { ...report, trial: { ...report.trial, arm: { ...report.trial.arm, id } } };
      await expect(folder.writeTrial(escaping)).rejects.toThrow('names no file');
    }
    expect(await readdir(scratch)).toEqual(['run']);
  });

  test.each([
    ['that is cut off', '{"schemaVersion": 1,', 'is not JSON'],
    ['that is empty', '', 'is not JSON'],
    ['that is no report', '{}', 'schemaVersion is missing'],
    ['that is another repeat', JSON.stringify(exampleReport(3)), 'holds measured trial 3 of arm drain.iptables'],
    ['of another arm', JSON.stringify(exampleReport(2, 'ignore')), 'holds measured trial 2 of arm ignore.iptables'],
  ])('%s is an error that names the file, and is not passed over', async (_, text, message) => {
    const folder = await createRunFolder(path, manifest);
    await folder.writeTrial(exampleReport(1));
    await writeFile(join(path, 'trials', 'drain.iptables', '02.json'), text);
    const line = await refusal(() => collect(folder.readTrials()));
    expect(line).toContain(join('drain.iptables', '02.json'));
    expect(line).toContain(message);
    expect(await refusal(() => openRunFolder(path))).toBe(line);
  });

  test.each(['copy of 01.json', '01-02.json', 'one.json'])(
    'beside a stray %s is not read without complaint',
    async (name) => {
      const folder = await createRunFolder(path, manifest);
      await folder.writeTrial(exampleReport(1));
      await writeFile(join(path, 'trials', 'drain.iptables', name), '{}');
      expect(await refusal(() => collect(folder.readTrials()))).toContain(name);
    },
  );

  test('survives what a killed write left beside it', async () => {
    const folder = await createRunFolder(path, manifest);
    await folder.writeTrial(exampleReport(1));
    await writeFile(join(path, 'trials', 'drain.iptables', '02.json.1234567'), '{"schemaVersion"');
    expect(await collect((await openRunFolder(path)).readTrials())).toEqual([exampleReport(1)]);
  });
});

describe('what is no measured trial', () => {
  const warmUp = (): TrialReport => {
    const report = exampleReport(1);
    return { ...report, trial: { ...report.trial, id: 'drain.iptables-warm-up', repeat: 0, purpose: 'warm-up' } };
  };

  test('a warm-up is stored apart, beside those of earlier clusters', async () => {
    const folder = await createRunFolder(path, manifest);
    await folder.writeWarmUp(warmUp());
    await (await openRunFolder(path)).writeWarmUp(warmUp());
    expect(await collect(folder.readWarmUps())).toEqual([warmUp(), warmUp()]);
    expect(await collect(folder.readTrials())).toEqual([]);
    expect((await openRunFolder(path)).completed.size).toBe(0);
  });

  test('a failed attempt is stored with its reason, numbered over resumed runs', async () => {
    const folder = await createRunFolder(path, manifest);
    await folder.writeFailure({ trial: 'drain.iptables-01', arm: 'drain.iptables', reason: 'unmet' });
    await (
      await openRunFolder(path)
    ).writeFailure({ trial: 'drain.iptables-01', arm: 'drain.iptables', reason: 'again' });
    await folder.writeFailure({ trial: 'drain.iptables-02', arm: 'drain.iptables', reason: 'another' });
    expect(await readdir(join(path, 'failed'))).toEqual([
      'drain.iptables-01-1.json',
      'drain.iptables-01-2.json',
      'drain.iptables-02-1.json',
    ]);
    expect(await folder.readFailures()).toMatchObject([
      { trial: 'drain.iptables-01', attempt: 1, reason: 'unmet' },
      { trial: 'drain.iptables-01', attempt: 2, reason: 'again' },
      { trial: 'drain.iptables-02', attempt: 1, reason: 'another' },
    ]);
  });
});

describe('what is derived from the trials', () => {
  test('an aggregate comes back as it was', async () => {
    const folder = await createRunFolder(path, manifest);
    expect(await refusal(() => folder.readAggregate())).toContain('aggregate.json does not exist');
    await folder.writeAggregate(aggregateOf());
    expect(await folder.readAggregate()).toEqual(aggregateOf());
  });

  test('how long the run took is read alone, though what follows it be cut off', async () => {
    const folder = await createRunFolder(path, manifest);
    expect(await folder.readWallSeconds()).toMatchObject({ status: 'not-measured' });
    await folder.writeAggregate(aggregateOf({ wallSeconds: measured(241.5) }));
    expect(await folder.readWallSeconds()).toEqual(measured(241.5));
    const file = join(path, 'aggregate.json');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.slice(0, text.indexOf('"drift"')));
    expect(await folder.readWallSeconds()).toEqual(measured(241.5));
    await writeFile(file, 'no JSON');
    expect(await folder.readWallSeconds()).toMatchObject({ status: 'not-measured' });
  });

  test('tables hold a row a trial and metric, and a row a flow', async () => {
    const folder = await createRunFolder(path, manifest);
    await folder.writeTrial(exampleReport(1));
    await folder.writeTrial(exampleReport(2));
    await folder.writeCsv(folder.readTrials());
    const lines = async (name: string) => (await readFile(join(path, name), 'utf8')).trimEnd().split('\n').length;
    expect(await lines('trials.csv')).toBe(1 + 2 * Object.keys(exampleReport(1).metrics).length);
    expect(await lines('flows.csv')).toBe(1 + 2 * exampleReport(1).trial.flows.length);
  });
});
