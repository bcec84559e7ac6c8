import { RESTORED_HOLD_DAYS } from '@steward/contract/api/limits';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { millisecondsIn, toMilliseconds } from '#platform/database/milliseconds.ts';
import { isChannelSeenBy } from '#workspace/channels/channels.store.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';
import { getChannels, getPeople, type HoldScope } from './active-holds.rules.ts';

/** A hold as it is stored; times in milliseconds. */
export interface StoredHold extends HoldScope {
  id: string;
  name: string;
  reason: string;
  created_at: number;
  created_by: string;
  created_by_name: string;
  /** Names of the first three; '' of channels that the reader doesn't see. */
  user_names: string[];
  channel_names: string[];
  connected_user_names: string[];
  connected_channel_names: string[];
  run_id: string;
  release_at: number | null;
  /** A release has taken effect. */
  is_released: boolean;
}

export interface HoldKey {
  teamId: string;
  id: string;
}

const selectHolds = (teamId: string, readerId: string) => {
  const by = nameInTeam({ team: 'h.team_id', user: 'h.created_by', users: 'p' });
  const named = nameInTeam({ team: 'u.team_id', user: 'u.person_id', users: 'n' });
  return sql`select h.id, h.name, h.reason, h.settings, h.from_at as "from", h.to_at as "to",
      array(select u.person_id from hold_people u where u.team_id = h.team_id and u.hold_id = h.id order by 1) as user_ids,
      array(select coalesce((select f.name from former_members f where f.team_id = u.team_id and f.person_id = u.person_id
          and not exists (select 1 from memberships m where m.team_id = u.team_id and m.person_id = u.person_id)), ${named})
        from (select * from hold_people where team_id = h.team_id and hold_id = h.id order by person_id limit 3) u
        left join people n on n.id = u.person_id order by u.person_id) as user_names,
      array(select c.channel_id from hold_channels c where c.team_id = h.team_id and c.hold_id = h.id order by 1) as channel_ids,
      array(select case when ${isChannelSeenBy(readerId)} then c.display_name else '' end
        from (select * from hold_channels where team_id = h.team_id and hold_id = h.id order by channel_id limit 3) l
        join channels c on c.team_id = l.team_id and c.id = l.channel_id order by c.id) as channel_names,
      ${listConnected(
        'users',
        sql`select coalesce(max(coalesce(nullif(n.name, ''), n.username)), '') from connected_users n
        where n.server_id = l.server_id and n.id = l.user_id`,
      )},
      ${listConnected(
        'channels',
        sql`select coalesce(max(n.name) filter (where n.type = 'O'), '') from connected_channels n
        where n.server_id = l.server_id and n.id = l.channel_id`,
      )},
      ${millisecondsIn('h.created_at')} as created_at, coalesce(h.created_by, '') as created_by,
      case when h.created_by is null then '' else ${by} end as created_by_name, coalesce(h.run_id, '') as run_id,
      ${toMilliseconds(sql.ref('h.release_at'))} as release_at,
      coalesce(h.release_at <= clock_timestamp(), false) as is_released
    from holds h left join people p on p.id = h.created_by where h.team_id = ${teamId}`;
};

/** The ids of a list of users or channels of connected servers, and the names of the first three. */
function listConnected(list: 'users' | 'channels', name: RawBuilder<unknown>): RawBuilder<unknown> {
  const [table, one] = [sql.table(`hold_connected_${list}`), list === 'users' ? 'user' : 'channel'];
  const key = sql`server_id || '/' || ${sql.ref(`${one}_id`)}`;
  const ofHold = sql`where team_id = h.team_id and hold_id = h.id`;
  return sql`array(select ${key} from ${table} ${ofHold} order by 1) as ${sql.ref(`connected_${one}_ids`)},
    array(select (${name}) from (select * from ${table} ${ofHold} order by ${key} limit 3) l) as ${sql.ref(`connected_${one}_names`)}`;
}

/** The most holds that are listed. Those in effect come first and are fewer. */
const LISTED = 500;

/** Holds in effect come first, each group newest first. */
export async function listHolds(db: Database | Trx, teamId: string, readerId: string): Promise<StoredHold[]> {
  const { rows } = await sql<StoredHold>`${selectHolds(teamId, readerId)}
    order by is_released, h.id desc limit ${LISTED}`.execute(db);
  return rows;
}

