import type { RunState } from '@steward/contract/retention';
import { RETENTION_KINDS, type RetentionKind } from '@steward/contract/retention/fields';
import type { RetentionClock } from '@steward/contract/retention/rules';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { millisecondsIn, toMilliseconds } from '#platform/database/milliseconds.ts';
import type { Cursor } from '#workspace/content/expiry.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';

export interface RunKey {
  teamId: string;
  runId: string;
}

export interface ClaimedRun extends RunKey {
  holder: string;
}

/** Times are in milliseconds; 0 for none. */
export interface RunRow {
  id: string;
  kind: RetentionKind;
  started_by: string;
  started_by_name: string;
  started_at: number;
  ended_at: number;
  cutoff: number;
  scanned: number;
  deleted: number;
  bytes: number;
  failed: number;
  held: number;
  state: RunState;
  note: string;
  recoverable_until: number | null;
  restore_state: RestoreState;
  restore_note: string;
  restored_at: number | null;
  restored: number;
  skipped: number;
  /** The items are null if an earlier version destroyed them. */
  proof: (Omit<Destroyed, 'items'> & { destroyed_at: number; items: number | null }) | null;
}

/** The numbers of destroyed items, contents of files, and objects of the archive. */
interface Destroyed {
  items: number;
  files: number;
  item_bytes: number;
  objects: number;
  bytes: number;
}

export type RestoreState = '' | 'running' | 'finished' | 'failed';

/** `at_clock` and `at_id` are the position reached. */
export interface LockedRun {
  kind: RetentionKind;
  started_at: number;
  clock: RetentionClock;
  cutoff: number;
  at_clock: number;
  at_id: string;
  recoverable_days: number;
  /** The encrypted key of the archive; null until the first batch. */
  archive_key: string | null;
}

/** Workers update `beat_at` more often than this; another worker can claim a run whose last update is older. */
const STALLED = sql<Date>`now() - interval '60 seconds'`;

