import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { addUpMemberCounts } from './member-counts.store.ts';

/** Keeps the counts of members short, so that reading a total stays as cheap as reading a few rows. */
const addUp = defineJob({
  name: 'people.add_up_counts',
  retries: 2,
  retrySeconds: 20,
  schedule: '* * * * *',
});

export function createAddUpCountsWorker({ db }: Deps) {
  return defineWorker(addUp, () => addUpMemberCounts(db));
}
