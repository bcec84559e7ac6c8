import type { Database, Trx } from '#platform/database/database.ts';
import type { TeamSecurity } from './team-security.rules.ts';

const columns = ['require_mfa', 'idle_minutes', 'session_hours', 'networks', 'required_connection_id'] as const;

/** Null for a team without rules. */
export async function findTeamSecurity(db: Database | Trx, teamId: string): Promise<TeamSecurity | null> {
  const row = await db.selectFrom('team_security').select(columns).where('team_id', '=', teamId).executeTakeFirst();
  return row ?? null;
}

export async function saveTeamSecurity(trx: Trx, teamId: string, changes: Partial<TeamSecurity>): Promise<void> {
  await trx
    .insertInto('team_security')
    .values({ team_id: teamId, ...changes })
    .onConflict((conflict) => conflict.column('team_id').doUpdateSet({ team_id: teamId, ...changes }))
    .execute();
}

/** The rules of each team of a user, with their roles there. */
export async function listTeamSecurity(
  db: Database | Trx,
  personId: string,
): Promise<{ team_id: string; roles: string[]; security: TeamSecurity | null }[]> {
  const rows = await db
    .selectFrom('memberships as m')
    .leftJoin('team_security as t', 't.team_id', 'm.team_id')
    .select(['m.team_id', 'm.roles', 't.team_id as asks', 't.idle_minutes', 't.session_hours'])
    .select(['t.require_mfa', 't.networks', 't.required_connection_id'])
    .where('m.person_id', '=', personId)
    .where('m.deactivated', '=', false)
    .execute();
  return rows.map(({ team_id, roles, asks, require_mfa, networks, ...rest }) => ({
    team_id,
    roles,
    security: asks === null ? null : { ...rest, require_mfa: require_mfa ?? 'none', networks: networks ?? [] },
  }));
}
