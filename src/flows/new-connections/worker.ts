import { parentPort, type MessagePort } from 'node:worker_threads';
import type { NewConnectionSpec } from '../../domain/new-connections.ts';
import { goFirst } from '../thread-priority.ts';
import type { Notice, Request } from './messages.ts';
import { ProberSet } from './prober-set.ts';

// A thread of its own: hundreds of sockets a second must not delay a stamp of the held flows.

if (parentPort === null)
  throw new Error('this file is the entry of a worker thread; createNewConnectionClient starts it');
const port = parentPort;
goFirst();
port.once('message', (spec: NewConnectionSpec) => {
  dial(spec, port);
});

function dial(spec: NewConnectionSpec, main: MessagePort): void {
  const probers = new ProberSet(spec);
  const tell = (notice: Notice) => {
    main.postMessage(notice);
  };
  main.on('message', (request: Request) => {
    request.kind satisfies 'finish';
    tell({ kind: 'finished', records: probers.finish() });
    // with its sockets and its port closed nothing keeps the thread
    main.close();
  });
  tell({ kind: 'dialling' });
}
