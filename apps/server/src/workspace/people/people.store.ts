import { Id } from '@steward/contract/api/fields';
import { type Profile, pickProfile, type User } from '@steward/contract/users';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';

/** A person as responses need them: a user of the contract, with the stored roles. */
export interface PersonRow extends Omit<User, 'roles' | 'account_type'> {
  roles: string[];
}

/** A person is online for five minutes after their last request, and away for half an hour. */
export const presenceStatus = sql<PersonRow['status']>`case
  when pr.manual then pr.status
  when pr.last_activity_at > extract(epoch from now()) * 1000 - 300000 then 'online'
  when pr.last_activity_at > extract(epoch from now()) * 1000 - 1800000 then 'away'
  else 'offline' end`;

/** Columns of a person for responses; needs `people p` and `presence pr`. */
export const personColumns = sql`p.id, p.first_name, p.last_name, p.email, ${presenceStatus} as status, p.type,
  p.last_picture_update, p.create_at, p.update_at, p.delete_at, p.apps`;

/** The person with the roles of all their teams. */
export async function findPerson(db: Database, personId: string): Promise<PersonRow | undefined> {
  const { rows } = await sql<PersonRow>`
    select ${personColumns}, array(select distinct unnest(m.roles) from memberships m where m.person_id = p.id) as roles
    from people p left join presence pr on pr.person_id = p.id where p.id = ${personId}`.execute(db);
  return rows[0];
}

/** A person seen from one team. */
export interface MemberRow extends Profile {
  id: string;
  email: string;
  type: number;
  delete_at: number;
  /** Null if the person doesn't belong to the team. */
  roles: string[] | null;
  /** Teams besides this one. */
  other_teams: number;
}

const memberColumns = ['p.id', 'p.email', 'p.first_name', 'p.last_name', 'p.type', 'p.delete_at', 'm.roles'] as const;

const countOtherTeams = (teamId: string) =>
  sql<number>`(select count(*)::int from memberships o where o.person_id = p.id and o.team_id <> ${teamId})`;

/** A member of the team, locked until the transaction ends; undefined for people of other teams. */
export async function findMember(trx: Trx, teamId: string, personId: string): Promise<MemberRow | undefined> {
  // An id from a path may hold characters that PostgreSQL can't even compare.
  if (!Id.safeParse(personId).success) return undefined;
  return trx
    .selectFrom('memberships as m')
    .innerJoin('people as p', 'p.id', 'm.person_id')
    .select([...memberColumns, countOtherTeams(teamId).as('other_teams')])
    .where('m.team_id', '=', teamId)
    .where('m.person_id', '=', personId)
    .forUpdate('p')
    .executeTakeFirst();
}

/** Owners of the team who can sign in, to email them. */
export async function listOwners(db: Database | Trx, teamId: string): Promise<{ id: string; email: string }[]> {
  // The first condition on the roles is the one of the partial index.
  const isOwner = sql<boolean>`m.roles && array['team_admin', 'team_owner', 'zendesk'] and 'team_owner' = any(m.roles)`;
  return db
    .selectFrom('memberships as m')
    .innerJoin('people as p', 'p.id', 'm.person_id')
    .select(['p.id', 'p.email'])
    .where('m.team_id', '=', teamId)
    .where(isOwner)
    .where('p.type', '=', 2)
    .where('p.delete_at', '=', 0)
    .orderBy('p.id')
    .execute();
}

/** Name of a person for texts: first and last name, or the email address without them. */
export async function findPersonName(db: Database | Trx, personId: string): Promise<string> {
  const row = await db
    .selectFrom('people')
    .select(sql<string>`coalesce(nullif(trim(first_name || ' ' || last_name), ''), email)`.as('name'))
    .where('id', '=', personId)
    .executeTakeFirst();
  return row?.name ?? '';
}

/** The person with this email address as seen from the team, locked until the transaction ends. */
export async function findByEmail(trx: Trx, teamId: string, email: string): Promise<MemberRow | undefined> {
  return trx
    .selectFrom('people as p')
    .leftJoin('memberships as m', (join) => join.onRef('m.person_id', '=', 'p.id').on('m.team_id', '=', teamId))
    .select([...memberColumns, countOtherTeams(teamId).as('other_teams')])
    .where('p.email', '=', email)
    .forUpdate('p')
    .executeTakeFirst();
}

