import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { StartFailure, describeError } from './start-failure.ts';
import { type Behavior, behaviors, isBehavior } from './termination.ts';

/** The command line, as PROTOCOL.md has it. */
export interface Options {
  readonly behavior: Behavior;
  readonly drainSeconds: number;
  readonly host: string;
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly httpPort: number;
  readonly exitWithStdin: boolean;
}

const maxDrainSeconds = 86_400;

/** Throws a StartFailure that names the option, what it should be, and what was found. */
export function parseArguments(args: readonly string[]): Options {
  const values = readOptions(args);
  return {
    behavior: behaviorOf(values.behavior),
    drainSeconds: drainSecondsOf(values['drain-seconds']),
    host: hostOf(values.host),
    tcpPort: portOf('--tcp-port', values['tcp-port']),
    udpPort: portOf('--udp-port', values['udp-port']),
    httpPort: portOf('--http-port', values['http-port']),
    exitWithStdin: values['exit-with-stdin'],
  };
}

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: false,
      options: {
        behavior: { type: 'string', default: 'drain' },
        'drain-seconds': { type: 'string', default: '25' },
        host: { type: 'string', default: '0.0.0.0' },
        'tcp-port': { type: 'string', default: '7000' },
        'udp-port': { type: 'string', default: '7000' },
        'http-port': { type: 'string', default: '8080' },
        'exit-with-stdin': { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new StartFailure(describeError(error), error);
  }
}

function behaviorOf(text: string): Behavior {
  if (!isBehavior(text)) throw badValue('--behavior', `one of ${Object.keys(behaviors).join(', ')}`, text);
  return text;
}

function drainSecondsOf(text: string): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds <= maxDrainSeconds)) {
    throw badValue('--drain-seconds', `a decimal number from 0 to ${maxDrainSeconds}`, text);
  }
  return seconds;
}

function hostOf(text: string): string {
  if (isIP(text) === 0) throw badValue('--host', 'an IP address', text);
  return text;
}

function portOf(option: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 0xffff)) throw badValue(option, 'a whole number from 0 to 65535', text);
  return port;
}

const badValue = (option: string, expected: string, found: string): StartFailure =>
  new StartFailure(`${option} should be ${expected}, but is ${JSON.stringify(found)}`);