/** Adds a run, unless one of the same kind is running. Returns its id. */
export async function addRun(
  trx: Trx,
  run: {
    teamId: string;
    kind: RetentionKind;
    origin: 'night' | 'person' | 'operator';
    startedBy: string | null;
    clock: RetentionClock;
    cutoff: number;
    recoverableDays: number;
  },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into retention_runs (team_id, id, kind, origin, started_by, clock, cutoff, recoverable_days, state, started_at)
    values (${run.teamId}, ${newId()}, ${run.kind}, ${run.origin}, ${run.startedBy}, ${run.clock}, ${run.cutoff}, ${run.recoverableDays},
      'running', clock_timestamp())
    on conflict (team_id, kind) where state = 'running' do nothing returning id`.execute(trx);
  return rows[0]?.id;
}

export interface ClaimedKind {
  kind: RetentionKind;
  /** True if items are archived before they are deleted. */
  isRecoverable: boolean;
}

const updateRun = (db: Database | Trx, { teamId, runId }: RunKey) =>
  db.updateTable('retention_runs').where('team_id', '=', teamId).where('id', '=', runId);

/** Claims a run that no worker holds, or whose worker has stopped responding. */
export async function claimRun(db: Database, { teamId, runId, holder }: ClaimedRun): Promise<ClaimedKind | undefined> {
  const row = await updateRun(db, { teamId, runId })
    .set({ holder, beat_at: sql`now()` })
    .where('state', '=', 'running')
    .where((or) => or.or([or('holder', 'is', null), or('beat_at', '<', STALLED)]))
    .returning(['kind', 'recoverable_days'])
    .executeTakeFirst();
  return row && { kind: row.kind as RetentionKind, isRecoverable: row.recoverable_days > 0 };
}

/** Returns undefined if the run has ended or another worker holds it. */
export async function lockRun(trx: Trx, { teamId, runId, holder }: ClaimedRun): Promise<LockedRun | undefined> {
  const row = await trx
    .selectFrom('retention_runs')
    .select([
      'kind',
      'clock',
      'cutoff',
      'at_clock',
      'at_id',
      'recoverable_days',
      'archive_key',
      millisecondsIn('started_at').as('started_at'),
    ])
    .where('team_id', '=', teamId)
    .where('id', '=', runId)
    .where('state', '=', 'running')
    .where('holder', '=', holder)
    .forUpdate()
    .executeTakeFirst();
  return row as LockedRun | undefined;
}

export interface BatchProgress {
  scanned: number;
  deleted: number;
  bytes: number;
  failed: number;
  held: number;
  at: Cursor | null;
  cutoff: number;
}

/** Must run in the batch's own transaction. */
export async function countBatch(trx: Trx, key: RunKey, batch: BatchProgress): Promise<void> {
  const { at, cutoff } = batch;
  await updateRun(trx, key)
    .set((run) => ({
      scanned: run('scanned', '+', batch.scanned),
      deleted: run('deleted', '+', batch.deleted),
      bytes: run('bytes', '+', batch.bytes),
      failed: run('failed', '+', batch.failed),
      held: run('held', '+', batch.held),
      cutoff,
      beat_at: sql`now()`,
      ...(at && { at_clock: at.clock, at_id: at.id }),
    }))
    .execute();
}

/** Must be called before the first object is written. */
export async function setArchiveKey(trx: Trx, key: RunKey, sealed: string): Promise<void> {
  await updateRun(trx, key).set({ archive_key: sealed }).execute();
}

export async function endRun(trx: Trx, key: RunKey, { state, note }: { state: RunState; note: string }): Promise<void> {
  await updateRun(trx, key)
    .set({
      state,
      note,
      ended_at: sql`clock_timestamp()`,
      holder: null,
      beat_at: sql`now()`,
      recoverable_until: sql`case when archive_key is null then null
        else clock_timestamp() + make_interval(days => recoverable_days) end`,
    })
    .where('state', '=', 'running')
    .execute();
}

export async function releaseRun(db: Database | Trx, { teamId, runId, holder }: ClaimedRun): Promise<void> {
  await updateRun(db, { teamId, runId })
    .set({ holder: null, beat_at: sql`now()` })
    .where('holder', '=', holder)
    .execute();
}

/** Runs without progress for a while: their worker was killed, or the job was lost. */
export async function listStalledRuns(db: Database): Promise<{ team_id: string; id: string }[]> {
  return db
    .selectFrom('retention_runs')
    .select(['team_id', 'id'])
    .where('state', '=', 'running')
    .where('beat_at', '<', STALLED)
    .orderBy('beat_at')
    .limit(1000)
    .execute();
}

const shown = sql`r.id, r.kind, coalesce(r.started_by, '') as started_by,
  case when r.origin = 'night' then 'Nightly run' when r.origin = 'operator' then 'Operator'
    else ${nameInTeam({ team: 'r.team_id', user: 'r.started_by', users: 'p' })} end as started_by_name,
  ${millisecondsIn('r.started_at')} as started_at, ${millisecondsIn('r.ended_at')} as ended_at, r.cutoff, r.scanned, r.deleted, r.bytes, r.failed, r.held,
  r.state, r.note, ${toMilliseconds(sql.ref('r.recoverable_until'))} as recoverable_until, r.restore_state, r.restore_note,
  ${toMilliseconds(sql.ref('r.restored_at'))} as restored_at, r.restored, r.skipped,
  case when r.destroyed_at is not null then json_build_object('destroyed_at', ${toMilliseconds(sql.ref('r.destroyed_at'))},
    'items', nullif(r.destroyed_items, 0), 'files', r.destroyed_files, 'item_bytes', r.destroyed_item_bytes,
    'objects', r.destroyed_objects, 'bytes', r.destroyed_bytes) end as proof`;

export async function listRuns(
  db: Database,
  teamId: string,
  page: { kind: RetentionKind | undefined; isRecoverable?: boolean; before: string | undefined; limit: number },
): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`select ${shown} from retention_runs r left join people p on p.id = r.started_by
    where r.team_id = ${teamId} ${page.kind === undefined ? sql`` : sql`and r.kind = ${page.kind}`}
      ${page.isRecoverable ? sql`and r.destroyed_at is null and (r.recoverable_until is not null or r.restore_state = 'running')` : sql``}
      ${page.before === undefined ? sql`` : sql`and r.id < ${page.before}`}
    order by r.id desc limit ${page.limit}`.execute(db);
  return rows;
}

/** The running run and the last ended run of each kind. */
export async function listLatestRuns(db: Database | Trx, teamId: string): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`select ${shown}
    from unnest(${RETENTION_KINDS as readonly string[]}::text[]) as k (kind)
    cross join (values (true), (false)) as s (running)
    cross join lateral (select * from retention_runs
      where team_id = ${teamId} and kind = k.kind and (state = 'running') = s.running order by id desc limit 1) r
    left join people p on p.id = r.started_by`.execute(db);
  return rows;
}

export async function findRun(db: Database | Trx, { teamId, runId }: RunKey): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`select ${shown} from retention_runs r left join people p on p.id = r.started_by
    where r.team_id = ${teamId} and r.id = ${runId}`.execute(db);
  return rows[0];
}

export async function startRestore(trx: Trx, key: RunKey): Promise<void> {
  await updateRun(trx, key).set({ restore_state: 'running', restore_note: '' }).execute();
}

/** Must run in the transaction that restores the items. */
export async function countRestored(
  trx: Trx,
  key: RunKey,
  { restored, skipped }: { restored: number; skipped: number },
): Promise<void> {
  await updateRun(trx, key)
    .set(({ eb }) => ({ restored: eb('restored', '+', restored), skipped: eb('skipped', '+', skipped) }))
    .execute();
}

/**
 * After a complete restore, the run has no archived objects, unless an interrupted expiry left one that must still be
 * destroyed.
 */
export async function endRestore(
  trx: Trx,
  { teamId, runId }: RunKey,
  { state, note }: { state: 'finished' | 'failed'; note: string },
): Promise<void> {
  await sql`update retention_runs r set restore_state = ${state}, restore_note = ${note},
      restored_at = case when done.whole then clock_timestamp() else r.restored_at end,
      recoverable_until = case when done.whole and done.empty then null else r.recoverable_until end,
      archive_key = case when done.whole and done.empty then null else r.archive_key end
    from (select ${state === 'finished'}::boolean as whole, not exists (
      select 1 from retention_archives a where a.team_id = ${teamId} and a.run_id = ${runId}) as empty) done
    where r.team_id = ${teamId} and r.id = ${runId}`.execute(trx);
}

export async function countDestroyed(
  trx: Trx,
  key: RunKey,
  object: { items: number; item_bytes: number; bytes: number; contents: readonly string[] },
): Promise<void> {
  await updateRun(trx, key)
    .set(({ eb }) => ({
      destroyed_objects: eb('destroyed_objects', '+', 1),
      destroyed_bytes: eb('destroyed_bytes', '+', object.bytes),
      destroyed_items: eb('destroyed_items', '+', object.items),
      destroyed_files: eb('destroyed_files', '+', object.contents.length),
      destroyed_item_bytes: eb('destroyed_item_bytes', '+', object.item_bytes),
    }))
    .execute();
}

/** Completes the proof and destroys the key when no object is left; undefined if objects remain, or the run was restored. */
export async function endExpiry(
  trx: Trx,
  { teamId, runId }: RunKey,
): Promise<(Destroyed & { kind: string }) | undefined> {
  const { rows } = await sql<Destroyed & { kind: string }>`
    update retention_runs r set destroyed_at = clock_timestamp(), archive_key = null
    where r.team_id = ${teamId} and r.id = ${runId} and r.destroyed_at is null
      and r.recoverable_until is not null and r.restore_state <> 'running' and not exists (
      select 1 from retention_archives a where a.team_id = r.team_id and a.run_id = r.id)
    returning r.kind, r.destroyed_items as items, r.destroyed_files as files, r.destroyed_item_bytes as item_bytes,
      r.destroyed_objects as objects, r.destroyed_bytes as bytes`.execute(trx);
  return rows[0];
}

/** Does nothing if the key has been replaced by another one. */
export async function replaceArchiveKey(
  db: Database,
  { teamId, runId, sealed }: RunKey & { sealed: string },
  by: string,
): Promise<void> {
  await updateRun(db, { teamId, runId }).set({ archive_key: by }).where('archive_key', '=', sealed).execute();
}
