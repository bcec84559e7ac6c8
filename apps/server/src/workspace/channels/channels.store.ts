import type { ChannelType } from '@steward/contract/channels';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { isActive } from '#workspace/users/active-members.store.ts';
import { isIntegrationMember } from '#workspace/users/managers.store.ts';
import { type ChannelRights, GENERAL, type OfferedChannel } from './channels.rules.ts';

export interface ChannelRow {
  id: string;
  team_id: string;
  type: ChannelType;
  name: string;
  display_name: string;
  header: string;
  purpose: string;
  creator_id: string;
  create_at: number;
  update_at: number;
  delete_at: number;
  last_post_at: number;
}

export interface ChannelSeen extends ChannelRights {
  channel: ChannelRow;
}

/** One query reads channel, team, membership and compliance access. */
export async function findChannel(
  db: Database | Trx,
  channelId: string,
  userId: string,
): Promise<ChannelSeen | undefined> {
  const { rows } = await sql<ChannelRow & Omit<ChannelSeen, 'channel'>>`
    select c.id, c.team_id, c.type, c.name, c.display_name, c.header, c.purpose, c.creator_id, c.create_at, c.update_at,
      c.delete_at, c.last_post_at, m.roles, j.person_id is not null as has_joined,
      exists (select 1 from compliance_access a where a.team_id = c.team_id and a.channel_id = c.id
        and a.person_id = ${userId} and ${isInEffect}) as has_compliance_access
    from channels c
    left join memberships m on m.team_id = c.team_id and m.person_id = ${userId} and ${isActive()}
    left join channel_members j on j.team_id = c.team_id and j.channel_id = c.id and j.person_id = ${userId}
    where c.id = ${channelId}`.execute(db);
  if (!rows[0]) return undefined;
  const { roles, has_joined, has_compliance_access, ...channel } = rows[0];
  return { channel, roles, has_joined, has_compliance_access };
}

/** Locks the memberships of the user in the channel and its team, so that neither ends before the commit. */
export async function lockChannelMember(trx: Trx, channelId: string, userId: string): Promise<void> {
  await sql`select 1 from channels c join memberships m on m.team_id = c.team_id and m.person_id = ${userId}
    where c.id = ${channelId} for share of m`.execute(trx);
  await sql`select 1 from channels c
    join channel_members j on j.team_id = c.team_id and j.channel_id = c.id and j.person_id = ${userId}
    where c.id = ${channelId} for share of j`.execute(trx);
}

/** Undefined if they aren't a member or were deactivated. */
export async function findChannelMember(
  db: Database,
  { team_id, id, name }: ChannelRow,
  userId: string,
): Promise<{ since: number } | undefined> {
  const { rows } = await sql<{ since: number }>`select coalesce(j.create_at, m.create_at) as since
    from memberships m
    left join channel_members j on j.team_id = m.team_id and j.channel_id = ${id} and j.person_id = m.person_id
    where m.team_id = ${team_id} and m.person_id = ${userId} and ${isActive()} and m.email is null
      and not ${isIntegrationMember} and (j.person_id is not null or ${name === GENERAL})`.execute(db);
  return rows[0];
}

export async function addGeneral(trx: Trx, teamId: string, now: number): Promise<void> {
  const names = { name: GENERAL, display_name: 'General', header: '', purpose: '', creator_id: '' };
  const times = { create_at: now, update_at: now, delete_at: 0, last_post_at: 0 };
  await trx
    .insertInto('channels')
    .values({ team_id: teamId, id: newId(now), type: 'O', ...names, ...times })
    .execute();
}

/**
 * Adds a member to the open default channels of a team; general needs no row. Existing memberships stay as they are.
 * The caller has locked the team (`lockTeamShared`): a concurrent save that adds current members either finds this one, or is seen
 * here.
 */
export async function joinDefaultChannels(trx: Trx, userId: string, teamId: string): Promise<void> {
  await sql`insert into channel_members (team_id, channel_id, person_id, create_at, reason)
    select c.team_id, c.id, m.person_id, ${Date.now()}, 'default'
    from memberships m
    join default_channels d on d.team_id = m.team_id
    join channels c on c.team_id = d.team_id and c.id = d.channel_id
    where m.team_id = ${teamId} and m.person_id = ${userId} and m.email is null and not ${isIntegrationMember}
      and c.delete_at = 0 and c.type in ('O', 'P') and c.name <> ${GENERAL}
    order by c.id on conflict do nothing`.execute(trx);
}

/** Active members, except those of integrations, can be added to channels. Needs `memberships m`. */
export const canJoin = sql`${isActive()} and m.email is null and not ${isIntegrationMember}`;

export interface JoinBatch {
  /** Members read: fewer than the limit in the last batch. */
  looked: number;
  members: number;
  joined: number;
  reached: string;
}

