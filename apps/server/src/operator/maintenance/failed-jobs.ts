import { listFailedJobs } from '#platform/jobs/job-log.ts';
import type { Command } from '../command.ts';
import { read, typed } from '../option-schemas.ts';

const SHOWN = 100;
const SHOWN_MAX = 10_000;

/** Shows background work that was given up after its last try. */
export const failedJobs: Command = {
  summary: 'List background work that failed for good, and why',
  notes: ['Newest first, of the last week. What a job carried is not shown. Mails have a list of their own: mails.'],
  options: { limit: { value: 'N', help: `At most so many (default ${SHOWN})` } },
  prepare: (given) => {
    const limit = given.limit === undefined ? SHOWN : read(typed.count(SHOWN_MAX), 'limit', given.limit);
    return async ({ db }) => {
      const jobs = await listFailedJobs(db, limit);
      const lines = jobs.map(({ name, failed_at, attempts, error }) =>
        [new Date(failed_at).toISOString(), name.padEnd(28), `after ${attempts} tries: ${error}`].join('  '),
      );
      return { result: { jobs }, lines: lines.length > 0 ? lines : ['There is none.'] };
    };
  },
};
