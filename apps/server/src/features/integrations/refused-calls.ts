import type { Deps } from '#platform/deps.ts';
import { type IntegrationKey, type Refusals, recordRefusals } from './integrations.store.ts';

/** A flood of refused calls costs one write and one line of the log in this time, whatever is sent. */
const WRITES_MS = 2_000;

export interface RefusedCalls {
  /** Never throws. */
  add(place: IntegrationKey, reason: string): Promise<void>;
  /** Writes what is waiting, before the process ends. */
  close(): Promise<void>;
}

/**
 * Counts refused calls of integrations, without a row for each: a caller who knows a URL, but not its secret, must not be able
 * to fill a table or the log. The first call is written at once, those after it together. A killed process loses the last of them.
 */
export function createRefusedCalls({ db, log }: Pick<Deps, 'db' | 'log'>): RefusedCalls {
  /** Calls that aren't written yet, of integrations that were written in the last seconds. */
  const waiting = new Map<string, { place: IntegrationKey; timer: NodeJS.Timeout; refusals: Refusals | undefined }>();

  const write = async (place: IntegrationKey, refusals: Refusals): Promise<void> => {
    log.info({ integration: place.integrationId, ...refusals }, 'deliveries refused');
    await recordRefusals(db, place, refusals).catch((error) => log.warn({ err: error }, 'refusals were not counted'));
  };
  const pause = (place: IntegrationKey) => {
    const timer = setTimeout(() => {
      const due = waiting.get(place.integrationId);
      waiting.delete(place.integrationId);
      if (due?.refusals === undefined) return;
      pause(place);
      void write(place, due.refusals);
    }, WRITES_MS);
    timer.unref();
    waiting.set(place.integrationId, { place, timer, refusals: undefined });
  };
  return {
    async add(place, reason) {
      const paused = waiting.get(place.integrationId);
      if (paused) {
        paused.refusals = { count: (paused.refusals?.count ?? 0) + 1, reason };
        return;
      }
      pause(place);
      await write(place, { count: 1, reason });
    },
    async close() {
      for (const { place, timer, refusals } of waiting.values()) {
        clearTimeout(timer);
        if (refusals) await write(place, refusals);
      }
      waiting.clear();
    },
  };
}
