import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Id } from '../api/fields.ts';
import { RECOVERABLE_DAYS_MAX } from '../api/limits.ts';
import { RetentionRun } from './retention.ts';

const TeamParams = z.object({ teamId: Id });
const RANGE = `must be a whole number from 0 to ${RECOVERABLE_DAYS_MAX}`;
const Days = z.int(RANGE).min(0, RANGE).max(RECOVERABLE_DAYS_MAX, RANGE);

/** The days in which deleted items can be restored; 0 deletes them at once. */
export const Recovery = z.object({
  recoverable_days: Days,
  /** Time at which the saved number takes effect, in milliseconds; absent when it has. */
  effective_at: z.int().optional(),
  /** The current number, while the saved one is scheduled. */
  in_force: Days.optional(),
});
export type Recovery = z.infer<typeof Recovery>;

export const getRecovery = endpoint({
  name: 'getRecovery',
  method: 'GET',
  path: '/admin/teams/:teamId/retention/recovery',
  summary: 'For how many days deleted content can be restored.',
  params: TeamParams,
  answer: Recovery,
});

/** Applies to future runs. A lower number takes effect after 24 hours, and never shortens the time of a past run. */
export const saveRecovery = endpoint({
  name: 'saveRecovery',
  method: 'POST',
  path: '/admin/teams/:teamId/retention/recovery',
  summary: 'Set for how many days deleted content can be restored. A lower number takes effect after 24 hours.',
  params: TeamParams,
  body: z.object({ recoverable_days: Days }),
  answer: Recovery,
});

/**
 * Restores deleted items in the background; repeated in the meantime, it returns the same run. Refuses a run that hasn't ended
 * (`retention.run_running`) and one without an archive (`retention.not_recoverable`).
 */
export const restoreRun = endpoint({
  name: 'restoreRun',
  method: 'POST',
  path: '/admin/teams/:teamId/retention/runs/:runId/restore',
  summary: 'Restore what a retention run deleted.',
  params: TeamParams.extend({ runId: Id }),
  answer: RetentionRun,
});
