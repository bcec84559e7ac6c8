import { inTransaction, type Trx } from '@steward/server/src/platform/database/database.ts';
import { portalLink } from '@steward/server/src/platform/mail/portal-link.ts';
import { hashPassword, newPassword } from '@steward/server/src/platform/security/passwords.ts';
import { type Account, findAccount } from '@steward/server/src/workspace/access/accounts.store.ts';
import { addLink, removeUserLinks } from '@steward/server/src/workspace/access/sessions/links.store.ts';
import { removeUserSessions } from '@steward/server/src/workspace/access/sessions/sessions.store.ts';
import { type AuditEvent, addAuditEvent } from '@steward/server/src/workspace/audit/audit.store.ts';
import { operatorOrigin } from '@steward/server/src/workspace/audit/operator-origin.ts';
import { savePassword } from '@steward/server/src/workspace/users/users.store.ts';
import { type Command, Mistake } from '../command.ts';
import type { Workspace } from '../open-workspace.ts';
import { read, typed } from '../option-schemas.ts';

/** For users who can't receive email. */
export const resetPassword: Command = {
  summary: 'Create a password reset link, or set a random password',
  notes: ['No email is sent. The link starts with PUBLIC_URL, can be used once and expires in 60 minutes.'],
  options: {
    email: { value: 'email', help: 'Email address of the account', required: true },
    password: { help: 'Set a random password immediately and end all sessions' },
  },
  prepare: (given) => {
    const email = read(typed.email, 'email', given.email);
    if (given.switches.has('password')) {
      const password = newPassword();
      return async (workspace) => {
        const { userId, sessions } = await replacePassword(workspace, email, password);
        const lines = [`Password ${password} (shown only once)`, `${sessions} sessions ended.`];
        return { result: { id: userId, password, sessions }, lines };
      };
    }
    return async (workspace) => {
      const { userId, token } = await createResetLink(workspace, email);
      const url = portalLink(workspace.env, { path: '/reset_password', token });
      return { result: { id: userId, url }, lines: [url] };
    };
  },
};

/** Returns the token of a one-time link for choosing a password. Older reset links of the account end. */
async function createResetLink(
  workspace: Pick<Workspace, 'db' | 'secrets'>,
  email: string,
): Promise<{ userId: string; token: string }> {
  return inTransaction(workspace.db, async (trx) => {
    const { id } = await findUsableAccount(trx, email);
    const token = await addLink(trx, { kind: 'reset', userId: id, teamId: null });
    const event: AuditEvent = { action: 'session.reset_requested', teamId: '', actorId: null, target: id };
    await addAuditEvent(trx, workspace, { ...event, origin: operatorOrigin() });
    return { userId: id, token };
  });
}

async function replacePassword(
  workspace: Pick<Workspace, 'db' | 'secrets'>,
  email: string,
  password: string,
): Promise<{ userId: string; sessions: number }> {
  const passwordHash = await hashPassword(password);
  return inTransaction(workspace.db, async (trx) => {
    const { id } = await findUsableAccount(trx, email);
    await savePassword(trx, id, passwordHash);
    const ended = await removeUserSessions(trx, id);
    await removeUserLinks(trx, id);
    const details = { sessions: ended.length };
    const event: AuditEvent = { action: 'session.password_reset', teamId: '', actorId: null, target: id, details };
    await addAuditEvent(trx, workspace, { ...event, origin: operatorOrigin() });
    return { userId: id, sessions: ended.length };
  });
}

/** Finds an account that someone can sign in to; throws a Mistake if there is none. */
export async function findUsableAccount(trx: Trx, email: string): Promise<Account> {
  const account = await findAccount(trx, email);
  if (!account) throw new Mistake(`No account has the email address ${email}.`);
  if (!account.has_team) throw new Mistake(`${email} belongs to no team, or is deactivated in each of its teams.`);
  if (account.is_integration) throw new Mistake(`${email} is the help desk user, which can't sign in.`);
  return account;
}
