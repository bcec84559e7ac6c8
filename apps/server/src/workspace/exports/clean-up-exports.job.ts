import { z } from 'zod';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { failStalledExports, listExpiredExports, removeExport } from './exports.store.ts';

/** Deletes exports after seven days, the file first: as long as there is a row, there may be a file. */
const cleanUpExports = defineJob({
  name: 'privacy.tidy_exports',
  payload: z.unknown(),
  retries: 2,
  retrySeconds: 60,
  schedule: '47 2 * * *',
});

/** Its worker. */
export function createCleanUpExportsWorker({ db, blobs }: Deps) {
  return defineWorker(cleanUpExports, async () => {
    await failStalledExports(db);
    for (;;) {
      const expired = await listExpiredExports(db);
      for (const row of expired) {
        for (const key of row.parts) await blobs.remove(key);
        await removeExport(db, row);
      }
      if (expired.length === 0) return;
    }
  });
}
