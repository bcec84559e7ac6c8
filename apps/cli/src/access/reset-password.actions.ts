import { type Database, inTransaction, type Trx } from '@steward/server/src/platform/database/database.ts';
import { hashPassword } from '@steward/server/src/platform/security/passwords.ts';
import { type Account, findAccount } from '@steward/server/src/workspace/access/accounts.store.ts';
import { addLink, removePersonLinks } from '@steward/server/src/workspace/access/sessions/links.store.ts';
import { removePersonSessions } from '@steward/server/src/workspace/access/sessions/sessions.store.ts';
import { type AuditEvent, addAuditEvent } from '@steward/server/src/workspace/audit/audit.store.ts';
import { operatorOrigin } from '@steward/server/src/workspace/audit/operator-origin.ts';
import { savePassword } from '@steward/server/src/workspace/people/people.store.ts';
import { Mistake } from '../command.ts';

/** A one-time link's token for choosing a password; older reset links of the person end. */
export async function createResetLink(db: Database, email: string): Promise<{ personId: string; token: string }> {
  return inTransaction(db, async (trx) => {
    const { id } = await usableAccount(trx, email);
    const token = await addLink(trx, { kind: 'reset', personId: id, teamId: null });
    const event: AuditEvent = { action: 'session.reset_requested', teamId: '', actorId: null, target: id };
    await addAuditEvent(trx, event, operatorOrigin());
    return { personId: id, token };
  });
}

/** Sets the password and ends every session and link of the person. */
export async function replacePassword(
  db: Database,
  email: string,
  password: string,
): Promise<{ personId: string; sessions: number }> {
  const passwordHash = await hashPassword(password);
  return inTransaction(db, async (trx) => {
    const { id } = await usableAccount(trx, email);
    await savePassword(trx, id, passwordHash);
    const ended = await removePersonSessions(trx, id);
    await removePersonLinks(trx, id);
    const details = { sessions: ended.length };
    const event: AuditEvent = { action: 'session.password_reset', teamId: '', actorId: null, target: id, details };
    await addAuditEvent(trx, event, operatorOrigin());
    return { personId: id, sessions: ended.length };
  });
}

/** The account of an address, if someone can sign in to it. */
export async function usableAccount(trx: Trx, email: string): Promise<Account> {
  const account = await findAccount(trx, email);
  if (!account) throw new Mistake(`No account has the email address ${email}.`);
  if (!account.has_team) throw new Mistake(`${email} belongs to no team, or is deactivated in each of its teams.`);
  if (account.is_integration) throw new Mistake(`${email} is the help desk user, which can't sign in.`);
  return account;
}
