import type { Logger } from '#platform/observability/log.ts';

/**
 * Exits after an uncaught error, since the state of the process is unknown: logs one line, stops accepting requests, finishes
 * the current ones, and exits with code 1 so that a supervisor restarts the server.
 */
export function exitOnUncaughtError(log: Logger, stop: () => Promise<void>): void {
  let exiting = false;
  const exit = async (error: unknown, kind: string) => {
    log.fatal({ err: error }, kind);
    if (exiting) return;
    exiting = true;
    await stop().catch((failed: unknown) => log.error({ err: failed }, 'stop failed'));
    process.exit(1);
  };
  process.on('uncaughtException', (error, origin) => void exit(error, `${origin}: the server stops`));
}
