import type { StorageSummary } from '@steward/contract/home';
import type { Deps } from '#platform/deps.ts';
import { createCache } from '#platform/jobs/cache.ts';
import { countFreed, countStorage } from './storage.store.ts';

/** A count that took longer, in milliseconds, is kept for an hour, so that Home doesn't count millions of rows at each visit. */
const SLOW_MS = 50;
const KEPT_MS = 3_600_000;

interface Asking {
  teamId: string;
  userId: string;
}

/** Returns a function that says what a team stores. Counts wait for other counts of the team. */
export function createStorage(deps: Deps): (asking: Asking) => Promise<StorageSummary> {
  const cached = createCache<Omit<StorageSummary, 'freed_this_month'>>((took) => (took < SLOW_MS ? 0 : KEPT_MS));
  return async ({ teamId, userId: user }) => {
    const count = async (db: Deps['db']) => ({ ...(await countStorage(db, teamId)), counted_at: Date.now() });
    const counted = await cached(teamId, () =>
      deps.countQueue.run({ key: teamId, user }, () => deps.replica.count(count)),
    );
    // Never cached, because people look here right after a run.
    return { ...counted, freed_this_month: await countFreed(deps.db, teamId) };
  };
}
