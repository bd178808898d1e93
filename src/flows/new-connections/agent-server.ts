import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AttemptRecord } from '../../domain/new-connections.ts';
import { jsonOrUndefined } from '../../domain/json.ts';
import type { ProbeClock } from '../../domain/workload.ts';
import { dialRequestSchema, writeAttempts, writeDialAnswer } from '../../timeline/agent-messages.ts';
import { ProberSet } from './prober-set.ts';

/**
 * Dials new connections when it is told to, by HTTP (probe/PROTOCOL.md, "Client"). What was seen stays here until it is
 * asked for: nothing is written while it dials.
 */
export function createAgentServer(clock: ProbeClock): Server {
  let probers: ProberSet | undefined;
  let found: readonly AttemptRecord[] | undefined;

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    switch (`${request.method ?? ''} ${request.url ?? ''}`) {
      case 'GET /healthz':
        return { status: 200, body: '' };
      case 'POST /dial': {
        if (probers !== undefined) return { status: 409, body: 'it was told to dial before' };
        const spec = dialRequestSchema.safeParse(jsonOrUndefined(await text(request)));
        if (!spec.success) return { status: 400, body: spec.error.message };
        probers = new ProberSet(spec.data);
        return { status: 200, body: writeDialAnswer(clock) };
      }
      case 'POST /finish':
        if (probers === undefined) return { status: 409, body: 'it was not told to dial' };
        // asked again, as after a lost answer, it tells the same
        found ??= probers.finish();
        return { status: 200, body: writeAttempts(found) };
      default:
        return { status: 404, body: 'GET /healthz, POST /dial or POST /finish' };
    }
  };
  return createServer((request, response) => {
    void answer(request)
      .catch((error: unknown): Answer => ({ status: 500, body: String(error) }))
      .then((given) => {
        send(response, given);
      });
  });
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

const send = (response: ServerResponse, { status, body }: Answer): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
};
