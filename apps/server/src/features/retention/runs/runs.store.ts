import type { RunState } from '@steward/contract/retention';
import { RETENTION_KINDS, type RetentionKind } from '@steward/contract/retention/fields';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';
import type { Place, RetentionClock } from '#workspace/content/expiry.ts';

/** A run of a team. */
export interface RunKey {
  teamId: string;
  runId: string;
}

/** A run that somebody works on. */
export interface ClaimedRun extends RunKey {
  holder: string;
}

/** A run as it is answered; instants in milliseconds, 0 for none. */
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
  state: RunState;
  note: string;
}

/** A run as who works on it needs it. */
export interface LockedRun {
  kind: RetentionKind;
  started_at: number;
  clock: RetentionClock;
  cutoff: number;
  at_clock: number;
  at_id: string;
}

/** Who works on a run gives a sign of it at least this often, in seconds; after that another may take it over. */
const SILENCE = sql.raw(`interval '60 seconds'`);

/** Begins a run, unless one of the kind runs already. */
export async function addRun(
  trx: Trx,
  run: {
    teamId: string;
    kind: RetentionKind;
    origin: 'night' | 'person' | 'operator';
    startedBy: string | null;
    clock: RetentionClock;
    cutoff: number;
  },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into retention_runs (team_id, id, kind, origin, started_by, clock, cutoff, state, started_at)
    values (${run.teamId}, ${newId()}, ${run.kind}, ${run.origin}, ${run.startedBy}, ${run.clock}, ${run.cutoff},
      'running', clock_timestamp())
    on conflict (team_id, kind) where state = 'running' do nothing returning id`.execute(trx);
  return rows[0]?.id;
}

/** Takes a run to work on it, when nobody does or who did has fallen silent; answers what it is a run of. */
export async function claimRun(
  db: Database,
  { teamId, runId, holder }: ClaimedRun,
): Promise<RetentionKind | undefined> {
  const { rows } = await sql<{ kind: RetentionKind }>`update retention_runs set holder = ${holder}, beat_at = now()
    where team_id = ${teamId} and id = ${runId} and state = 'running'
      and (holder is null or beat_at < now() - ${SILENCE}) returning kind`.execute(db);
  return rows[0]?.kind;
}

/** The run, locked; undefined when it has ended, or is worked on by another. */
export async function lockRun(trx: Trx, { teamId, runId, holder }: ClaimedRun): Promise<LockedRun | undefined> {
  const { rows } =
    await sql<LockedRun>`select kind, ${millisecondsIn('started_at')} as started_at, clock, cutoff, at_clock, at_id
    from retention_runs where team_id = ${teamId} and id = ${runId} and state = 'running' and holder = ${holder}
    for update`.execute(trx);
  return rows[0];
}

/** What a batch did, and where it came to. */
export interface BatchProgress {
  scanned: number;
  deleted: number;
  bytes: number;
  failed: number;
  at: Place | null;
  cutoff: number;
}

/** Counts a batch in its own transaction. */
export async function countBatch(trx: Trx, { teamId, runId }: RunKey, done: BatchProgress): Promise<void> {
  const at = done.at;
  await sql`update retention_runs set scanned = scanned + ${done.scanned}, deleted = deleted + ${done.deleted},
      bytes = bytes + ${done.bytes}, failed = failed + ${done.failed}, cutoff = ${done.cutoff}, beat_at = now(),
      at_clock = coalesce(${at?.clock ?? null}, at_clock), at_id = coalesce(${at?.id ?? null}, at_id)
    where team_id = ${teamId} and id = ${runId}`.execute(trx);
}

/** Ends a run. */
export async function endRun(
  trx: Trx,
  { teamId, runId }: RunKey,
  end: { state: RunState; note: string },
): Promise<void> {
  await sql`update retention_runs set state = ${end.state}, note = ${end.note}, ended_at = clock_timestamp(),
      holder = null, beat_at = now()
    where team_id = ${teamId} and id = ${runId} and state = 'running'`.execute(trx);
}

/** Lets go of a run, so that the next may take it at once. */
export async function releaseRun(db: Database | Trx, { teamId, runId, holder }: ClaimedRun): Promise<void> {
  await sql`update retention_runs set holder = null, beat_at = now()
    where team_id = ${teamId} and id = ${runId} and holder = ${holder}`.execute(db);
}

/** Runs that nobody has worked on for a while: who did was killed, or the job got lost. */
export async function listStalledRuns(db: Database): Promise<{ team_id: string; id: string }[]> {
  const { rows } = await sql<{ team_id: string; id: string }>`select team_id, id from retention_runs
    where state = 'running' and beat_at < now() - ${SILENCE} order by beat_at limit 1000`.execute(db);
  return rows;
}

const shown = sql`r.id, r.kind, coalesce(r.started_by, '') as started_by,
  case when r.origin = 'night' then 'Nightly run' when r.origin = 'operator' then 'Operator'
    else coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email, '') end as started_by_name,
  ${millisecondsIn('r.started_at')} as started_at, ${millisecondsIn('r.ended_at')} as ended_at, r.cutoff, r.scanned, r.deleted, r.bytes, r.failed,
  r.state, r.note`;

/** A page of the team's runs, newest first. */
export async function listRuns(
  db: Database,
  teamId: string,
  page: { kind: RetentionKind | undefined; before: string | undefined; limit: number },
): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`select ${shown} from retention_runs r left join people p on p.id = r.started_by
    where r.team_id = ${teamId} ${page.kind === undefined ? sql`` : sql`and r.kind = ${page.kind}`}
      ${page.before === undefined ? sql`` : sql`and r.id < ${page.before}`}
    order by r.id desc limit ${page.limit}`.execute(db);
  return rows;
}

/** Of each kind the run that runs, and the last one that ended. */
export async function listLatestRuns(db: Database | Trx, teamId: string): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`select ${shown}
    from unnest(${RETENTION_KINDS as readonly string[]}::text[]) as k (kind)
    cross join (values (true), (false)) as s (running)
    cross join lateral (select * from retention_runs
      where team_id = ${teamId} and kind = k.kind and (state = 'running') = s.running order by id desc limit 1) r
    left join people p on p.id = r.started_by`.execute(db);
  return rows;
}

/** One run; undefined when the team has no such run. */
export async function findRun(db: Database | Trx, { teamId, runId }: RunKey): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`select ${shown} from retention_runs r left join people p on p.id = r.started_by
    where r.team_id = ${teamId} and r.id = ${runId}`.execute(db);
  return rows[0];
}
