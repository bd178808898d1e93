import { hostname } from 'node:os';
import { parseArguments } from './arguments.ts';
import { startClient } from './client.ts';
import { readClockIdentity } from './clock.ts';
import { HttpServer } from './http-server.ts';
import { drawIdentity } from './identity.ts';
import { createLog } from './log.ts';
import { Responder } from './responder.ts';
import { StartFailure } from './start-failure.ts';
import { TcpServer } from './tcp-server.ts';
import { type RunningProbe, behaviors } from './termination.ts';
import { serveUdp } from './udp-server.ts';
import { writeWhole } from './write-whole.ts';

try {
  await (process.argv[2] === 'dial' ? startClient() : start());
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  writeWhole(2, `probe: ${error.message}\n`);
  process.exit(2);
}

async function start(): Promise<void> {
  const options = parseArguments(process.argv.slice(2));
  const { behavior, drainSeconds, host } = options;
  const { pod, text: identity } = drawIdentity(process.env.POD_NAME ?? hostname());
  const clock = readClockIdentity();
  const log = createLog(1, identity, clock);
  const responder = new Responder(identity);
  const tcp = new TcpServer(responder);
  const http = new HttpServer();

  const exit = (exitCode: number): never => {
    log('exiting', process.hrtime.bigint(), { exitCode, ignoredLines: responder.ignoredLines });
    process.exit(exitCode);
  };

  // Before anything listens: the kernel drops a signal that process 1 has no handler for.
  onSigterm({ identity, drainSeconds, tcp, http, log, exit }, behaviors[behavior]);
  if (options.exitWithStdin) {
    onStdinEnd(() => exit(3));
  }

  const [tcpPort, udpPort, httpPort] = await Promise.all([
    tcp.listen({ host, port: options.tcpPort, option: '--tcp-port' }),
    serveUdp(responder, { host, port: options.udpPort, option: '--udp-port' }),
    http.listen({ host, port: options.httpPort, option: '--http-port' }),
  ]);
  log('started', process.hrtime.bigint(), {
    protocol: 1,
    pod,
    behavior,
    drainSeconds,
    tcpPort,
    udpPort,
    httpPort,
    timeNamespaceOffsetNs: clock.timeNamespaceOffsetNs,
    pid: process.pid,
  });
}

function onSigterm(probe: RunningProbe, behave: (probe: RunningProbe) => Promise<void>): void {
  let terminating = false;
  process.on('SIGTERM', () => {
    const atNs = process.hrtime.bigint();
    probe.log('sigterm-received', atNs, {});
    if (terminating) return;
    terminating = true;
    void behave(probe);
  });
}

function onStdinEnd(ended: () => void): void {
  process.stdin.once('end', ended).once('error', ended).resume();
}
