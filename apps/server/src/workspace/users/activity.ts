import type { Database } from '#platform/database/database.ts';
import type { Logger } from '#platform/observability/log.ts';
import { saveActivity } from './memberships.store.ts';

/** Collects active users and writes them to their memberships in the background: no request waits for it. */
export interface Activity {
  note(userId: string): void;
  flush(): Promise<void>;
  /** Writes the rest. */
  stop(): Promise<void>;
}

const FLUSH_MS = 5_000;
const BATCH = 1_000;

interface ActivityOptions {
  db: Database;
  log: Logger;
  /** Milliseconds between two writes. */
  flushMs?: number | undefined;
}

export function createActivity({ db, log, flushMs = FLUSH_MS }: ActivityOptions): Activity {
  const noted = new Set<string>();
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    const ids = [...noted].sort();
    noted.clear();
    for (let from = 0; from < ids.length; from += BATCH) {
      const batch = ids.slice(from, from + BATCH);
      try {
        await saveActivity(db, batch);
      } catch (error) {
        log.warn({ err: error, users: batch.length }, 'activity was not recorded, will be tried again');
        for (const id of batch) noted.add(id);
      }
    }
  }

  // One write after the other, so that a slow database doesn't get the next before it has done this one.
  const flush = () => {
    writing = writing.then(write);
    return writing;
  };
  const timer = setInterval(() => void (noted.size > 0 && flush()), flushMs).unref();
  return {
    note: (userId) => void noted.add(userId),
    flush,
    stop() {
      clearInterval(timer);
      return flush();
    },
  };
}
