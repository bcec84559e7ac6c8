import { sql } from 'kysely';
import { inTransaction } from '#platform/database/database.ts';
import { newToken } from '#platform/security/secrets.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { insertSession, type NewSession } from '#workspace/access/sessions/sessions.store.ts';
import type { TeamSecurity } from '#workspace/access/team-security.rules.ts';
import { saveTeamSecurity } from '#workspace/access/team-security.store.ts';

/** Sets the last confirmation of all sessions of a user to this many minutes ago. */
export async function authenticated(node: TestApp, { id }: { id: string }, minutesAgo: number): Promise<void> {
  await sql`update sessions set auth_at = now() - make_interval(mins => ${minutesAgo})
    where person_id = ${id}`.execute(node.db);
}

export function demand(node: TestApp, teamId: string, security: Partial<TeamSecurity>): Promise<void> {
  return inTransaction(node.db, (trx) => saveTeamSecurity(trx, teamId, security));
}

export async function addSession(node: TestApp, session: NewSession): Promise<string> {
  const token = newToken();
  await insertSession(token, session, sql``).execute(node.db);
  return token;
}

/** Names an owner who may enter the team without single sign-on. */
export async function nameOwner(node: TestApp, teamId: string, userId: string): Promise<void> {
  await node.db.insertInto('break_glass_owners').values({ team_id: teamId, person_id: userId }).execute();
}
