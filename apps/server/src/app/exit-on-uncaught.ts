import type { Logger } from '#platform/observability/log.ts';

/**
 * What happens when an error reaches nobody: nothing says what it left half done in this process. One line is logged, no
 * more requests are taken, those under way may finish, and the process ends with 1 for its supervisor to start it again.
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
