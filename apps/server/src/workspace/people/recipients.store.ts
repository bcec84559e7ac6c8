import type { EmailKind } from '@steward/contract/account/preferences';
import { sql } from 'kysely';
import type { Trx } from '#platform/database/database.ts';
import type { Recipient } from './members/owners.store.ts';

/** Found by the partial index of special roles, whose condition is repeated. */
const isManager = sql<boolean>`m.roles && array['team_admin', 'team_owner', 'zendesk']
  and m.roles && array['team_admin', 'team_owner'] and m.email is null and not m.deactivated`;

/** Active owners and admins of a team but these, without those who switched this email off. */
export async function listManagers(
  trx: Trx,
  teamId: string,
  { except, kind }: { except: readonly string[]; kind: EmailKind | undefined },
): Promise<(Recipient & { is_owner: boolean })[]> {
  const { rows } = await sql<Recipient & { is_owner: boolean }>`
    select p.id, p.email, 'team_owner' = any(m.roles) as is_owner
    from memberships m join people p on p.id = m.person_id
    where m.team_id = ${teamId} and ${isManager} and p.id <> all(${except}::text[])
      and not coalesce(${kind ?? null}::text = any(p.muted_emails), false)
    order by p.id`.execute(trx);
  return rows;
}

/** Whether a person is an active owner or admin of any team. */
export async function managesTeam(trx: Trx, personId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from memberships m
    where m.person_id = ${personId} and ${isManager} limit 1`.execute(trx);
  return rows.length > 0;
}
