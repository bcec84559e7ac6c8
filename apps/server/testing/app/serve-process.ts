import { flushCompileCache } from 'node:module';
import { stopOnSignal } from '#app/run.ts';
import { type StartOptions, startServer } from '#app/start.ts';
import { parseServerEnv } from '#platform/env.ts';
import { createLog } from '#platform/observability/log.ts';

/** Limits that a test may change. */
export type ServeLimits = Pick<StartOptions, 'requestMs' | 'limits' | 'activityMs'>;

// A server in its own process, for tests that stop or kill it. It prints its URL. An argument contains other limits as JSON.
const [limits = '{}'] = process.argv.slice(2);
const log = createLog('silent');
const options = JSON.parse(limits) as ServeLimits;
const starting = startServer({ env: parseServerEnv(), log, repository: import.meta.dirname, ...options });
stopOnSignal(starting, log);
const server = await starting;
// After a kill there is no other chance to write the compile cache.
flushCompileCache();
console.log(server.url);
