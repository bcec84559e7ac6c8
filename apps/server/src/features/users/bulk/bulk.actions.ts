import type { Received } from '@steward/contract/api/endpoint';
import { Id } from '@steward/contract/api/fields';
import type { BulkJob, startBulk } from '@steward/contract/users/bulk';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { notifyManyNewAdmins } from '#workspace/notices/notify-managers.ts';
import { requireEndInRange } from '#workspace/users/end-dates.actions.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';
import type { Caller } from '../users.policy.ts';
import { bulk } from './bulk.job.ts';
import { countTargets, type Operation } from './bulk-targets.store.ts';
import { addJob, findJob, type JobKey } from './user-jobs.store.ts';

type Started = Changed<typeof startBulk>;

export interface BulkInput {
  teamId: string;
  caller: Caller;
  request: Received<typeof startBulk>['body'];
}

/** The counts use the conditions of the job. */
export async function previewBulkJob(trx: Trx, input: BulkInput): Promise<Started> {
  await requireEnd(trx, input);
  return { answer: await countTargets(trx, toTargets(input), toOperation(input)), audit: null };
}

/** Each batch of the job writes an audit row. */
export async function startBulkJob(trx: Trx, deps: Deps, input: BulkInput): Promise<Started> {
  const { teamId, caller } = input;
  const { action } = input.request;
  await lockTeam(trx, teamId);
  await requireEnd(trx, input);
  const [targets, operation] = [toTargets(input), toOperation(input)];
  const { affected, skipped } = await countTargets(trx, targets, operation);
  const total = skipped.reduce((sum, { count }) => sum + count, affected);
  const key = await addJob(trx, { ...targets, ...operation, startedBy: caller.userId, total });
  if (!key) refuse('users.bulk_running');
  // One email states their number: an email for each batch would also go to the admins of earlier batches.
  if (action === 'make_admin' && affected > 0)
    await notifyManyNewAdmins(trx, deps, { teamId, actorId: caller.userId, count: affected });
  await deps.jobs.send(trx, bulk, { team_id: teamId, job_id: key.jobId });
  return { answer: { id: key.jobId }, audit: null };
}

async function requireEnd(trx: Trx, { teamId, request }: BulkInput): Promise<void> {
  if (request.ends_on !== undefined) await requireEndInRange(trx, teamId, request.ends_on);
}

function toOperation({ caller, request: { action, ends_on } }: BulkInput): Operation {
  return { action, caller, endsOn: ends_on ?? null };
}

function toTargets({ teamId, request }: BulkInput) {
  return { teamId, userIds: request.user_ids ?? null, filter: request.filter ?? null, joinedUntil: Date.now() };
}

export async function getBulkJob({ db }: Deps, key: JobKey): Promise<BulkJob> {
  // An id from a path may hold characters that PostgreSQL can't even compare.
  const job = Id.safeParse(key.jobId).success ? await findJob(db, key) : undefined;
  if (!job) refuse('record.not_found');
  return job;
}
