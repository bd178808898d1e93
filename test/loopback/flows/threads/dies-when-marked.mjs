import { parentPort } from 'node:worker_threads';

// Speaks the first part of the thread's protocol, and dies by a defect of its own at the first `mark`.
parentPort?.on('message', (request) => {
  if (request.kind === 'mark') throw new TypeError('a defect in the thread');
});
parentPort?.postMessage({ kind: 'opened' });
