import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';

/** Owners and admins are found by a partial index, whose condition a query must repeat. */
const hasSpecialRole = sql<boolean>`m.roles && array['team_admin', 'team_owner', 'zendesk']`;

/** A person to email. */
export interface Recipient {
  id: string;
  email: string;
}

/** Active owners of the team, to email them. */
export async function listOwners(db: Database | Trx, teamId: string): Promise<Recipient[]> {
  return db
    .selectFrom('memberships as m')
    .innerJoin('people as p', 'p.id', 'm.person_id')
    .select(['p.id', 'p.email'])
    .where('m.team_id', '=', teamId)
    .where(hasSpecialRole)
    .where(sql<boolean>`'team_owner' = any(m.roles)`)
    .where('m.deactivated', '=', false)
    .orderBy('p.id')
    .execute();
}

/** Whether the team has an active owner besides this person. The caller has locked the team. */
export async function hasOtherOwner(trx: Trx, teamId: string, personId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('memberships as m')
    .select('m.person_id')
    .where('m.team_id', '=', teamId)
    .where(hasSpecialRole)
    .where(sql<boolean>`'team_owner' = any(m.roles)`)
    .where('m.deactivated', '=', false)
    .where('m.email', 'is', null)
    .where('m.person_id', '<>', personId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
