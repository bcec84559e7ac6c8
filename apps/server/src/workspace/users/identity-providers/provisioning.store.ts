import { SCIM_LOG_DAYS } from '@steward/contract/api/limits';
import type { ScimLogEntry } from '@steward/contract/scim';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';
import { isIntegrationMember } from '../managers.store.ts';

export interface ProvisionedEmail {
  value: string;
  type?: string;
  primary?: boolean;
  display?: string;
}

export interface ProvisionedUser {
  teamId: string;
  id: string;
  /** The membership; null for someone inactive who has none. */
  userId: string | null;
  userName: string | null;
  externalId: string | null;
  givenName: string | null;
  familyName: string | null;
  displayName: string | null;
  emails: readonly ProvisionedEmail[] | null;
  /** Values of the emails in lowercase, the primary one first. */
  addresses: readonly string[];
}

/** Fails if another user of the team has the user name. */
export async function saveProvisionedUser(trx: Trx, user: ProvisionedUser): Promise<void> {
  const values = {
    person_id: user.userId,
    user_name: user.userName,
    external_id: user.externalId,
    given_name: user.givenName,
    family_name: user.familyName,
    display_name: user.displayName,
    emails: user.emails === null ? null : JSON.stringify(user.emails),
    addresses: sql<string[]>`${[...user.addresses]}`,
    updated_at: sql<Date>`now()`,
  };
  await trx
    .insertInto('scim_users')
    .values({ team_id: user.teamId, id: user.id, ...values })
    .onConflict((conflict) => conflict.columns(['team_id', 'id']).doUpdateSet(values))
    .execute();
}

/** Gives these members a row, so that their id lasts; those that have one keep it. */
export async function keepScimIds(trx: Trx, teamId: string, memberIds: readonly string[]): Promise<void> {
  await sql`insert into scim_users (team_id, id, person_id)
    select m.team_id, m.person_id, m.person_id from memberships m
    where m.team_id = ${teamId} and m.person_id = any(${memberIds}) and not ${isIntegrationMember}
      and not exists (select 1 from scim_users s where s.team_id = m.team_id and s.person_id = m.person_id)
    order by m.person_id on conflict do nothing`.execute(trx);
}

/** Records the deactivation that the identity provider caused; null once it is lifted. */
export async function saveSuspendedAt(
  trx: Trx,
  { teamId, id, suspendedAt }: { teamId: string; id: string; suspendedAt: number | null },
): Promise<void> {
  await trx
    .updateTable('scim_users')
    .set({ suspended_at: suspendedAt, updated_at: sql<Date>`now()` })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute();
}

/** Separates a user from their membership, so that removing the membership leaves the user. */
export async function detachMembership(trx: Trx, teamId: string, id: string): Promise<void> {
  await trx
    .updateTable('scim_users')
    .set({ person_id: null, suspended_at: null })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute();
}

/** Removes a user without a membership; the others are removed with theirs. */
export async function removeProvisionedUser(trx: Trx, teamId: string, id: string): Promise<void> {
  await trx.deleteFrom('scim_users').where('team_id', '=', teamId).where('id', '=', id).execute();
}

/** Erases the data of a user, also that of an earlier membership. */
export async function eraseProvisionedUsers(
  trx: Trx,
  { teamId, userId, address }: { teamId: string; userId: string; address: string },
): Promise<void> {
  await trx
    .deleteFrom('scim_users')
    .where('team_id', '=', teamId)
    .where(
      sql<boolean>`(person_id = ${userId} or addresses @> array[${address}]::text[] or lower(user_name) = ${address})`,
    )
    .execute();
}

export async function countProvisioned(db: Database, teamId: string): Promise<{ users: number; groups: number }> {
  const { rows } = await sql<{ users: number; groups: number }>`select
    (select count(*)::int from scim_users where team_id = ${teamId} and user_name is not null) as users,
    (select count(*)::int from scim_groups where team_id = ${teamId}) as groups`.execute(db);
  return rows[0] ?? { users: 0, groups: 0 };
}