/** Adds the next members of a team, in the order of their ids, to all of these channels. */
export async function joinNextUsers(
  trx: Trx,
  teamId: string,
  { channels, after, limit }: { channels: readonly string[]; after: string; limit: number },
): Promise<JoinBatch> {
  const { rows } = await sql<JoinBatch>`
    with looked as materialized (
      select team_id, person_id, roles, deactivated, ends_at, email from memberships
      where team_id = ${teamId} and person_id > ${after} order by person_id limit ${limit}
    ), who as materialized (
      select m.person_id from looked m where ${canJoin}
    ), kept as (
      update channel_members j set reason = 'default' from who
      where j.team_id = ${teamId} and j.channel_id = any(${channels}) and j.person_id = who.person_id and j.reason = 'group'
    ), joined as (
      insert into channel_members (team_id, channel_id, person_id, create_at, reason)
      select ${teamId}, c.id, who.person_id, ${Date.now()}::bigint, 'default'
      from unnest(${channels}::text[]) c (id) cross join who
      order by c.id collate "C", who.person_id on conflict do nothing returning 1
    )
    select (select count(*)::int from looked) as looked, (select count(*)::int from who) as members,
      (select count(*)::int from joined) as joined,
      (select coalesce(max(person_id), ${after}) from looked) as reached`.execute(trx);
  return rows[0] ?? { looked: 0, members: 0, joined: 0, reached: after };
}

export interface GroupJoins {
  channel_id: string;
  type: ChannelType;
  user_ids: string[];
}

/**
 * The channels that groups give to users, as `mapped`. Each step is materialized, because the plan for a team that has just been
 * provisioned, of which PostgreSQL has no statistics yet, would read all its members for each of them.
 */
const mapped = (teamId: string, userIds: readonly string[]) => sql`
  theirs as materialized (
    select id, person_id from scim_users where team_id = ${teamId} and person_id = any(${[...userIds]})
  ), grouped as materialized (
    select group_id, user_id from scim_group_members
    where team_id = ${teamId} and user_id = any(array(select id from theirs))
  ), mapped as materialized (
    select distinct g.channel_id, t.person_id from grouped b
    join theirs t on t.id = b.user_id
    join group_channels g on g.team_id = ${teamId} and g.group_id = b.group_id
  )`;

/**
 * Adds users to the open channels of their groups, and removes them from those in which only a group had put them. Users in no
 * group are removed even if they are deactivated. Channels and users are locked in the order of their ids.
 */
export async function applyGroups(
  trx: Trx,
  teamId: string,
  userIds: readonly string[],
): Promise<{ joins: GroupJoins[]; removed: number }> {
  const { rows: gone } = await sql`with ${mapped(teamId, userIds)}, gone as (
      select j.channel_id, j.person_id from channel_members j
      where j.team_id = ${teamId} and j.person_id = any(${[...userIds]}) and j.reason = 'group'
        and not exists (select 1 from mapped m where m.channel_id = j.channel_id and m.person_id = j.person_id)
      order by j.channel_id, j.person_id for update)
    delete from channel_members j using gone
    where j.team_id = ${teamId} and j.channel_id = gone.channel_id and j.person_id = gone.person_id returning 1`.execute(
    trx,
  );
  const { rows: joins } = await sql<GroupJoins>`with ${mapped(teamId, userIds)}, who as materialized (
      select m.person_id from memberships m
      where m.team_id = ${teamId} and m.person_id = any(${[...userIds]}) and ${canJoin}
    ), joined as (
      insert into channel_members (team_id, channel_id, person_id, create_at, reason)
      select ${teamId}, channel_id, person_id, ${Date.now()}::bigint, 'group' from mapped
      where person_id in (select person_id from who)
        and channel_id in (select id from channels where team_id = ${teamId} and delete_at = 0)
      order by channel_id, person_id on conflict do nothing returning channel_id, person_id
    )
    select c.id as channel_id, c.type, array_agg(j.person_id order by j.person_id) as user_ids
    from joined j join channels c on c.team_id = ${teamId} and c.id = j.channel_id group by c.id, c.type order by c.id`.execute(
    trx,
  );
  return { joins, removed: gone.length };
}

/** The next members of a team, in the order of their ids: those whose groups a run applies. */
export async function listNextMembers(
  trx: Trx,
  teamId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await trx
    .selectFrom('memberships')
    .select('person_id')
    .where('team_id', '=', teamId)
    .where('person_id', '>', after)
    .orderBy('person_id')
    .limit(limit)
    .execute();
  return rows.map(({ person_id }) => person_id);
}

export async function leaveChannels(trx: Trx, teamId: string, userId: string | readonly string[]): Promise<void> {
  await trx
    .deleteFrom('channel_members')
    .where('team_id', '=', teamId)
    .where(sql<boolean>`person_id = any(${[userId].flat()})`)
    .execute();
}

/** Records a new post in the channel; false, without any change, if it is archived. */
export async function recordPost(
  trx: Trx,
  { team_id, id }: Pick<ChannelRow, 'team_id' | 'id'>,
  at: number,
): Promise<boolean> {
  const { rows } = await sql`update channels set last_post_at = greatest(last_post_at, ${at})
    where team_id = ${team_id} and id = ${id} and delete_at = 0 returning 1`.execute(trx);
  return rows.length === 1;
}

