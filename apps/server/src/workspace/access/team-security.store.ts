import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import type { EntryRules, TeamSecurity } from './team-security.rules.ts';

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

interface Entrant {
  personId: string;
  sessionId: string;
}

/** The rules of each team of a user, with their roles there; without a session, no team has ended it. */
export async function listTeamSecurity(
  db: Database | Trx,
  personId: string,
  sessionId = '',
): Promise<{ team_id: string; roles: string[]; security: EntryRules | null }[]> {
  const rows = await selectRules(db, { personId, sessionId }).execute();
  return rows.map(({ team_id, roles, ...rules }) => ({ team_id, roles, security: toEntryRules(rules) }));
}

/** The rules of a team for a session of a member; null for a team without rules. */
export async function findEntryRules(db: Database | Trx, teamId: string, entrant: Entrant): Promise<EntryRules | null> {
  const row = await selectRules(db, entrant).where('m.team_id', '=', teamId).executeTakeFirst();
  return row === undefined ? null : toEntryRules(row);
}

function selectRules(db: Database | Trx, { personId, sessionId }: Entrant) {
  return db
    .selectFrom('memberships as m')
    .leftJoin('team_security as t', 't.team_id', 'm.team_id')
    .leftJoin('break_glass_owners as b', (join) =>
      join.onRef('b.team_id', '=', 'm.team_id').onRef('b.person_id', '=', 'm.person_id'),
    )
    .leftJoin('signed_out_sessions as o', (join) =>
      join.onRef('o.team_id', '=', 'm.team_id').on('o.session_id', '=', sessionId),
    )
    .select(['m.team_id', 'm.roles', 't.team_id as asks', 't.idle_minutes', 't.session_hours'])
    .select(['t.require_mfa', 't.networks', 't.required_connection_id'])
    .select([
      sql<boolean>`b.team_id is not null`.as('is_break_glass'),
      sql<boolean>`o.team_id is not null`.as('is_signed_out'),
    ])
    .where('m.person_id', '=', personId)
    .where('m.deactivated', '=', false);
}

type Rules = Omit<EntryRules, 'require_mfa' | 'networks'> & {
  asks: string | null;
  require_mfa: TeamSecurity['require_mfa'] | null;
  networks: string[] | null;
};

function toEntryRules({ asks, require_mfa, networks, ...rest }: Rules): EntryRules | null {
  if (asks === null && !rest.is_signed_out) return null;
  const { idle_minutes, session_hours, required_connection_id, is_break_glass, is_signed_out } = rest;
  return {
    ...{ require_mfa: require_mfa ?? 'none', idle_minutes, session_hours, networks: networks ?? [] },
    ...{ required_connection_id, is_break_glass, is_signed_out },
  };
}
