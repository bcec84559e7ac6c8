import { exitOnUncaughtError } from '#app/run.ts';
import { startServer } from '#app/start.ts';
import { parseServerEnv } from '#platform/env.ts';
import { createLog } from '#platform/observability/log.ts';

// A server with a bug: on a signal it rejects or throws outside of any handler, to test how it ends.
const log = createLog('warn', { write: (line) => void process.stderr.write(line) });
const server = await startServer({ env: parseServerEnv(), log, repository: import.meta.dirname });
exitOnUncaughtError(log, async () => {
  await server.stop();
  log.warn('everything is closed');
});
process.on('SIGUSR2', () => void Promise.reject(new Error('unhandled rejection')));
process.on('SIGHUP', () => {
  throw new Error('uncaught exception');
});
console.log(server.url);