export async function findHold(
  db: Database | Trx,
  { teamId, id }: HoldKey,
  readerId: string,
): Promise<StoredHold | undefined> {
  const { rows } = await sql<StoredHold>`${selectHolds(teamId, readerId)} and h.id = ${id}`.execute(db);
  return rows[0];
}

/**
 * Waits for all transactions that could delete content or change who is in a channel, and blocks new ones until this
 * one ends. From then on, the hold is stored: nothing that it covers is deleted, and no one has joined a direct channel
 * unnoticed.
 */
export async function lockForHolds(trx: Trx, teamId: string): Promise<void> {
  await sql`select 1 from teams where id = ${teamId} for update`.execute(trx);
  await sql`select 1 from retention_policies where team_id = ${teamId} order by kind for update`.execute(trx);
}

export async function countActiveHolds(trx: Trx, teamId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from holds
    where team_id = ${teamId} and (release_at is null or release_at > clock_timestamp())`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** A team knows its members and its former members. */
export async function findUnknownUsers(trx: Trx, teamId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select i.id from unnest(${[...ids]}::text[]) as i (id)
    where not exists (select 1 from memberships m where m.team_id = ${teamId} and m.person_id = i.id and m.email is null)
      and not exists (select 1 from former_members f where f.team_id = ${teamId} and f.person_id = i.id)`.execute(trx);
  return rows.map(({ id }) => id);
}

/** The team never had these channels; archived ones count as known. */
export async function findUnknownChannels(trx: Trx, teamId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select i.id from unnest(${[...ids]}::text[]) as i (id)
    where not exists (select 1 from channels c where c.team_id = ${teamId} and c.id = i.id)`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Users of a server whom the team never governed; the team of its direct messages governs all. */
export async function findUnknownConnectedUsers(trx: Trx, teamId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select i.id from unnest(${[...ids]}::text[]) as i (id) where not exists (
      select 1 from connected_teams t join connected_users u on u.server_id = t.server_id
      where t.team_id = ${teamId} and t.accepted_at is not null and t.server_id = split_part(i.id, '/', 1)
        and u.id = split_part(i.id, '/', 2)
        and (t.direct_messages or t.remote_id = any(u.team_ids || u.left_team_ids)))`.execute(trx);
  return rows.map(({ id }) => id);
}

