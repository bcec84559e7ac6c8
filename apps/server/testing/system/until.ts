import { setTimeout as pause } from 'node:timers/promises';
import { TIME_SCALE } from './time-scale.ts';

/**
 * Polls for what has no event. `look` returns what is still missing, for the error of a test that waits for too long, or nothing.
 */
export async function until(look: () => Promise<unknown>, seconds = 30): Promise<void> {
  const end = performance.now() + seconds * 1_000 * TIME_SCALE;
  for (;;) {
    const missing = await look();
    if (missing === undefined) return;
    if (performance.now() > end) throw new Error(`waited for too long: ${JSON.stringify(missing)}`);
    await pause(15);
  }
}
