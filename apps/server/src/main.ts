import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from '#platform/env.ts';
import { createLog } from '#platform/log.ts';
import { startServer } from './start.ts';

// `npm start` at a terminal reads better than JSON lines; everything else gets the lines.
const repository = resolve(import.meta.dirname, '../../..');

try {
  const env = parseEnv(process.env, repository);
  const log = createLog(env.LOG_LEVEL);
  const portalDirectory = resolve(repository, 'apps/portal/dist');
  const server = await startServer({
    env,
    log,
    repository,
    ...(existsSync(portalDirectory) ? { portalDirectory } : {}),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      log.info({ signal }, 'stopping');
      server.stop().then(
        () => process.exit(0),
        (error) => {
          log.error({ err: error }, 'stop failed');
          process.exit(1);
        },
      );
    });
  }
  // A rejection nobody awaited is a bug of ours: it is logged, and the server goes on serving the others.
  process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'unhandled rejection'));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
