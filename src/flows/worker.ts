import { parentPort, type MessagePort } from 'node:worker_threads';
import type { FlowSpec } from '../domain/client.ts';
import { FlowSet } from './flow-set.ts';
import type { Notice, Request } from './messages.ts';
import { goFirst } from './thread-priority.ts';

// The thread that holds every socket, so that nothing the main thread does can delay a stamp.

if (parentPort === null) throw new Error('this file is the entry of a worker thread; createFlowClient starts it');
const port = parentPort;
goFirst();
port.once('message', (spec: FlowSpec) => void hold(spec, port));

async function hold(spec: FlowSpec, main: MessagePort): Promise<void> {
  const tell = (notice: Notice) => {
    main.postMessage(notice);
  };
  const flows = new FlowSet(spec, () => {
    tell({ kind: 'all-ended' });
  });
  main.on('message', (request: Request) => {
    switch (request.kind) {
      case 'status':
        tell({ kind: 'status', id: request.id, status: flows.status() });
        break;
      case 'mark':
        flows.mark();
        break;
      case 'finish':
        tell({ kind: 'finished', observation: flows.finish() });
        // with its sockets and its port closed nothing keeps the thread
        main.close();
        break;
      default:
        request satisfies never;
    }
  });
  await flows.dial();
  tell({ kind: 'opened' });
}