export async function findUnknownConnectedChannels(
  trx: Trx,
  teamId: string,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select i.id from unnest(${[...ids]}::text[]) as i (id) where not exists (
      select 1 from connected_channels c where c.server_id = split_part(i.id, '/', 1) and c.id = split_part(i.id, '/', 2)
        and c.team_id = ${teamId})`.execute(trx);
  return rows.map(({ id }) => id);
}

export async function addHold(
  trx: Trx,
  { teamId, id, createdBy }: HoldKey & { createdBy: string | null },
  hold: HoldScope & { name: string; reason: string; run_id?: string },
): Promise<void> {
  await trx
    .insertInto('holds')
    .values({
      team_id: teamId,
      id,
      name: hold.name,
      reason: hold.reason,
      settings: [...hold.settings],
      from_at: hold.from,
      to_at: hold.to,
      has_people: getPeople(hold).length > 0,
      has_channels: getChannels(hold).length > 0,
      created_by: createdBy,
      run_id: hold.run_id ?? null,
    })
    .execute();
  await addToLists(trx, { teamId, id }, hold);
}

/** Writes a wider scope and cancels a release. A list that became empty covers everything. */
export async function widenHold(
  trx: Trx,
  { teamId, id }: HoldKey,
  hold: HoldScope & { name: string; reason: string },
): Promise<void> {
  const [has_people, has_channels] = [getPeople(hold).length > 0, getChannels(hold).length > 0];
  const { name, reason, settings, from: from_at, to: to_at } = hold;
  await trx
    .updateTable('holds')
    .set(({ eb }) => ({
      name,
      reason,
      settings: [...settings],
      from_at,
      to_at,
      has_people,
      has_channels,
      release_at: null,
      release_reason: '',
      released_by: null,
      version: eb('version', '+', 1),
    }))
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute();
  const emptied = [
    ...(has_people ? [] : (['hold_people', 'hold_direct_channels', 'hold_connected_users'] as const)),
    ...(has_channels ? [] : (['hold_channels', 'hold_connected_channels'] as const)),
  ];
  for (const table of emptied)
    await trx.deleteFrom(table).where('team_id', '=', teamId).where('hold_id', '=', id).execute();
  await addToLists(trx, { teamId, id }, hold);
}

async function addToLists(
  trx: Trx,
  { teamId, id }: HoldKey,
  { user_ids, channel_ids, connected_user_ids, connected_channel_ids }: HoldScope,
): Promise<void> {
  for (const [one, ids] of [
    ['user', connected_user_ids],
    ['channel', connected_channel_ids],
  ] as const)
    await sql`insert into ${sql.table(`hold_connected_${one}s`)} (team_id, hold_id, server_id, ${sql.ref(`${one}_id`)})
      select ${teamId}, ${id}, split_part(i.id, '/', 1), split_part(i.id, '/', 2)
      from unnest(${[...ids]}::text[]) as i (id) on conflict do nothing`.execute(trx);
  await sql`insert into hold_people (team_id, person_id, hold_id)
    select ${teamId}, i.id, ${id} from unnest(${[...user_ids]}::text[]) as i (id) on conflict do nothing`.execute(trx);
  await sql`insert into hold_channels (team_id, channel_id, hold_id)
    select ${teamId}, i.id, ${id} from unnest(${[...channel_ids]}::text[]) as i (id) on conflict do nothing`.execute(
    trx,
  );
  // Members of direct channels are recorded now, so that leaving a channel or the team ends nothing.
  await sql`insert into hold_direct_channels (team_id, channel_id, hold_id)
    select distinct j.team_id, j.channel_id, ${id} from channel_members j
    join channels c on c.team_id = j.team_id and c.id = j.channel_id and c.type = 'D'
    where j.team_id = ${teamId} and j.person_id = any(${[...user_ids]}) on conflict do nothing`.execute(trx);
}

export async function setRelease(
  trx: Trx,
  { teamId, id }: HoldKey,
  { delayMs, reason, releasedBy }: { delayMs: number; reason: string; releasedBy: string },
): Promise<void> {
  await sql`update holds set release_at = clock_timestamp() + make_interval(secs => ${delayMs / 1_000}),
      release_reason = ${reason}, released_by = ${releasedBy}, version = version + 1
    where team_id = ${teamId} and id = ${id}`.execute(trx);
}

const covering = (teamId: string, userId: string) => sql`from holds h
  where h.team_id = ${teamId} and h.run_id is null and (h.release_at is null or h.release_at > clock_timestamp())
    and (not h.has_people or exists (
      select 1 from hold_people p where p.team_id = h.team_id and p.hold_id = h.id and p.person_id = ${userId}))`;

/** The holds in effect that can cover content of a user: they name the user, or no user. */
export async function listHoldsOver(
  db: Database | Trx,
  teamId: string,
  userId: string,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`select h.id, h.name ${covering(teamId, userId)}
    order by h.id`.execute(db);
  return rows;
}

export async function isUserHeld(trx: Trx, teamId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`select 1 ${covering(teamId, userId)} limit 1`.execute(trx);
  return rows.length > 0;
}

/** Finds or adds the hold that keeps the restored content of a run for 30 days. Returns its id. */
export async function ensureRestoreHold(
  trx: Trx,
  { teamId, runId }: { teamId: string; runId: string },
  { id, name }: { id: string; name: string },
): Promise<string> {
  const known = await trx
    .selectFrom('holds')
    .select('id')
    .where('team_id', '=', teamId)
    .where('run_id', '=', runId)
    .executeTakeFirst();
  if (known) return known.id;
  // A batch that doesn't know the hold yet must end before the rows exist.
  await lockForHolds(trx, teamId);
  await sql`insert into holds (team_id, id, name, reason, has_people, has_channels, run_id, release_at)
    values (${teamId}, ${id}, ${name}, 'Keeps restored content for 30 days, so that the next run does not delete it again.',
      false, false, ${runId}, clock_timestamp() + make_interval(days => ${RESTORED_HOLD_DAYS}))`.execute(trx);
  return id;
}

export async function holdRestoredItems(
  trx: Trx,
  { teamId, id }: { teamId: string; id: string },
  itemIds: readonly string[],
): Promise<void> {
  await sql`insert into hold_items (team_id, hold_id, item_id)
    select ${teamId}, ${id}, i.id from unnest(${[...itemIds]}::text[]) as i (id) on conflict do nothing`.execute(trx);
}
