import { startServer } from '#app/start.ts';
import { parseEnv } from '#platform/env.ts';
import { createLog } from '#platform/log.ts';

// A server in a process of its own, for tests that kill it: says where it listens in one line.
const server = await startServer({
  env: parseEnv(),
  log: createLog('silent'),
  repository: import.meta.dirname,
});
console.log(server.url);
