import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { clientClock } from '../../timeline/client-clock.ts';
import { createAgentServer } from './agent-server.ts';

// The entry of the client that dials from within a cluster: `probe dial --port N` (probe/PROTOCOL.md, "Client").

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { port: { type: 'string', default: '0' } },
});
// as process 1 of a container it would not hear of a signal that has no handler
process.on('SIGTERM', () => process.exit(0));
const server = createAgentServer(clientClock);
// loopback: whoever may ask the API server for a way into the pod may ask this
server.listen(Number(values.port), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ event: 'listening', port })}\n`);
});