/**
 * True if the roles of a member follow provisioned groups instead of the groups of a sign-in: the identity provider
 * manages the member, and has one of the groups that give roles, by its name or the provider's id.
 */
export async function hasProvisionedRoles(
  db: Database | Trx,
  { teamId, userId, groups }: { teamId: string; userId: string; groups: readonly string[] },
): Promise<boolean> {
  const { rows } = await sql`select 1 from scim_users s
    where s.team_id = ${teamId} and s.person_id = ${userId} and s.user_name is not null and exists (
      select 1 from scim_groups g where g.team_id = s.team_id
        and (g.display_name = any(${[...groups]}) or g.external_id = any(${[...groups]})))`.execute(db);
  return rows.length > 0;
}

/** The names of provisioned groups that a sign-in names by the provider's id, as Microsoft Entra ID does. */
export async function listGroupNames(
  db: Database | Trx,
  teamId: string,
  externalIds: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('scim_groups')
    .select('display_name')
    .where('team_id', '=', teamId)
    .where(sql<boolean>`external_id = any(${[...externalIds]})`)
    .execute();
  return rows.map(({ display_name }) => display_name);
}

export interface LoggedCall extends Omit<ScimLogEntry, 'id' | 'at'> {
  teamId: string;
}

export async function addLoggedCall(db: Database | Trx, { teamId, ...call }: LoggedCall): Promise<void> {
  await db
    .insertInto('scim_log')
    .values({ team_id: teamId, id: newId(), ...call })
    .execute();
}

/** The newest first. */
export async function listLoggedCalls(
  db: Database,
  teamId: string,
  { before, failed, limit }: { before: string | undefined; failed: boolean; limit: number },
): Promise<ScimLogEntry[]> {
  let query = db
    .selectFrom('scim_log')
    .select(['id', 'method', 'path', 'request', 'status', 'effect', 'request_id'])
    .select(millisecondsIn('at').as('at'))
    .where('team_id', '=', teamId)
    .orderBy('id', 'desc')
    .limit(limit);
  if (before !== undefined) query = query.where('id', '<', before);
  if (failed) query = query.where('status', '>=', 400);
  return query.execute();
}

/** Changes and refusals of the last day, and the time of the last refusal; in milliseconds, 0 for never. */
export async function countLoggedCalls(
  db: Database,
  teamId: string,
): Promise<{ changes: number; failures: number; last_failure_at: number }> {
  const { rows } = await sql<{ changes: number; failures: number; last_failure_at: number }>`
    select count(*) filter (where status < 400 and at > now() - interval '1 day')::int as changes,
      count(*) filter (where status >= 400 and at > now() - interval '1 day')::int as failures,
      coalesce((extract(epoch from max(at) filter (where status >= 400)) * 1000)::bigint, 0) as last_failure_at
    from scim_log where team_id = ${teamId}`.execute(db);
  return rows[0] ?? { changes: 0, failures: 0, last_failure_at: 0 };
}

/** Removes up to `limit` old calls, and returns true if there may be more. */
export async function removeOldLoggedCalls(db: Database, limit: number): Promise<boolean> {
  const { rows } = await sql`delete from scim_log where (team_id, id) in (
    select team_id, id from scim_log where at < now() - make_interval(days => ${SCIM_LOG_DAYS}) limit ${limit}
  ) returning 1`.execute(db);
  return rows.length === limit;
}

/** Removes the calls of a team that mention an address or a name: they are copies of a user's data. */
export async function eraseLoggedCalls(trx: Trx, teamId: string, texts: readonly string[]): Promise<void> {
  await sql`delete from scim_log l where team_id = ${teamId} and exists (
    select 1 from unnest(${[...texts]}::text[]) as wanted (part)
    where strpos(lower(l.request || ' ' || l.path || ' ' || l.effect), part) > 0)`.execute(trx);
}
