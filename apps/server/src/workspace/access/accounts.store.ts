import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { runPrepared } from '#platform/database/prepared.ts';
import { isActive } from '#workspace/users/active-members.store.ts';
import { isIntegrationMember } from '#workspace/users/managers.store.ts';
import { factorExists } from './factors/factors.store.ts';
import { awaitsSignIn } from './signups/signups.store.ts';

export interface Account {
  id: string;
  email: string;
  first_name: string;
  password_hash: string | null;
  create_at: number;
  /** The user of an integration posts messages and never signs in. */
  is_integration: boolean;
  /** They are active in a team, or invited to one. */
  has_team: boolean;
  /** They have opened the link of a sign-up: their next sign-in creates the team. */
  awaits_team: boolean;
  has_factor: boolean;
}

const isIntegration = sql<boolean>`exists (select from memberships m where m.person_id = p.id and ${isIntegrationMember})`;
const hasTeam = sql<boolean>`(exists (select from memberships m where m.person_id = p.id and ${isActive()})
  or exists (select from memberships m where m.email = p.email and ${isActive()}))`;

/** Part of a statement: the account of an email address in lowercase. */
export function selectAccount(email: string): RawBuilder<Account> {
  return sql`select p.id, p.email, p.first_name, p.password_hash, p.create_at, ${isIntegration} as is_integration,
      ${hasTeam} as has_team, ${awaitsSignIn} as awaits_team, ${factorExists(sql.ref('p.id'))} as has_factor
    from people p where p.email = ${email}`;
}

/**
 * Part of a statement: a condition on `people p`. It is true for this account if the checked password is still the
 * current one and opens it alone.
 */
export function opensByPassword({ id, password_hash }: Pick<Account, 'id' | 'password_hash'>): RawBuilder<boolean> {
  return sql`p.id = ${id} and p.password_hash = ${password_hash} and ${hasTeam} and not ${isIntegration}
    and not ${factorExists(sql.ref('p.id'))}`;
}

export async function findAccount(db: Database | Trx, email: string): Promise<Account | undefined> {
  const [account] = await runPrepared(db, selectAccount(email));
  return account;
}

/**
 * The account, if it has the password that was just checked. It is locked until the commit, so that someone who is being
 * deactivated gets no new session.
 */
export async function lockAccount(trx: Trx, userId: string, passwordHash: string): Promise<Account | undefined> {
  const lock = sql<{ email: string }>`
    select email from people where id = ${userId} and password_hash = ${passwordHash} for share`;
  const [locked] = await runPrepared(trx, lock);
  // A statement of its own: it sees what was committed while the lock was awaited.
  return locked && findAccount(trx, locked.email);
}

/** The account of a user, locked until the commit like that of `lockAccount`. */
export async function lockAccountById(trx: Trx, userId: string): Promise<Account | undefined> {
  const locked = await trx.selectFrom('people').select('email').where('id', '=', userId).forShare().executeTakeFirst();
  return locked && findAccount(trx, locked.email);
}

export interface DeactivatedTeam {
  name: string;
  /** The first active owner. */
  owner_email: string | null;
}

/** A message names a few teams at most. */
const NAMED_TEAMS = 3;

/** The teams in which an account is deactivated, or that one of them, the newest first. */
export async function listDeactivatedTeams(
  db: Database | Trx,
  userId: string,
  teamId?: string,
): Promise<DeactivatedTeam[]> {
  return db
    .selectFrom('memberships as m')
    .innerJoin('teams as t', 't.id', 'm.team_id')
    .select(['t.display_name as name', findOwnerEmail.as('owner_email')])
    .where('m.person_id', '=', userId)
    .where(sql<boolean>`not ${isActive()}`)
    .$if(teamId !== undefined, (query) => query.where('m.team_id', '=', teamId ?? ''))
    .orderBy('t.id', 'desc')
    .limit(NAMED_TEAMS)
    .execute();
}

const findOwnerEmail = sql<string | null>`(select p.email from memberships o join people p on p.id = o.person_id
  where o.team_id = m.team_id and o.roles && array['team_admin', 'team_owner', 'zendesk'] and 'team_owner' = any(o.roles)
    and ${isActive('o')} order by o.create_at, o.person_id limit 1)`;

/** Invitations don't count: they are to an address. */
export async function isActiveAnywhere(db: Database | Trx, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .select('team_id')
    .where('person_id', '=', userId)
    .where(isActive('memberships'))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Checks that the account still has this password, and locks it until the commit. */
export async function lockPassword(trx: Trx, userId: string, passwordHash: string): Promise<boolean> {
  const row = await trx
    .selectFrom('people')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Reset links go to the same accounts. */
export function canSignIn(account: Account): boolean {
  return account.has_team && !account.is_integration;
}
