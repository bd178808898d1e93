import type { Server } from 'node:net';
import { StartFailure, describeError } from './start-failure.ts';
import { writeWhole } from './write-whole.ts';

/** Where to listen, and the option that said so. Port 0 takes a free one. */
export interface Listening {
  readonly host: string;
  readonly port: number;
  readonly option: string;
}

/**
 * Connections that may wait to be accepted; the kernel allows net.core.somaxconn of them (listen(2)). With Node.js's
 * 511 a client that opens thousands at once would have some of its SYNs dropped, and wait a second for each.
 */
const backlog = 4096;

/** Resolves with the port once the server listens; rejects with a StartFailure. */
export function listen(server: Server, at: Listening): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => {
      reject(cannotListen(at, cause));
    };
    server.once('error', fail);
    server.listen({ host: at.host, port: at.port, backlog }, () => {
      server.off('error', fail);
      server.on('error', (error) => {
        complain(at.option, error);
      });
      resolve(portOf(server));
    });
  });
}

export const cannotListen = (at: Listening, cause: unknown): StartFailure =>
  new StartFailure(
    `can't listen on ${at.host} port ${at.port} (${at.option}): ${describeError(cause)}; ` +
      `free that port or give another, 0 for any`,
    cause,
  );

/** For what went wrong with a listening socket and ends neither it nor the process. */
export function complain(option: string, error: unknown): void {
  writeWhole(2, `probe: ${option}: ${describeError(error)}\n`);
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('A listening TCP server has an address');
  return address.port;
}
