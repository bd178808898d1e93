import { expect, test } from 'vitest';
import { parseArguments } from '../../../probe/src/arguments.ts';
import { StartFailure } from '../../../probe/src/start-failure.ts';

test('no option at all gives the defaults of the protocol', () => {
  expect(parseArguments([])).toEqual({
    behavior: 'drain',
    drainSeconds: 25,
    host: '0.0.0.0',
    tcpPort: 7000,
    udpPort: 7000,
    httpPort: 8080,
    exitWithStdin: false,
  });
});

test('every option is taken, with a space or with an equals sign', () => {
  const args = ['--behavior=exit-now', '--drain-seconds', '0.25', '--host=::1', '--tcp-port', '0', '--udp-port=65535'];
  expect(parseArguments([...args, '--http-port', '1', '--exit-with-stdin'])).toEqual({
    behavior: 'exit-now',
    drainSeconds: 0.25,
    host: '::1',
    tcpPort: 0,
    udpPort: 65_535,
    httpPort: 1,
    exitWithStdin: true,
  });
});

test.each(['exit-now', 'drain', 'ignore', 'drain-ready'])('%s is a behaviour', (behavior) => {
  expect(parseArguments(['--behavior', behavior]).behavior).toBe(behavior);
});

test.each([
  [['--behavior', 'explode'], '--behavior'],
  [['--behavior', 'toString'], '--behavior'],
  [['--behavior='], '--behavior'],
  [['--drain-seconds', '86401'], '--drain-seconds'],
  [['--drain-seconds=-1'], '--drain-seconds'],
  [['--drain-seconds', '1e3'], '--drain-seconds'],
  [['--drain-seconds', '0x10'], '--drain-seconds'],
  [['--drain-seconds', 'Infinity'], '--drain-seconds'],
  [['--drain-seconds='], '--drain-seconds'],
  [['--drain-seconds', '5s'], '--drain-seconds'],
  [['--tcp-port', '65536'], '--tcp-port'],
  [['--udp-port=-1'], '--udp-port'],
  [['--http-port', '80.5'], '--http-port'],
  [['--http-port='], '--http-port'],
  [['--host', 'localhost'], '--host'],
  [['--host='], '--host'],
  [['--tcp-port'], '--tcp-port'],
  [['--tcp-port', '--udp-port'], '--tcp-port'],
  [['--exit-with-stdin=yes'], '--exit-with-stdin'],
  [['--colour'], '--colour'],
  [['serve'], 'serve'],
])('%j is refused by a message of one line that names what is wrong', (args, named) => {
  const message = messageOf(() => parseArguments(args));
  expect(message).toContain(named);
  expect(message).not.toContain('\n');
});

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof StartFailure) return error.message;
    throw error;
  }
  throw new Error('Nothing was refused');
}
