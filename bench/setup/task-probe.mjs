// Loaded into a server before its own modules. When the server ends, writes to the file in `to` how much processor time the main thread
// used at most between two looks at it, in milliseconds, since the signal SIGUSR2. JavaScript, since reading TypeScript takes memory.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const LOOK_EVERY_MS = 5;

const readTime = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

if (isMainThread) {
  let before = readTime();
  let most = 0;
  const look = () => {
    const now = readTime();
    most = Math.max(most, now - before);
    before = now;
  };
  setInterval(look, LOOK_EVERY_MS).unref();
  process.on('SIGUSR2', () => {
    look();
    most = 0;
  });
  const to = new URL(import.meta.url).searchParams.get('to') ?? '';
  process.on('exit', () => writeFileSync(to, String(most)));
}