/** A channel with all its fields, as `fill` and the demo workspace add it. */
export interface ChannelInsert {
  id: string;
  type: ChannelType;
  name: string;
  display_name: string;
  purpose: string;
  create_at: number;
  /** 0, or the time when it was archived. */
  delete_at: number;
  members: readonly string[];
}

/** Adds channels with their members; existing ones stay as they are. Returns the number added. */
export async function bulkInsertChannels(
  trx: Trx,
  teamId: string,
  channels: readonly ChannelInsert[],
): Promise<number> {
  const all = <Key extends keyof ChannelInsert>(key: Key) => channels.map((channel) => channel[key]);
  const joins = channels.flatMap(({ id, members }) => members.map((member) => ({ id, member })));
  const { rows } = await sql<{ added: number }>`
    with added as (
      insert into channels (team_id, id, type, name, display_name, purpose, creator_id, create_at, update_at, delete_at)
      select ${teamId}, id, type, name, display_name, purpose, creator_id, create_at, greatest(create_at, delete_at), delete_at
      from unnest(${all('id')}::text[], ${all('type')}::text[], ${all('name')}::text[], ${all('display_name')}::text[],
        ${all('purpose')}::text[], ${channels.map(({ members }) => members[0] ?? '')}::text[], ${all('create_at')}::bigint[],
        ${all('delete_at')}::bigint[]) as r (id, type, name, display_name, purpose, creator_id, create_at, delete_at)
      on conflict do nothing returning id, create_at
    ), joined as (
      insert into channel_members (team_id, channel_id, person_id, create_at)
      select ${teamId}, a.id, j.person_id, a.create_at
      from unnest(${joins.map(({ id }) => id)}::text[], ${joins.map(({ member }) => member)}::text[])
        as j (channel_id, person_id) join added a on a.id = j.channel_id
    )
    select count(*)::int as added from added`.execute(trx);
  return rows[0]?.added ?? 0;
}

/** Records imported messages: the time of the last one by channel id. Channels are locked in the order of their ids. */
export async function recordPosts(trx: Trx, teamId: string, last: ReadonlyMap<string, number>): Promise<void> {
  if (last.size === 0) return;
  await sql`with due as (
      select c.id, p.at from unnest(${[...last.keys()]}::text[], ${[...last.values()]}::bigint[]) as p (id, at)
      join channels c on c.team_id = ${teamId} and c.id = p.id and c.last_post_at < p.at order by c.id for update of c)
    update channels c set last_post_at = greatest(c.last_post_at, due.at) from due
    where c.team_id = ${teamId} and c.id = due.id`.execute(trx);
}

/** Types of those of these channels that belong to the team and are open. */
export async function findChannelTypes(
  db: Database,
  teamId: string,
  ids: readonly string[],
): Promise<Map<string, ChannelType>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('channels')
    .select(['id', 'type'])
    .where('team_id', '=', teamId)
    .where(sql<boolean>`id = any(${ids})`)
    .where('delete_at', '=', 0)
    .execute();
  return new Map(rows.map(({ id, type }) => [id, type]));
}

export async function findOfferedChannels(
  db: Database | Trx,
  { teamId, userId, ids }: { teamId: string; userId: string; ids: readonly string[] },
): Promise<OfferedChannel[]> {
  return db
    .selectFrom('channels as c')
    .leftJoin('channel_members as j', (join) =>
      join.onRef('j.team_id', '=', 'c.team_id').onRef('j.channel_id', '=', 'c.id').on('j.person_id', '=', userId),
    )
    .select(['c.id', 'c.type', 'c.name', 'c.display_name', 'c.delete_at'])
    .select(sql<boolean>`j.person_id is not null`.as('has_joined'))
    .where('c.team_id', '=', teamId)
    .where(sql<boolean>`c.id = any(${ids})`)
    .execute();
}

/** Needs `compliance_access a`; by the clock of the database. */
export const isInEffect = sql<boolean>`a.expires_at > now()`;

/**
 * A condition on the channel `c`: an admin sees the names of public channels; of private and direct ones as a member or
 * with compliance access; and of every default channel and channel of an integration, since those screens list it to
 * all admins.
 */
export function isChannelSeenBy(userId: string): RawBuilder<boolean> {
  return sql`(c.type = 'O'
    or exists (select 1 from default_channels d where d.team_id = c.team_id and d.channel_id = c.id)
    or exists (select 1 from integration_channels i where i.team_id = c.team_id and i.channel_id = c.id)
    or exists (select 1 from channel_members j
      where j.team_id = c.team_id and j.channel_id = c.id and j.person_id = ${userId})
    or exists (select 1 from compliance_access a
      where a.team_id = c.team_id and a.channel_id = c.id and a.person_id = ${userId} and ${isInEffect}))`;
}
