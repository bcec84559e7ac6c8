import { listFailedJobs } from '@steward/server/src/platform/jobs/job-log.ts';
import type { Command } from '../command.ts';
import { read, typed } from '../option-schemas.ts';

const SHOWN = 100;
const SHOWN_MAX = 10_000;

export const failedJobs: Command = {
  summary: 'List background jobs that failed permanently',
  notes: ['The last 7 days, newest first. The data of a job is not shown. For emails, see the command mails.'],
  options: { limit: { value: 'N', help: `Maximum number to list (default ${SHOWN})` } },
  prepare: (given) => {
    const limit = given.limit === undefined ? SHOWN : read(typed.count(SHOWN_MAX), 'limit', given.limit);
    return async ({ db }) => {
      const jobs = await listFailedJobs(db, limit);
      const lines = jobs.map(({ name, failed_at, attempts, error }) =>
        [new Date(failed_at).toISOString(), name.padEnd(28), `after ${attempts} attempts: ${error}`].join('  '),
      );
      return { result: { jobs }, lines: lines.length > 0 ? lines : ['No failed jobs.'] };
    };
  },
};
