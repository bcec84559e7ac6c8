import { sql } from 'kysely';
import { inTransaction } from '#platform/database/database.ts';
import { newToken } from '#platform/security/secrets.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import type { SignedInUser, TestUser } from '#testing/workspace/factories.ts';
import { insertSession, type NewSession } from '#workspace/access/sessions/sessions.store.ts';
import type { TeamSecurity } from '#workspace/access/team-security.rules.ts';
import { saveTeamSecurity } from '#workspace/access/team-security.store.ts';

/** Sets the last confirmation of all sessions of a user to this many minutes ago. */
export async function authenticated(node: TestApp, { id }: { id: string }, minutesAgo: number): Promise<void> {
  await sql`update sessions set auth_at = now() - make_interval(mins => ${minutesAgo}) where person_id = ${id}`.execute(
    node.db,
  );
}

/** Sets the last request of all sessions of a user to this many minutes ago. */
export async function lastUsed(node: TestApp, { id }: { id: string }, minutesAgo: number): Promise<void> {
  await sql`update sessions set active_at = now() - make_interval(mins => ${minutesAgo}) where person_id = ${id}`.execute(
    node.db,
  );
}

export function demand(node: TestApp, teamId: string, security: Partial<TeamSecurity>): Promise<void> {
  return inTransaction(node.db, (trx) => saveTeamSecurity(trx, teamId, security));
}

export async function addSession(node: TestApp, session: NewSession): Promise<string> {
  const token = newToken();
  await insertSession(token, session, sql``).execute(node.db);
  return token;
}

/** Without a sign-in; as one of single sign-on, or with a second factor. */
export async function startSession(
  node: TestApp,
  who: TestUser,
  how: { sso?: { teamId: string; connectionId: string }; hasSecondFactor?: boolean } = {},
): Promise<SignedInUser> {
  const { sso, hasSecondFactor = false } = how;
  const token = await addSession(node, {
    ...{ userId: who.id, deviceId: '', userAgent: 'Firefox/1 (Linux)', address: '192.0.2.7', hasSecondFactor },
    ...(sso && { method: 'sso', sso: { ...sso, idpSid: null, authTime: null } }),
  });
  return { ...who, token, cookie: `steward_token=${token}; steward_user=${who.id}` };
}

/** Names an owner who may enter the team without single sign-on. */
export async function nameOwner(node: TestApp, teamId: string, userId: string): Promise<void> {
  await node.db.insertInto('break_glass_owners').values({ team_id: teamId, person_id: userId }).execute();
}