/** Adds a pending invitee, or an account if a password is given; undefined if another request has taken the address. */
export async function addPerson(
  trx: Trx,
  person: Partial<Profile> & { email: string; password_hash: string | null },
): Promise<string | undefined> {
  const now = Date.now();
  const row = await trx
    .insertInto('people')
    .values({
      id: newId(now),
      email: person.email,
      ...normalize(pickProfile(person)),
      type: person.password_hash === null ? 1 : 2,
      password_hash: person.password_hash,
      apps: JSON.stringify({}),
      last_picture_update: now,
      create_at: now,
      update_at: now,
      delete_at: 0,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Sort key and search text of a person; the newline keeps a name and an address from matching as one word. */
export const derivedColumns = {
  nameKey: sql<string>`lower(coalesce(nullif(trim(concat_ws(' ', nullif(p.first_name, ''), nullif(p.last_name, ''))), ''), p.email))`,
  search: sql<string>`lower(concat_ws(' ', nullif(p.first_name, ''), nullif(p.last_name, '')) || E'\n' || p.email)`,
};

/** Membership of a person in a team. */
export interface Membership {
  teamId: string;
  personId: string;
  roles: readonly string[];
}

/** Adds a person to a team. */
export async function addMembership(trx: Trx, membership: Membership): Promise<void> {
  const { teamId, personId, roles } = membership;
  await sql`insert into memberships (team_id, person_id, roles, name_key, search, deactivated, create_at)
    select ${teamId}, p.id, ${[...roles]}, ${derivedColumns.nameKey}, ${derivedColumns.search}, p.delete_at <> 0, ${Date.now()}
    from people p where p.id = ${personId}`.execute(trx);
}

/** Removes a person from a team. The caller removes their channel memberships and links. */
export async function removeMembership(trx: Trx, teamId: string, personId: string): Promise<void> {
  await trx.deleteFrom('memberships').where('team_id', '=', teamId).where('person_id', '=', personId).execute();
}

/** Deletes a pending invitee who no longer belongs to any team; false, without any change, for anyone else. */
export async function removeInvitee(trx: Trx, personId: string): Promise<boolean> {
  const { rows } = await sql`with gone as (
      select p.id from people p where p.id = ${personId} and p.type <> 2
        and not exists (select 1 from memberships m where m.person_id = p.id)
    ), unseen as (delete from presence using gone where person_id = gone.id)
    delete from people p using gone where p.id = gone.id returning 1`.execute(trx);
  return rows.length > 0;
}

/** Changes the roles of a member. */
export async function saveRoles(trx: Trx, membership: Membership): Promise<void> {
  const { teamId, personId, roles } = membership;
  await trx
    .updateTable('memberships')
    .set({ roles: sql`${[...roles]}` })
    .where('team_id', '=', teamId)
    .where('person_id', '=', personId)
    .execute();
}

/** Changes profile fields, and the columns of memberships that are derived from them. */
export async function saveProfile(trx: Trx, personId: string, profile: Partial<Profile>): Promise<void> {
  await trx
    .updateTable('people')
    .set({ ...normalize(profile), update_at: Date.now() })
    .where('id', '=', personId)
    .execute();
  await refreshMemberships(trx, personId);
}

/** Normalizes text to NFC, so that a name is found in whichever form it was typed. */
function normalize<Fields extends Partial<Profile>>(profile: Fields): Fields {
  const fields = Object.entries(profile).map(([name, value]) => [name, value?.normalize('NFC')]);
  return Object.fromEntries(fields);
}

/** Deactivates or restores an account in all teams. The caller removes sessions and links. */
export async function saveDeactivated(trx: Trx, personId: string, deactivated: boolean): Promise<void> {
  const now = Date.now();
  await trx
    .updateTable('people')
    .set({ delete_at: deactivated ? now : 0, update_at: now })
    .where('id', '=', personId)
    .execute();
  await refreshMemberships(trx, personId);
}

async function refreshMemberships(trx: Trx, personId: string): Promise<void> {
  await sql`update memberships m set name_key = ${derivedColumns.nameKey}, search = ${derivedColumns.search},
    deactivated = p.delete_at <> 0 from people p where p.id = m.person_id and p.id = ${personId}`.execute(trx);
}

/** Stores a password, which turns a pending invitee into an account. */
export async function savePassword(trx: Trx, personId: string, passwordHash: string): Promise<void> {
  await trx
    .updateTable('people')
    .set({ password_hash: passwordHash, type: 2, update_at: Date.now() })
    .where('id', '=', personId)
    .execute();
}

/** Records the person's activity, at most once a minute. */
export async function recordPresence(db: Database | Trx, personId: string): Promise<void> {
  const now = Date.now();
  await sql`insert into presence as p (person_id, last_activity_at) values (${personId}, ${now})
    on conflict (person_id) do update set last_activity_at = ${now}
    where p.last_activity_at < ${now - 60_000}`.execute(db);
}

/** A person with all their fields, as `fill` and the demo workspace add them. */
export interface PersonInsert {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  type: number;
  /** JSON text. */
  apps: string;
  create_at: number;
  delete_at: number;
  roles: readonly string[];
  presence: PersonRow['status'] | null;
}

/** Adds many people without passwords to a team in one statement and skips existing ones. Returns how many were added. */
export async function bulkInsertPeople(trx: Trx, teamId: string, people: readonly PersonInsert[]): Promise<number> {
  const all = <Key extends keyof PersonInsert>(key: Key) => people.map((person) => person[key]);
  const { rows } = await sql<{ added: number }>`
    with ready as (
      select * from unnest(${all('id')}::text[], ${all('email')}::text[], ${all('first_name')}::text[],
        ${all('last_name')}::text[], ${all('type')}::smallint[], ${all('apps')}::jsonb[], ${all('create_at')}::bigint[],
        ${all('delete_at')}::bigint[], ${people.map((person) => person.roles.join())}::text[], ${all('presence')}::text[])
        as r (id, email, first_name, last_name, type, apps, create_at, delete_at, roles, presence)
    ), p as (
      insert into people (id, email, first_name, last_name, type, apps, last_picture_update, create_at, update_at, delete_at)
      select id, email, first_name, last_name, type, apps, create_at, create_at, greatest(create_at, delete_at), delete_at
      from ready order by email on conflict do nothing returning *
    ), m as (
      insert into memberships (team_id, person_id, roles, name_key, search, deactivated, create_at)
      select ${teamId}, p.id, string_to_array(ready.roles, ','), ${derivedColumns.nameKey}, ${derivedColumns.search},
        p.delete_at <> 0, p.create_at
      from p join ready on ready.id = p.id order by 4
    ), s as (
      insert into presence (person_id, status, manual, last_activity_at)
      select p.id, ready.presence, true, p.update_at from p join ready on ready.id = p.id where ready.presence is not null
    )
    select count(*)::int as added from p`.execute(trx);
  return rows[0]?.added ?? 0;
}
