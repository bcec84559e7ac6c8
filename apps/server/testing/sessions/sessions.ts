import { sql } from 'kysely';
import { inTransaction } from '#platform/database/database.ts';
import { newToken } from '#platform/security/secrets.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import type { SignedInPerson, TestPerson } from '#testing/workspace/factories.ts';
import { insertSession, type NewSession } from '#workspace/access/sessions/sessions.store.ts';
import type { TeamSecurity } from '#workspace/access/team-security.rules.ts';
import { saveTeamSecurity } from '#workspace/access/team-security.store.ts';

/** Lets a person have proved who they are this many minutes ago, in all their sessions. */
export async function authenticated(node: TestApp, { id }: { id: string }, minutesAgo: number): Promise<void> {
  await sql`update sessions set auth_at = now() - make_interval(mins => ${minutesAgo}) where person_id = ${id}`.execute(
    node.db,
  );
}

/** Lets a person have made their last request this many minutes ago, in all their sessions. */
export async function lastUsed(node: TestApp, { id }: { id: string }, minutesAgo: number): Promise<void> {
  await sql`update sessions set active_at = now() - make_interval(mins => ${minutesAgo}) where person_id = ${id}`.execute(
    node.db,
  );
}

/** Saves what a team demands of sessions. */
export function demand(node: TestApp, teamId: string, security: Partial<TeamSecurity>): Promise<void> {
  return inTransaction(node.db, (trx) => saveTeamSecurity(trx, teamId, security));
}

/** Adds a session without its sign-in, and returns its token. */
export async function addSession(node: TestApp, session: NewSession): Promise<string> {
  const token = newToken();
  await insertSession(token, session, sql``).execute(node.db);
  return token;
}

/** Starts a session without its sign-in: of single sign-on, or with a second factor. */
export async function startSession(
  node: TestApp,
  who: TestPerson,
  how: { sso?: { teamId: string; connectionId: string }; hasSecondFactor?: boolean } = {},
): Promise<SignedInPerson> {
  const { sso, hasSecondFactor = false } = how;
  const token = await addSession(node, {
    ...{ personId: who.id, deviceId: '', userAgent: 'Firefox/1 (Linux)', address: '192.0.2.7', hasSecondFactor },
    ...(sso && { method: 'sso', sso: { ...sso, idpSid: null, authTime: null } }),
  });
  return { ...who, token, cookie: `steward_token=${token}; steward_user=${who.id}` };
}
