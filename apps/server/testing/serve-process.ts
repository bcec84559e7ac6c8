import { flushCompileCache } from 'node:module';
import { startServer } from '#app/start.ts';
import { stopOnSignal } from '#app/stop-on-signal.ts';
import { parseEnv } from '#platform/env.ts';
import { createLog } from '#platform/log.ts';

// A server in a process of its own, for tests that stop or kill it: says where it listens in one line. A first argument is
// the time that requests have to arrive, in milliseconds.
const [requestMs] = process.argv.slice(2).map(Number);
const log = createLog('silent');
const starting = startServer({ env: parseEnv(), log, repository: import.meta.dirname, requestMs });
stopOnSignal(starting, log);
const server = await starting;
// Who is killed has no other chance to keep what it compiled.
flushCompileCache();
console.log(server.url);
