import { spawnSync } from 'node:child_process';
import { appendFile, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CommandEntry, createRunner } from '../../src/process/runner.ts';
import { buildProbeImage, type ProbeImage } from '../../src/providers/kind/probe-image.ts';
import { lackOf, titled } from './prerequisites.ts';

const docker = (...args: string[]) => spawnSync('docker', args, { encoding: 'utf8' });
const lack = lackOf('docker');

describe.skipIf(lack !== undefined)(titled('the probe image', lack), () => {
  let folder: string;
  let probeBundle: string;
  let log: CommandEntry[];
  let made: ProbeImage[];
  const build = async (options: { readonly nodeBinary?: string } = {}) => {
    const runner = createRunner({ log: (entry) => void log.push(entry) });
    const image = await buildProbeImage({ runner, probeBundle, ...options }, new AbortController().signal);
    made.push(image);
    return image;
  };
  const imports = () => log.filter(({ argv }) => argv[1] === 'import');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'probe-image-'));
    probeBundle = join(folder, 'probe.js');
    log = [];
    made = [];
    await copyFile('build/bundle/probe.js', probeBundle);
    await copyFile('build/bundle/agent.js', join(folder, 'agent.js'));
    // content of this test alone, so that its images are nobody else's
    await appendFile(probeBundle, `\n// ${folder}\n`);
  });
  afterEach(async () => {
    docker('image', 'rm', ...new Set(made.map(({ reference }) => reference)));
    await rm(folder, { recursive: true });
  });

  test('it holds the Node that runs this, without network, and runs as nobody', async () => {
    const { reference, id } = await build();
    const script = 'console.log(process.version, process.getuid())';
    const run = ['run', '--rm', '--network', 'none', '--entrypoint', process.execPath, reference, '-e', script];
    expect(docker(...run).stdout).toBe(`${process.version} 65532\n`);
    expect(docker('image', 'inspect', '--format', '{{.Id}}', reference).stdout.trim()).toBe(id);
    expect(log.flatMap(({ argv }) => argv)).not.toContain('pull');
  });

  test('its entry point is the probe: a bad option is told of by the probe itself', async () => {
    const { reference } = await build();
    const { status, stderr } = docker('run', '--rm', '--network', 'none', reference, '--behavior', 'none-such');
    expect(status).toBe(2);
    expect(stderr).toContain('none-such');
  });

  test('it is built once for one content, and anew for another', async () => {
    const first = await build();
    expect(await build()).toEqual(first);
    expect(imports()).toHaveLength(1);
    await appendFile(probeBundle, '// changed\n');
    expect((await build()).reference).not.toBe(first.reference);
    expect(imports()).toHaveLength(2);
  });

  test('a binary that does not run as Node does is an unmet requirement, and leaves no image', async () => {
    const images = () => docker('image', 'ls', '--quiet', '--filter', 'dangling=true').stdout;
    const before = images();
    await expect(build({ nodeBinary: '/bin/ls' })).rejects.toMatchObject({ kind: 'requirement' });
    expect(images()).toBe(before);
  });
});
