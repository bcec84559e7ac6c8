import { ORDER_ROWS_DAYS } from '@steward/contract/api/limits';
import type { ConnectedUser } from '@steward/contract/connections';
import type { Work } from '@steward/contract/connections/connector';
import type { WorkAction } from '@steward/contract/connections/fields';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { isActive } from '#workspace/users/active-members.store.ts';
import { isLinkEnded, isStillThere } from '#workspace/users/connected-links.store.ts';
import { memberState } from '#workspace/users/members.store.ts';
import type { StoredMapping } from '../mappings.store.ts';
import type { ConnectedAccount } from './connected-users.policy.ts';

/** Teams of the server that are mapped and accepted, and in whose teams here the user is an active admin or owner. */
export async function listAdministered(db: Database | Trx, serverId: string, userId: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select t.remote_id as id from connected_teams t
    join memberships m on m.team_id = t.team_id and m.person_id = ${userId} and m.email is null
    where t.server_id = ${serverId} and t.accepted_at is not null and ${isActive('m')}
      and m.roles && array['team_admin', 'team_owner']`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

export type StoredConnectedUser = ConnectedAccount & {
  id: string;
  username: string;
  name: string;
  email: string;
  roles: string[];
  /** Left the team, and is known because messages stay. */
  is_former: boolean;
  account: ConnectedUser['account'];
  last_work: { action: WorkAction; remote: 'waiting' | 'done' | 'refused'; detail: string; asked_at: number } | null;
};

/** Part of the statement below: the account or invitation that is linked. */
const account = sql`case
  when m.person_id is not null then jsonb_build_object('user_id', m.person_id, 'state', ${memberState},
    'email', coalesce(m.email, p.email), 'name', trim(concat_ws(' ', p.first_name, p.last_name)))
  when l.linked_at is not null then jsonb_build_object('user_id', '', 'state', 'left', 'email', '', 'name', '') end`;

/** Users of a team of the server by username, the next ones after `after`; or those with certain ids. */
export async function listConnectedUsers(
  db: Database | Trx,
  mapping: Pick<StoredMapping, 'server_id' | 'remote_id' | 'team_id'>,
  page: {
    ids?: readonly string[];
    search?: string;
    former?: boolean;
    /** Only those whose account lost its access here, and who are still active there. */
    ended?: boolean;
    after?: readonly string[] | undefined;
    limit: number;
  },
): Promise<StoredConnectedUser[]> {
  const { ids, search = '', former = false, ended = false, after, limit } = page;
  const { server_id: serverId, remote_id: remoteTeamId, team_id: teamId } = mapping;
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const { rows } =
    await sql<StoredConnectedUser>`select u.id, u.username, u.name, u.email, u.roles, u.team_ids, u.is_bot,
      u.owns_bots, u.is_protected, u.deactivated_at, not ${remoteTeamId} = any(u.team_ids) as is_former, ${account} as account, (
        select jsonb_build_object('action', w.action, 'detail', w.detail,
          'remote', case when w.outcome = '' then 'waiting' else w.outcome end,
          'asked_at', (extract(epoch from w.asked_at) * 1000)::bigint)
        from connected_work w where w.server_id = u.server_id and w.user_id = u.id
          and w.remote_team_id = ${remoteTeamId} order by w.id desc limit 1) as last_work
    from connected_users u
    left join connected_links l on l.server_id = u.server_id and l.team_id = ${teamId} and l.user_id = u.id
    left join memberships m on m.team_id = l.team_id and m.person_id = l.person_id
    left join people p on p.id = m.person_id and m.email is null
    where u.server_id = ${serverId}
      and ${remoteTeamId} = any(${former ? sql`u.team_ids || u.left_team_ids` : sql`u.team_ids`})
      ${
        ended
          ? sql`and exists (select from connected_teams t join connected_servers s on s.id = t.server_id
        where t.server_id = u.server_id and t.team_id = l.team_id and ${isLinkEnded} and ${isStillThere})`
          : sql``
      }
      ${ids === undefined ? sql`` : sql`and u.id = any(${[...ids]})`}
      ${search === '' ? sql`` : sql`and (u.username ilike ${pattern} or u.name ilike ${pattern} or u.email ilike ${pattern})`}
      ${after === undefined ? sql`` : sql`and (u.username collate "C", u.id) > (${after[0] ?? ''}, ${after[1] ?? ''})`}
    order by u.username collate "C", u.id limit ${limit}`.execute(db);
  return rows;
}

export interface NewWork {
  id: string;
  server_id: string;
  team_id: string;
  remote_team_id: string;
  user_id: string;
  action: WorkAction;
  channel_ids: string[];
  /** Null for a job that passes on the end of a member's access. */
  asked_by: string | null;
}

export async function addWork(trx: Trx, work: readonly NewWork[]): Promise<void> {
  if (work.length > 0)
    await trx
      .insertInto('connected_work')
      .values([...work])
      .execute();
}

/** Work of that job counts only while the access of the linked account is over. */
const isStillWanted = sql<boolean>`(w.asked_by is not null or exists (select from connected_links l
  left join memberships m on m.team_id = l.team_id and m.person_id = l.person_id
  where l.server_id = w.server_id and l.team_id = w.team_id and l.user_id = w.user_id and ${isLinkEnded}))`;

/** Ends automatic work whose reason is gone before a bridge took it. */
export async function withdrawWork(trx: Trx, detail: string): Promise<WithdrawnWork[]> {
  const { rows } = await sql<WithdrawnWork>`update connected_work w
    set outcome = 'refused', done_at = clock_timestamp(), detail = ${detail}
    where w.outcome = '' and not ${isStillWanted} returning w.server_id, w.team_id, w.user_id, w.action`.execute(trx);
  return rows;
}

interface WithdrawnWork {
  server_id: string;
  team_id: string;
  user_id: string;
  action: string;
}

/** Work of accepted mappings that has no outcome yet, the oldest first. */
export function listOpenWork(db: Database | Trx, serverId: string): Promise<Work[]> {
  return db
    .selectFrom('connected_work as w')
    .innerJoin('connected_teams as t', (join) =>
      join.onRef('t.server_id', '=', 'w.server_id').onRef('t.team_id', '=', 'w.team_id'),
    )
    .where('w.server_id', '=', serverId)
    .where('w.outcome', '=', '')
    .where('t.accepted_at', 'is not', null)
    .where(isStillWanted)
    .select(['w.id', 'w.user_id', 'w.remote_team_id as team_id', 'w.channel_ids'])
    .select(sql<WorkAction>`w.action`.as('action'))
    .orderBy('w.id')
    .limit(50)
    .execute();
}

interface EndedWork {
  team_id: string;
  user_id: string;
  action: string;
  outcome: string;
  detail: string;
}

export function lockWork(trx: Trx, serverId: string, id: string): Promise<EndedWork | undefined> {
  return trx
    .selectFrom('connected_work')
    .select(['team_id', 'user_id', 'action', 'outcome', 'detail'])
    .where('server_id', '=', serverId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function saveWorkOutcome(
  trx: Trx,
  { serverId, id }: { serverId: string; id: string },
  { outcome, detail }: { outcome: 'done' | 'refused'; detail: string },
): Promise<void> {
  await trx
    .updateTable('connected_work')
    .set({ outcome, detail, done_at: sql<Date>`clock_timestamp()` })
    .where('server_id', '=', serverId)
    .where('id', '=', id)
    .execute();
}

/** Work that nobody takes for a month is not done later: the reason for it may be gone. */
export async function removeOldWork(db: Database): Promise<void> {
  await sql`delete from connected_work where asked_at < now() - make_interval(days => ${ORDER_ROWS_DAYS})`.execute(db);
}
