// A thread that requests /healthz without a pause, so that a busy test doesn't look like a busy server.
import { parentPort, workerData } from 'node:worker_threads';

let longest = 0;
let isAsked = false;
parentPort?.on('message', () => {
  isAsked = true;
});

for (;;) {
  const start = performance.now();
  await (await fetch(`${workerData as string}/healthz`)).text();
  longest = Math.max(longest, performance.now() - start);
  if (!isAsked) continue;
  isAsked = false;
  parentPort?.postMessage(longest);
  longest = 0;
}
