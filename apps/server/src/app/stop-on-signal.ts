import type { Logger } from '#platform/observability/log.ts';
import type { RunningServer } from './start.ts';

/** Stops the server on SIGINT, SIGTERM or SIGHUP, which a closed terminal sends, then exits. */
export function stopOnSignal(starting: Promise<RunningServer>, log: Logger): void {
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    // Under npm, Ctrl-C arrives twice: from the terminal and from npm itself.
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    try {
      // Lets a start in progress finish first: interrupted, it would leave PostgreSQL running.
      await (await starting).stop();
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, 'stop failed');
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, (name) => void stop(name));
}
