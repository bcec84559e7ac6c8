import type { Logger } from '#platform/observability/log.ts';
import type { RunningServer } from './start.ts';

/** Ends the process at SIGINT or SIGTERM, after the server has stopped. */
export function stopOnSignal(starting: Promise<RunningServer>, log: Logger): void {
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    // Ctrl-C arrives twice under npm: from the terminal, and once more from npm itself.
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    try {
      // A start is brought to its end first: cut in the middle it would leave PostgreSQL running.
      await (await starting).stop();
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, 'stop failed');
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, (name) => void stop(name));
}
