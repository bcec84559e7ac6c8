import { flushCompileCache } from 'node:module';
import { type StartOptions, startServer } from '#app/start.ts';
import { stopOnSignal } from '#app/stop-on-signal.ts';
import { parseServerEnv } from '#platform/env.ts';
import { createLog } from '#platform/observability/log.ts';

/** Of a server, what a test may have otherwise. */
export type ServeLimits = Pick<StartOptions, 'requestMs' | 'limits'>;

// A server in a process of its own, for tests that stop or kill it: says where it listens in one line. An argument is JSON:
// limits in place of the usual ones.
const [limits = '{}'] = process.argv.slice(2);
const log = createLog('silent');
const options = JSON.parse(limits) as ServeLimits;
const starting = startServer({ env: parseServerEnv(), log, repository: import.meta.dirname, ...options });
stopOnSignal(starting, log);
const server = await starting;
// Who is killed has no other chance to keep what it compiled.
flushCompileCache();
console.log(server.url);
