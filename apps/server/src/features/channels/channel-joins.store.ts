import type { ChannelJoin } from '@steward/contract/channels/defaults';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';
import { canJoin } from '#workspace/channels/channels.store.ts';

/** A run adds members to the default channels of the team, or to the channels of groups, from which it also removes members. */
export type JoinSource = 'defaults' | 'groups';

/** A run over the members of a team. */
export interface JoinKey {
  teamId: string;
  joinId: string;
}

const isRunning = ({ teamId, joinId }: JoinKey) =>
  sql<boolean>`team_id = ${teamId} and id = ${joinId} and ended_at is null`;

/** Returns the running one, otherwise the last one. */
export async function findLastJoin(
  db: Database,
  teamId: string,
  source: JoinSource,
): Promise<(ChannelJoin & { removed: number }) | null> {
  const { rows } = await sql<
    ChannelJoin & { removed: number }
  >`select id, case when ended_at is null then 'running' else 'done' end as state,
      people_done, people_total, joined, removed, ${toMilliseconds(sql.ref('started_at'))} as started_at,
      ${toMilliseconds(sql.ref('ended_at'))} as ended_at
    from channel_joins where team_id = ${teamId} and source = ${source} order by ended_at is null desc, id desc limit 1`.execute(
    db,
  );
  return rows[0] ?? null;
}

/**
 * Starts a run and replaces those that ended; undefined, without any change, while another one is running. The caller has
 * locked the team.
 */
export async function addJoin(
  trx: Trx,
  start: { teamId: string; startedBy: string; channelIds: readonly string[] },
): Promise<JoinKey | undefined> {
  const { teamId, startedBy, channelIds } = start;
  const running = await trx
    .selectFrom('channel_joins')
    .select('id')
    .where('team_id', '=', teamId)
    .where('source', '=', 'defaults')
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (running) return undefined;
  await trx.deleteFrom('channel_joins').where('team_id', '=', teamId).where('source', '=', 'defaults').execute();
  const joinId = newId();
  await trx
    .insertInto('channel_joins')
    .values({ team_id: teamId, id: joinId, channel_ids: [...channelIds], started_by: startedBy, people_total: 0 })
    .execute();
  return { teamId, joinId };
}

/** Starts a run for the channels of groups. One that is running begins again. The caller has locked the team. */
export async function startOrRestartJoin(
  trx: Trx,
  { teamId, startedBy }: { teamId: string; startedBy: string },
): Promise<string> {
  const restarted = await trx
    .updateTable('channel_joins')
    .set({ reached: '', people_done: 0 })
    .where('team_id', '=', teamId)
    .where('source', '=', 'groups')
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (restarted) return restarted.id;
  await trx.deleteFrom('channel_joins').where('team_id', '=', teamId).where('source', '=', 'groups').execute();
  const id = newId();
  const run = { team_id: teamId, id, channel_ids: [], started_by: startedBy, people_total: 0 };
  await trx
    .insertInto('channel_joins')
    .values({ ...run, source: 'groups' })
    .execute();
  return id;
}

/** A run needs its total while its members aren't counted yet. */
export async function needsTotal(db: Database, key: JoinKey): Promise<boolean> {
  const row = await db
    .selectFrom('channel_joins')
    .select('id')
    .where(isRunning(key))
    .where('people_total', '=', 0)
    .executeTakeFirst();
  return row !== undefined;
}

export async function saveTotal(db: Database, key: JoinKey, members: number): Promise<void> {
  await db
    .updateTable('channel_joins')
    .set({ people_total: sql<number>`greatest(${members}::int, people_done)` })
    .where(isRunning(key))
    .execute();
}

/** Locks a running one and returns its progress; undefined if it has ended or another worker has locked it. */
export async function lockJoin(
  trx: Trx,
  key: JoinKey,
): Promise<{ channel_ids: string[]; reached: string; source: JoinSource } | undefined> {
  return trx
    .selectFrom('channel_joins')
    .select(['channel_ids', 'reached', 'source'])
    .where(isRunning(key))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

export async function countBatch(
  trx: Trx,
  { teamId, joinId }: JoinKey,
  batch: { members: number; joined: number; removed?: number; reached: string },
): Promise<void> {
  await trx
    .updateTable('channel_joins')
    .set(({ eb }) => ({
      reached: batch.reached,
      joined: eb('joined', '+', batch.joined),
      removed: eb('removed', '+', batch.removed ?? 0),
      people_done: eb('people_done', '+', batch.members),
      people_total: sql<number>`greatest(people_total, people_done + ${batch.members})`,
    }))
    .where('team_id', '=', teamId)
    .where('id', '=', joinId)
    .execute();
}

interface FinishedJoin {
  channel_ids: string[];
  started_by: string | null;
  people_done: number;
  joined: number;
  removed: number;
  source: JoinSource;
}

export async function finishJoin(trx: Trx, key: JoinKey): Promise<FinishedJoin | undefined> {
  return trx
    .updateTable('channel_joins')
    .set({ ended_at: sql<Date>`now()` })
    .where(isRunning(key))
    .returning(['channel_ids', 'started_by', 'people_done', 'joined', 'removed', 'source'])
    .executeTakeFirst();
}

/** A run is stalled after several minutes. */
export async function listStalledJoins(db: Database): Promise<{ team_id: string; join_id: string }[]> {
  return db
    .selectFrom('channel_joins')
    .select(['team_id', 'id as join_id'])
    .where('ended_at', 'is', null)
    .where('started_at', '<', sql<Date>`now() - interval '5 minutes'`)
    .orderBy('started_at')
    .limit(1000)
    .execute();
}

/** Counts of the members that some channels would get. */
interface JoinCounts {
  members: number;
  /** Number of them who are in all of these channels already. */
  inAll: number;
  /** Number of them by channel id, without channels that have none. */
  inEach: Record<string, number>;
}

export async function countMembers(db: Database, teamId: string): Promise<number> {
  const { rows } = await sql<{ members: number }>`select count(*)::int as members
    from memberships m where m.team_id = ${teamId} and ${canJoin}`.execute(db);
  return rows[0]?.members ?? 0;
}

/** Counts members of the channels: reads the team once, and only the members of the channels. */
export async function countJoiners(db: Database, teamId: string, channelIds: readonly string[]): Promise<JoinCounts> {
  const { rows } = await sql<{ members: number; in_all: number; in_each: Record<string, number> }>`
    with who as materialized (
      select m.person_id from memberships m
      where m.team_id = ${teamId} and ${canJoin}
    ), joined as materialized (
      select j.channel_id, j.person_id from channel_members j join who on who.person_id = j.person_id
      where j.team_id = ${teamId} and j.channel_id = any(${channelIds})
    )
    select (select count(*)::int from who) as members,
      (select count(*)::int from (select 1 from joined group by person_id having count(*) = ${channelIds.length}) complete)
        as in_all,
      (select coalesce(jsonb_object_agg(channel_id, members), '{}')
        from (select channel_id, count(*) as members from joined group by channel_id) of_channel) as in_each`.execute(
    db,
  );
  const { members = 0, in_all = 0, in_each = {} } = rows[0] ?? {};
  return { members, inAll: in_all, inEach: in_each };
}
