import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { isActive } from '#workspace/users/active-members.store.ts';
import { type EntryRules, NO_RULES, type TeamSecurity } from './team-security.rules.ts';

const columns = Object.keys(NO_RULES) as (keyof TeamSecurity)[];

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

/**
 * The rules of a team for one session; null if it has none and hasn't signed the session out. Needs `memberships m` and, in outer
 * joins, `team_security t`, `break_glass_owners b` and `signed_out_sessions o`.
 */
export const entryRules = sql<EntryRules | null>`case when coalesce(t.team_id, o.team_id) is not null then json_build_object(
  ${sql.join(columns.map((name) => sql`${sql.lit(name)}, coalesce(to_json(t.${sql.ref(name)}), ${sql.lit(JSON.stringify(NO_RULES[name]))}::json)`))},
  'is_break_glass', b.team_id is not null, 'is_signed_out', o.team_id is not null) end`;

interface Entrant {
  userId: string;
  sessionId: string;
}

/** The rules of each team of a user, with their roles there; without a session, no team has ended it. */
export async function listTeamSecurity(
  db: Database | Trx,
  userId: string,
  sessionId = '',
): Promise<{ team_id: string; roles: string[]; security: EntryRules | null }[]> {
  return selectRules(db, { userId, sessionId }).execute();
}

/** The rules of a team for a session of a member; null for a team without rules. */
export async function findEntryRules(db: Database | Trx, teamId: string, entrant: Entrant): Promise<EntryRules | null> {
  const row = await selectRules(db, entrant).where('m.team_id', '=', teamId).executeTakeFirst();
  return row?.security ?? null;
}

function selectRules(db: Database | Trx, { userId, sessionId }: Entrant) {
  return db
    .selectFrom('memberships as m')
    .leftJoin('team_security as t', 't.team_id', 'm.team_id')
    .leftJoin('break_glass_owners as b', (join) =>
      join.onRef('b.team_id', '=', 'm.team_id').onRef('b.person_id', '=', 'm.person_id'),
    )
    .leftJoin('signed_out_sessions as o', (join) =>
      join.onRef('o.team_id', '=', 'm.team_id').on('o.session_id', '=', sessionId),
    )
    .select(['m.team_id', 'm.roles', entryRules.as('security')])
    .where('m.person_id', '=', userId)
    .where(isActive());
}
