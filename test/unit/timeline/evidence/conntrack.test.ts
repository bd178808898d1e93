import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { valueOf } from '../../../../src/domain/measured.ts';
import { conntrackEntries } from '../../../../src/timeline/evidence/conntrack.ts';
import { parseConntrackLine } from '../../../../src/timeline/evidence/conntrack-line.ts';
import { wallClockMoments } from '../../../../src/timeline/wall-clock.ts';

const fixture = (name: string) => readFileSync(`test/fixtures/evidence/${name}`, 'utf8');
const noOffset = { leastNs: 0n, greatestNs: 0n };
const moments = wallClockMoments(noOffset, noOffset);
const entriesOf = (events: string, ports: readonly number[], dump = '') =>
  conntrackEntries({ events, dump }, new Set(ports), moments);

test('an entry tells its flow, where it led, and to the nanosecond when the kernel made and destroyed it', () => {
  const [entry, ...others] = entriesOf(fixture('conntrack-reset.xml'), [54078]);
  expect(others).toEqual([]);
  const at = (wallNs: bigint) => ({ status: 'measured', value: { earliestNs: wallNs, latestNs: wallNs } });
  expect(entry).toEqual({
    id: '1412325012',
    protocol: 'tcp',
    clientPort: 54078,
    backend: { address: '10.244.1.2', port: 7000 },
    answered: true,
    created: at(1795983397006332772n),
    destroyed: { at: at(1795983399886549181n), by: { kind: 'kernel' } },
  });
});

test('a re-homed UDP flow shows each entry in turn: who destroyed it, whether it was answered, where the next one leads', () => {
  const entries = entriesOf(fixture('conntrack-rehomed.xml'), [44066]);
  expect(entries.map(({ backend, answered, destroyed }) => [backend.address, answered, destroyed?.by])).toEqual([
    ['10.244.1.2', true, { kind: 'kernel' }],
    ['10.244.1.2', false, { kind: 'user-space', program: 'kube-proxy' }],
    ['10.244.1.3', true, { kind: 'kernel' }],
  ]);
});

test('an entry that takes the place in memory of the one before it has its identifier, and is another one', () => {
  const lines = fixture('conntrack-rehomed.xml').split('\n');
  const ids = [
    ...new Set(
      lines
        .flatMap((line) => (line.includes('44066') ? [...line.matchAll(/<id>(\d+)/g)] : []))
        .map((match) => match[1] ?? ''),
    ),
  ];
  const asOne = ids.reduce((text, id) => text.replaceAll(`<id>${id}<`, `<id>${ids[0] ?? ''}<`), lines.join('\n'));
  expect(ids.length).toBeGreaterThan(1);
  const told = ({ backend, answered, destroyed }: ReturnType<typeof entriesOf>[number]) => [
    backend.address,
    answered,
    destroyed?.by,
  ];
  expect(entriesOf(asOne, [44066]).map(told)).toEqual(entriesOf(lines.join('\n'), [44066]).map(told));
});

test('a time that the kernel did not tell is not measured', () => {
  const [entry] = entriesOf(fixture('conntrack-rehomed.xml'), [44066]);
  expect(entry?.created.status).toBe('not-measured');
  expect(entry?.destroyed?.at.status).toBe('not-measured');
});

test('an entry that the last dump still has lives, and has its time from there', () => {
  const events = fixture('conntrack-reset.xml')
    .split('\n')
    .filter((line) => !line.includes('type="destroy"'));
  const dump = fixture('conntrack-reset.xml')
    .split('\n')
    .filter((line) => line.includes('type="destroy"'))
    .map((line) => line.replace(' type="destroy"', '').replace(/<stop>\d+<\/stop>/, ''))
    .join('\n');
  const [entry] = entriesOf(events.join('\n'), [54090], dump);
  expect(entry?.destroyed).toBeNull();
  expect(entry === undefined ? undefined : valueOf(entry.created)?.latestNs).toBe(1795983397007268724n);
});

test('flows of other ports and lines that are no flow are left out', () => {
  expect(entriesOf(fixture('conntrack-reset.xml'), [1])).toEqual([]);
  expect(
    entriesOf('<?xml version="1.0"?>\n<conntrack>\n\n<flow>\n<flow type="new"><sport>7</sport></flow>', [7]),
  ).toEqual([]);
});

test('a program that had gone when its request was told of is unknown, and still no kernel', () => {
  const line = fixture('conntrack-rehomed.xml')
    .split('\n')
    .find((candidate) => candidate.includes('USERSPACE'));
  expect(parseConntrackLine(line?.replace(/ progname=\S+/, '') ?? '')?.destroyer).toEqual({
    kind: 'user-space',
    program: null,
  });
});
