import type { ErrorId } from '@steward/contract/api/errors';
import { JOB_FAILURES_MAX, USER_JOB_DAYS } from '@steward/contract/api/limits';
import type { BulkAction, BulkFilter, BulkJob, BulkState, SkipReason } from '@steward/contract/users/bulk';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';

export interface JobKey {
  teamId: string;
  jobId: string;
}

export type SkipCounts = Partial<Record<SkipReason, number>>;

export async function findJob(db: Database, { teamId, jobId }: JobKey): Promise<BulkJob | undefined> {
  const { rows } = await sql<Omit<BulkJob, 'skipped'> & { skipped: SkipCounts }>`
    select id, action, state, total, done, skipped, failed, error from user_jobs
    where team_id = ${teamId} and id = ${jobId}`.execute(db);
  return rows.map(({ skipped, ...job }) => ({ ...job, skipped: listCounts(skipped) }))[0];
}

function listCounts(skipped: SkipCounts): BulkJob['skipped'] {
  const reasons = Object.keys(skipped).sort() as SkipReason[];
  return reasons.map((reason) => ({ reason, count: skipped[reason] ?? 0 }));
}

export interface NewJob {
  teamId: string;
  startedBy: string;
  action: BulkAction;
  userIds: readonly string[] | null;
  filter: BulkFilter | null;
  joinedUntil: number;
  endsOn: string | null;
  total: number;
}

/** Adds a job; undefined, without any change, while another one of the team runs. The caller has locked the team. */
export async function addJob(trx: Trx, job: NewJob): Promise<JobKey | undefined> {
  const { teamId, startedBy, action, userIds, filter, joinedUntil, endsOn, total } = job;
  const jobId = newId();
  const { rows } = await sql`
    insert into user_jobs (team_id, id, action, started_by, user_ids, filter, joined_until, ends_on, total)
    select ${teamId}, ${jobId}, ${action}, ${startedBy}, ${userIds && [...userIds]}::text[],
      ${filter && JSON.stringify(filter)}::jsonb, ${joinedUntil}, ${endsOn}::date, ${total}
    where not exists (select 1 from user_jobs where team_id = ${teamId} and ended_at is null) returning 1`.execute(trx);
  return rows.length === 1 ? { teamId, jobId } : undefined;
}

export interface LockedJob {
  action: BulkAction;
  started_by: string;
  user_ids: string[] | null;
  filter: BulkFilter | null;
  joined_until: number;
  ends_on: string | null;
  skipped: SkipCounts;
  failed: { user_id: string; error: ErrorId }[];
  reached: string;
}

/** Locks a job that hasn't ended; undefined if it has, or another worker has locked it. */
export async function lockJob(trx: Trx, { teamId, jobId }: JobKey): Promise<LockedJob | undefined> {
  const { rows } = await sql<LockedJob>`
    select action, started_by, user_ids, filter, joined_until, ends_on::text as ends_on, skipped, failed, reached from user_jobs
    where team_id = ${teamId} and id = ${jobId} and ended_at is null for update skip locked`.execute(trx);
  return rows[0];
}

export interface BatchResult {
  done: number;
  skipped: SkipCounts;
  failed: LockedJob['failed'];
  reached: string;
}

/** Adds a batch to its job, which the caller has locked. */
export async function saveBatch(
  trx: Trx,
  { teamId, jobId }: JobKey,
  { job, batch }: { job: LockedJob; batch: BatchResult },
) {
  const skipped = { ...job.skipped };
  for (const [reason, count] of Object.entries(batch.skipped) as [SkipReason, number][])
    skipped[reason] = (skipped[reason] ?? 0) + count;
  const failed = [...job.failed, ...batch.failed].slice(0, JOB_FAILURES_MAX);
  await sql`update user_jobs set state = 'running', touched_at = now(), done = done + ${batch.done},
      skipped = ${JSON.stringify(skipped)}::jsonb, failed = ${JSON.stringify(failed)}::jsonb, reached = ${batch.reached}
    where team_id = ${teamId} and id = ${jobId}`.execute(trx);
}

export async function endJob(
  trx: Trx,
  { teamId, jobId }: JobKey,
  end: { state: Extract<BulkState, 'done' | 'failed'>; error: ErrorId | null },
): Promise<void> {
  await sql`update user_jobs set state = ${end.state}, error = ${end.error}, ended_at = now(), touched_at = now()
    where team_id = ${teamId} and id = ${jobId} and ended_at is null`.execute(trx);
}

/** A job is stalled after five minutes without progress. */
export async function listStalledJobs(db: Database): Promise<{ team_id: string; job_id: string }[]> {
  const { rows } = await sql<{ team_id: string; job_id: string }>`select team_id, id as job_id from user_jobs
    where ended_at is null and touched_at < now() - interval '5 minutes' order by touched_at limit 1000`.execute(db);
  return rows;
}

export async function removeOldJobs(db: Database): Promise<void> {
  await sql`delete from user_jobs where ended_at < now() - ${sql.raw(`interval '${USER_JOB_DAYS} days'`)}`.execute(db);
}
