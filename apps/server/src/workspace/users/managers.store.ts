import { type EmailKind, OFF_AT_FIRST } from '@steward/contract/account/preferences';
import { INTEGRATION_ROLE } from '@steward/contract/users/roles';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';
import { isActive } from './active-members.store.ts';

/** Needs `memberships m`. */
export const isIntegrationMember = sql<boolean>`${sql.lit(INTEGRATION_ROLE)} = any(m.roles)`;

const hasSpecialRole = sql<boolean>`m.roles && array['team_admin', 'team_owner', 'zendesk']`;

export interface Recipient {
  id: string;
  email: string;
}

export async function listOwners(db: Database | Trx, teamId: string): Promise<Recipient[]> {
  return db
    .selectFrom('memberships as m')
    .innerJoin('people as p', 'p.id', 'm.person_id')
    .select(['p.id', 'p.email'])
    .where('m.team_id', '=', teamId)
    .where(hasSpecialRole)
    .where(sql<boolean>`'team_owner' = any(m.roles)`)
    .where(isActive())
    .orderBy('p.id')
    .execute();
}

/** Active owners; invitations to be one don't count. */
const selectOwners = (trx: Trx, teamId: string) =>
  trx
    .selectFrom('memberships as m')
    .select('m.person_id')
    .where('m.team_id', '=', teamId)
    .where(hasSpecialRole)
    .where(sql<boolean>`'team_owner' = any(m.roles)`)
    .where(isActive())
    .where('m.email', 'is', null);

export async function findFirstOwner(trx: Trx, teamId: string): Promise<string | null> {
  const row = await selectOwners(trx, teamId).orderBy('m.create_at').orderBy('m.person_id').limit(1).executeTakeFirst();
  return row?.person_id ?? null;
}

/** The caller has locked the team. */
export async function hasOtherOwner(trx: Trx, teamId: string, userId: string): Promise<boolean> {
  const row = await selectOwners(trx, teamId).where('m.person_id', '<>', userId).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Needs `memberships m`. */
export const isActiveManager = sql<boolean>`${hasSpecialRole} and m.roles && array['team_admin', 'team_owner']
  and m.email is null and ${isActive()}`;

/** Active owners and admins of a team except these, and except those who don't get this email. */
export async function listManagers(
  trx: Trx,
  teamId: string,
  { except, kind }: { except: readonly string[]; kind: EmailKind | undefined },
): Promise<(Recipient & { is_owner: boolean })[]> {
  const { rows } = await sql<Recipient & { is_owner: boolean }>`
    select p.id, p.email, 'team_owner' = any(m.roles) as is_owner
    from memberships m join people p on p.id = m.person_id
    where m.team_id = ${teamId} and ${isActiveManager} and p.id <> all(${except}::text[])
      and ${gets(kind)}
    order by p.id`.execute(trx);
  return rows;
}

export interface TeamOfOwners {
  id: string;
  display_name: string;
  time_zone: string;
  /** By the clock of the database, in milliseconds. */
  now: number;
}

/** Teams that haven't had the email of this month yet, with an active owner who has switched it on. */
export async function listTeamsForMonthlyEmail(db: Database): Promise<TeamOfOwners[]> {
  const { rows } = await sql<TeamOfOwners>`
    select t.id, t.display_name, t.time_zone, ${toMilliseconds(sql`now()`)} as now from teams t
    where coalesce(t.monthly_email_on < date_trunc('month', now() at time zone t.time_zone), true)
      and t.id in (select m.team_id from people p join memberships m on m.person_id = p.id
        where ${gets('monthly')} and 'team_owner' = any(m.roles) and ${isActiveManager}) order by t.id`.execute(db);
  return rows;
}

function gets(kind: EmailKind | undefined): RawBuilder<boolean> {
  if (kind === undefined) return sql`true`;
  return OFF_AT_FIRST.includes(kind) ? sql`${kind} = any(p.wanted_emails)` : sql`not ${kind} = any(p.muted_emails)`;
}

/** Finds those of these users that still have an account. */
export async function listRecipients(trx: Trx, userIds: readonly string[]): Promise<Recipient[]> {
  if (userIds.length === 0) return [];
  return trx.selectFrom('people').select(['id', 'email']).where('id', 'in', userIds).orderBy('id').execute();
}

export async function managesTeam(trx: Trx, userId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from memberships m
    where m.person_id = ${userId} and ${isActiveManager} limit 1`.execute(trx);
  return rows.length > 0;
}

/** The oldest first. */
export async function listIntegrationUsers(trx: Trx, teamId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('memberships as m')
    .select('m.person_id')
    .where('m.team_id', '=', teamId)
    .where(hasSpecialRole)
    .where(isIntegrationMember)
    .where('m.email', 'is', null)
    .orderBy('m.person_id')
    .execute();
  return rows.map(({ person_id }) => person_id);
}
