import { type Profile, type ProfileInput, pickProfile, type User } from '@steward/contract/users';
import { REAL_ACCOUNT } from '@steward/contract/users/roles';
import { type RawBuilder, sql } from 'kysely';
import { asynchronous, type Database, type Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { runPrepared } from '#platform/database/prepared.ts';
import { isActive } from './active-members.store.ts';
import { forProfile } from './members.store.ts';
import { saveNameKeys } from './memberships.store.ts';
import { normalizeProfile } from './user.ts';

/** A user of the contract with the stored roles. */
export interface UserRow extends Omit<User, 'roles' | 'account_type'> {
  roles: string[];
}

/** A user is online for five minutes after their last request, and away for half an hour. */
export const presenceStatus = sql<UserRow['status']>`case
  when pr.manual then pr.status
  when pr.last_activity_at > (select (extract(epoch from now()) * 1000)::bigint - 300000) then 'online'
  when pr.last_activity_at > (select (extract(epoch from now()) * 1000)::bigint - 1800000) then 'away'
  else 'offline' end`;

/** The user with the roles of all the teams they can use. */
export async function findUser(db: Database | Trx, userId: string): Promise<UserRow | undefined> {
  return findUserWhere(db, sql`p.id = ${userId}`);
}

/** The same by a condition on `people p` that at most one user meets. */
export async function findUserWhere(db: Database | Trx, condition: RawBuilder<boolean>): Promise<UserRow | undefined> {
  const statement = sql<UserRow>`select p.id, ${forProfile((column) => sql`p.${column}`)}, p.email, ${presenceStatus} as status, ${sql.lit(REAL_ACCOUNT)}::int as type,
      p.last_picture_update, p.create_at, p.update_at, 0 as delete_at, p.apps,
      array(select distinct unnest(m.roles) from memberships m where m.person_id = p.id and ${isActive()}) as roles
    from people p left join presence pr on pr.person_id = p.id where ${condition}`;
  const [user] = await runPrepared(db, statement);
  return user;
}

export async function findEmail(db: Database | Trx, userId: string): Promise<string> {
  const { email } = await db.selectFrom('people').select('email').where('id', '=', userId).executeTakeFirstOrThrow();
  return email;
}

/** First and last name, or the email address without them. */
export async function findUserName(db: Database | Trx, userId: string): Promise<string> {
  const row = await db
    .selectFrom('people')
    .select(sql<string>`coalesce(nullif(trim(first_name || ' ' || last_name), ''), email)`.as('name'))
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.name ?? '';
}

/** The name may be ''. */
export async function findAccountName(
  db: Database | Trx,
  userId: string,
): Promise<{ name: string; email: string } | undefined> {
  return db
    .selectFrom('people')
    .select([sql<string>`trim(first_name || ' ' || last_name)`.as('name'), 'email'])
    .where('id', '=', userId)
    .executeTakeFirst();
}

/** The same as a team names them; '' for an account that no longer exists. */
export async function findNameInTeam(db: Database | Trx, teamId: string, userId: string): Promise<string> {
  const [name = ''] = await listNamesInTeam(db, teamId, [userId]);
  return name;
}

/** In the order of the ids. */
export async function listNamesInTeam(
  db: Database | Trx,
  teamId: string,
  userIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select ${nameInTeam({ team: 'g.team_id', user: 'g.person_id', users: 'p' })} as name
    from (select ${teamId}::text as team_id, id as person_id, place
      from unnest(${[...userIds]}::text[]) with ordinality u (id, place)) g
    left join people p on p.id = g.person_id order by g.place`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Creates an account; undefined if another request has taken the address. Without a password it can only be reset.
 * `provisioned_by` is the team whose identity provider creates it.
 */
export async function addUser(
  trx: Trx,
  user: Partial<Profile> & { email: string; password_hash: string | null; provisioned_by?: string },
): Promise<string | undefined> {
  const now = Date.now();
  const row = await trx
    .insertInto('people')
    .values({
      id: newId(now),
      email: user.email,
      ...normalizeProfile(pickProfile(user)),
      password_hash: user.password_hash,
      provisioned_by: user.provisioned_by ?? null,
      apps: JSON.stringify({}),
      last_picture_update: now,
      create_at: now,
      update_at: now,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Changes the derived columns of memberships too. */
export async function saveProfile(trx: Trx, userId: string, profile: Partial<Profile>): Promise<void> {
  await trx
    .updateTable('people')
    .set({ ...normalizeProfile(profile), update_at: Date.now() })
    .where('id', '=', userId)
    .execute();
  await saveNameKeys(trx, [userId]);
}

export async function saveProfiles(trx: Trx, users: readonly (Profile & { id: string })[]): Promise<void> {
  const rows = users.map((user) => ({ id: user.id, ...normalizeProfile(pickProfile(user)) }));
  const all = (key: 'id' | keyof Profile) => rows.map((row) => row[key]);
  await sql`update people p set ${forProfile((column) => sql`${column} = n.${column}`)}, update_at = ${Date.now()}
    from unnest(${all('id')}::text[], ${forProfile((_, field) => sql`${all(field)}::text[]`)}) as n (id, ${forProfile((column) => column)})
    where p.id = n.id`.execute(trx);
  await saveNameKeys(trx, all('id'));
}

/** Changes the derived columns of memberships too. Fails if another account has the address. */
export async function saveEmail(trx: Trx, userId: string, email: string): Promise<void> {
  await trx.updateTable('people').set({ email, update_at: Date.now() }).where('id', '=', userId).execute();
  await saveNameKeys(trx, [userId]);
}

/**
 * True if the identity provider of this team created the account, and it was never in another team. Teams that it has left
 * count, also those that erased it.
 */
export async function belongsToProvider(trx: Trx, teamId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from people p
    where p.id = ${userId} and p.provisioned_by = ${teamId} and not exists (
      select from memberships m where m.person_id = p.id and m.team_id <> ${teamId}
      union all select from former_members f where f.person_id = p.id and f.team_id <> ${teamId}
      union all select from erasures e where e.person_id = p.id and e.team_id <> ${teamId})`.execute(trx);
  return rows.length > 0;
}

export async function savePassword(trx: Trx, userId: string, passwordHash: string): Promise<void> {
  await trx
    .updateTable('people')
    .set({ password_hash: passwordHash, update_at: Date.now() })
    .where('id', '=', userId)
    .execute();
}

/** Replaces the hash of the same password; false if another one is stored by now. */
export async function replacePasswordHash(
  db: Database,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('people')
    .set({ password_hash: to })
    .where('id', '=', userId)
    .where('password_hash', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Clients cache a picture by its URL, so a changed picture gets another one: a time that is later than the last. */
export async function savePictureUpdate(trx: Trx, userId: string): Promise<void> {
  const now = Date.now();
  await trx
    .updateTable('people')
    .set({ last_picture_update: sql<number>`greatest(${now}, last_picture_update + 1)`, update_at: now })
    .where('id', '=', userId)
    .execute();
}

/** Kinds of emails that the user switched off, and those off at first that they switched on. */
export interface EmailChoices {
  muted: string[];
  wanted: string[];
}

export async function findEmailChoices(db: Database | Trx, userId: string): Promise<EmailChoices> {
  return selectEmailChoices(db, userId).executeTakeFirstOrThrow();
}

/** The same, locked until the transaction ends. */
export async function lockEmailChoices(trx: Trx, userId: string): Promise<EmailChoices> {
  return selectEmailChoices(trx, userId).forNoKeyUpdate().executeTakeFirstOrThrow();
}

function selectEmailChoices(db: Database | Trx, userId: string) {
  return db.selectFrom('people').select(['muted_emails as muted', 'wanted_emails as wanted']).where('id', '=', userId);
}

export async function saveEmailChoices(trx: Trx, userId: string, { muted, wanted }: EmailChoices): Promise<void> {
  await trx
    .updateTable('people')
    .set({ muted_emails: sql`${muted}`, wanted_emails: sql`${wanted}` })
    .where('id', '=', userId)
    .execute();
}

/** A user's activity is recorded once in this many milliseconds. */
const RECORDED_MS = 60_000;

/**
 * Records the user's activity, at most once a minute. Every open portal calls it, so nothing is locked or written until
 * a minute is over, and the commit doesn't wait for the disk: the next poll records again what a crash lost. Not for
 * transactions.
 */
export async function recordPresence(db: Database, userId: string): Promise<void> {
  const due = sql`from ${asynchronous} asynchronous where mode = 'off' and not exists (
      select from presence where person_id = ${userId} and last_activity_at >= ${Date.now() - RECORDED_MS})`;
  await runPrepared(db, upsertPresence(userId, due));
}

/** The same as part of a statement, in its transaction; with a FROM clause of at most one row. */
export function upsertPresence(userId: string, from: RawBuilder<unknown>): RawBuilder<unknown> {
  const now = Date.now();
  return sql`insert into presence as p (person_id, last_activity_at) select ${userId}, ${now} ${from}
    on conflict (person_id) do update set last_activity_at = excluded.last_activity_at
    where p.last_activity_at < excluded.last_activity_at - ${RECORDED_MS}`;
}

/** An account with all its fields, as `fill` and the demo workspace add it. */
export interface UserInsert extends ProfileInput {
  id: string;
  email: string;
  /** `PENDING_INVITEE` adds an invitation instead of an account. */
  type: number;
  /** JSON text. */
  apps: string;
  create_at: number;
  /** 0, or the time when they were deactivated in the team. */
  delete_at: number;
  roles: readonly string[];
  presence: UserRow['status'] | null;
}

/** Adds accounts without passwords, skips those whose address exists, and returns the ids of those that were added. */
export async function insertUsers(trx: Trx, users: readonly UserInsert[]): Promise<string[]> {
  const all = <Key extends keyof UserInsert>(key: Key) => users.map((user) => user[key]);
  const columns = forProfile((column) => column);
  const profile = forProfile((_, field) => sql`${users.map((user) => user[field] ?? '')}::text[]`);
  const { rows } = await sql<{ id: string }>`
    with ready as (
      select * from unnest(${all('id')}::text[], ${all('email')}::text[], ${profile}, ${all('apps')}::jsonb[], ${all('create_at')}::bigint[], ${all('delete_at')}::bigint[],
        ${all('presence')}::text[])
        as r (id, email, ${columns}, apps, create_at, delete_at, presence)
    ), p as (
      insert into people (id, email, ${columns}, apps, last_picture_update, create_at, update_at)
      select id, email, ${columns}, apps, create_at, create_at, greatest(create_at, delete_at)
      from ready order by email on conflict do nothing returning id, update_at
    ), s as (
      insert into presence (person_id, status, manual, last_activity_at)
      select p.id, ready.presence, true, p.update_at from p join ready on ready.id = p.id where ready.presence is not null
    )
    select id from p`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Columns with the ids of the team and of the user, and the alias of `people`. */
interface NameSource {
  team: string;
  user: string;
  users: string;
}

/**
 * The name of a user for a team: a pseudonym after it erased them, else their name, or their email address without one.
 * Needs `left join people` under the alias `people`. A user who came back has their name again.
 */
export function nameInTeam({ team, user, users }: NameSource): RawBuilder<string> {
  const column = (name: string) => sql.ref(`${users}.${name}`);
  return sql<string>`coalesce(
    (select 'Deleted user ' || d.code from erasures d where d.team_id = ${sql.ref(team)} and d.person_id = ${sql.ref(user)}
      and not exists (select 1 from memberships b where b.team_id = d.team_id and b.person_id = d.person_id)),
    nullif(trim(${column('first_name')} || ' ' || ${column('last_name')}), ''), ${column('email')}, '')`;
}
