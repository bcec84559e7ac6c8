import type { ChannelJoin } from '@steward/contract/channels/defaults';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';

/** A run that adds a team's members to its default channels. */
export interface JoinKey {
  teamId: string;
  joinId: string;
}

/** The running one, or else the last one. */
export async function findLastJoin(db: Database, teamId: string): Promise<ChannelJoin | null> {
  const { rows } = await sql<ChannelJoin>`select id, case when ended_at is null then 'running' else 'done' end as state,
      people_done, people_total, joined, ${toMilliseconds(sql.ref('started_at'))} as started_at,
      ${toMilliseconds(sql.ref('ended_at'))} as ended_at
    from channel_joins where team_id = ${teamId} order by ended_at is null desc, id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Starts one and replaces those that ended; undefined, without any change, while another runs. The caller has locked the team. */
export async function addJoin(
  trx: Trx,
  start: { teamId: string; startedBy: string; channelIds: readonly string[] },
): Promise<JoinKey | undefined> {
  const { teamId, startedBy, channelIds } = start;
  const running = await sql`select 1 from channel_joins where team_id = ${teamId} and ended_at is null`.execute(trx);
  if (running.rows.length > 0) return undefined;
  await sql`delete from channel_joins where team_id = ${teamId}`.execute(trx);
  const joinId = newId();
  await sql`insert into channel_joins (team_id, id, channel_ids, started_by, people_total)
    values (${teamId}, ${joinId}, ${channelIds}, ${startedBy}, 0)`.execute(trx);
  return { teamId, joinId };
}

/** Whether it is running and its members aren't counted yet. */
export async function needsTotal(db: Database, { teamId, joinId }: JoinKey): Promise<boolean> {
  const { rows } = await sql`select 1 from channel_joins
    where team_id = ${teamId} and id = ${joinId} and ended_at is null and people_total = 0`.execute(db);
  return rows.length > 0;
}

/** Stores the total number of members. */
export async function saveTotal(db: Database, { teamId, joinId }: JoinKey, people: number): Promise<void> {
  await sql`update channel_joins set people_total = greatest(${people}::int, people_done)
    where team_id = ${teamId} and id = ${joinId} and ended_at is null`.execute(db);
}

/** Locks a running one and returns its progress; undefined if it has ended or another worker holds it. */
export async function lockJoin(
  trx: Trx,
  { teamId, joinId }: JoinKey,
): Promise<{ channel_ids: string[]; reached: string } | undefined> {
  const { rows } = await sql<{ channel_ids: string[]; reached: string }>`select channel_ids, reached from channel_joins
    where team_id = ${teamId} and id = ${joinId} and ended_at is null for update skip locked`.execute(trx);
  return rows[0];
}

/** Adds the counts of a batch. */
export async function countBatch(
  trx: Trx,
  { teamId, joinId }: JoinKey,
  batch: { people: number; joined: number; reached: string },
): Promise<void> {
  await sql`update channel_joins set reached = ${batch.reached}, joined = joined + ${batch.joined},
      people_done = people_done + ${batch.people}, people_total = greatest(people_total, people_done + ${batch.people})
    where team_id = ${teamId} and id = ${joinId}`.execute(trx);
}

/** The result of a run. */
export interface FinishedJoin {
  channel_ids: string[];
  started_by: string | null;
  people_done: number;
  joined: number;
}

/** Ends one. */
export async function finishJoin(trx: Trx, { teamId, joinId }: JoinKey): Promise<FinishedJoin | undefined> {
  const { rows } = await sql<FinishedJoin>`update channel_joins set ended_at = now()
    where team_id = ${teamId} and id = ${joinId} and ended_at is null
    returning channel_ids, started_by, people_done, joined`.execute(trx);
  return rows[0];
}

/** Those that have been running for several minutes. */
export async function listStalledJoins(db: Database): Promise<JoinKey[]> {
  const { rows } = await sql<JoinKey>`select team_id as "teamId", id as "joinId" from channel_joins
    where ended_at is null and started_at < now() - interval '5 minutes' order by started_at limit 1000`.execute(db);
  return rows;
}
