import { isId } from '@steward/contract/api/fields';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';
import type { Filter } from '../filters/filter.ts';
import { toGroupCondition } from '../users/user-filter.store.ts';

export interface GroupRow {
  id: string;
  display_name: string;
  external_id: string | null;
  version: number;
  /** In milliseconds. */
  created: number;
  modified: number;
}

const columns = [
  'id',
  'display_name',
  'external_id',
  'version',
  millisecondsIn('created_at').as('created'),
  millisecondsIn('updated_at').as('modified'),
] as const;

export async function findGroup(db: Database | Trx, teamId: string, id: string): Promise<GroupRow | undefined> {
  if (!isId(id)) return undefined;
  return db
    .selectFrom('scim_groups')
    .select(columns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Returns a page in order of id, and the total of matches. */
export async function listGroups(
  db: Database | Trx,
  teamId: string,
  { filter, offset, limit }: { filter: Filter | undefined; offset: number; limit: number },
): Promise<{ rows: GroupRow[]; total: number }> {
  const matches = filter === undefined ? sql<boolean>`true` : toGroupCondition(filter);
  const matching = () => db.selectFrom('scim_groups as g').where('g.team_id', '=', teamId).where(matches);
  const { total } = await matching()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  if (limit === 0 || offset >= total) return { rows: [], total };
  return { rows: await matching().select(columns).orderBy('g.id').offset(offset).limit(limit).execute(), total };
}

export interface GroupMember {
  group_id: string;
  user_id: string;
}

export async function listMembers(
  db: Database | Trx,
  teamId: string,
  groupIds: readonly string[],
): Promise<GroupMember[]> {
  return db
    .selectFrom('scim_group_members')
    .select(['group_id', 'user_id'])
    .where('team_id', '=', teamId)
    .where(sql<boolean>`group_id = any(${[...groupIds]})`)
    .orderBy('group_id')
    .orderBy('user_id')
    .execute();
}

export async function addGroup(
  trx: Trx,
  group: { teamId: string; displayName: string; externalId: string | null },
): Promise<string> {
  const id = newId();
  await trx
    .insertInto('scim_groups')
    .values({ team_id: group.teamId, id, display_name: group.displayName, external_id: group.externalId })
    .execute();
  return id;
}

/** Increments the version. */
export async function saveGroup(
  trx: Trx,
  group: { teamId: string; id: string; displayName: string; externalId: string | null },
): Promise<void> {
  await trx
    .updateTable('scim_groups')
    .set(({ eb }) => ({
      display_name: group.displayName,
      external_id: group.externalId,
      version: eb('version', '+', 1),
      updated_at: sql<Date>`now()`,
    }))
    .where('team_id', '=', group.teamId)
    .where('id', '=', group.id)
    .execute();
}

export async function removeGroup(trx: Trx, teamId: string, id: string): Promise<void> {
  await trx.deleteFrom('scim_groups').where('team_id', '=', teamId).where('id', '=', id).execute();
}

interface Members {
  teamId: string;
  groupId: string;
  userIds: readonly string[];
}

/** Returns the users who weren't in the group before. */
export async function addMembers(trx: Trx, { teamId, groupId, userIds }: Members): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`insert into scim_group_members (team_id, group_id, user_id)
    select ${teamId}, ${groupId}, id from (select distinct unnest(${[...userIds]}::text[]) as id) u order by id
    on conflict do nothing returning user_id`.execute(trx);
  return rows.map(({ user_id }) => user_id);
}

/** Returns the users who were in the group. */
export async function removeMembers(trx: Trx, { teamId, groupId, userIds }: Members): Promise<string[]> {
  const rows = await trx
    .deleteFrom('scim_group_members')
    .where('team_id', '=', teamId)
    .where('group_id', '=', groupId)
    .where(sql<boolean>`user_id = any(${[...userIds]})`)
    .returning('user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Removes everyone except these users. */
export async function removeOtherMembers(trx: Trx, { teamId, groupId, userIds }: Members): Promise<string[]> {
  const rows = await trx
    .deleteFrom('scim_group_members')
    .where('team_id', '=', teamId)
    .where('group_id', '=', groupId)
    .where(sql<boolean>`user_id <> all(${[...userIds]})`)
    .returning('user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

export async function listMemberIds(trx: Trx, teamId: string, groupId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('scim_group_members')
    .select('user_id')
    .where('team_id', '=', teamId)
    .where('group_id', '=', groupId)
    .orderBy('user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Ids of the memberships of these users, in order; of invitations too. */
export async function listPersonIds(trx: Trx, teamId: string, userIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ person_id: string }>`select person_id from scim_users
    where team_id = ${teamId} and id = any(${[...userIds]}) and person_id is not null order by person_id`.execute(trx);
  return rows.map(({ person_id }) => person_id);
}

export interface GroupedUser {
  user_id: string;
  person_id: string;
  roles: string[];
  is_invited: boolean;
  groups: { display_name: string; external_id: string | null }[];
}

/** Omits users without a membership. */
export async function listGroupedUsers(trx: Trx, teamId: string, userIds: readonly string[]): Promise<GroupedUser[]> {
  const { rows } =
    await sql<GroupedUser>`select s.id as user_id, m.person_id, m.roles, m.email is not null as is_invited,
      (select coalesce(json_agg(json_build_object('display_name', g.display_name, 'external_id', g.external_id)), '[]')
        from scim_group_members b join scim_groups g on g.team_id = b.team_id and g.id = b.group_id
        where b.team_id = s.team_id and b.user_id = s.id) as groups
    from scim_users s join memberships m on m.team_id = s.team_id and m.person_id = s.person_id
    where s.team_id = ${teamId} and s.id = any(${[...userIds]}) order by m.person_id`.execute(trx);
  return rows;
}
