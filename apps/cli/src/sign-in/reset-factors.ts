import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { lockFactors, removeFactors } from '@steward/server/src/workspace/access/factors/factors.store.ts';
import { removeUserSessions } from '@steward/server/src/workspace/access/sessions/sessions.store.ts';
import { type AuditEvent, addAuditEvent } from '@steward/server/src/workspace/audit/audit.store.ts';
import { operatorOrigin } from '@steward/server/src/workspace/audit/operator-origin.ts';
import { findUsableAccount } from '../access/reset-password.ts';
import type { Command } from '../command.ts';
import type { Workspace } from '../open-workspace.ts';
import { read, typed } from '../option-schemas.ts';

/** For users who lost their second factor and recovery codes. */
export const resetFactorsCommand: Command = {
  summary: 'Remove the second factors of an account',
  notes: [
    'Removes the authenticator app, passkeys and recovery codes, and ends all sessions. The password stays. No email is sent.',
    'Make sure first that the request comes from the person: afterward, the password alone opens the account.',
  ],
  options: { email: { value: 'email', help: 'Email address of the account', required: true } },
  prepare: (given) => {
    const email = read(typed.email, 'email', given.email);
    return async (workspace) => {
      const { userId, hadFactor, sessions } = await resetFactors(workspace, email);
      const lines = hadFactor
        ? [`Second factors of ${email} removed. ${sessions} sessions ended.`]
        : [`${email} has no second factor. Nothing was changed.`];
      return { result: { id: userId, had_factor: hadFactor, sessions }, lines };
    };
  },
};

async function resetFactors(
  workspace: Pick<Workspace, 'db' | 'secrets'>,
  email: string,
): Promise<{ userId: string; hadFactor: boolean; sessions: number }> {
  return inTransaction(workspace.db, async (trx) => {
    const { id: userId } = await findUsableAccount(trx, email);
    await lockFactors(trx, userId);
    if (!(await removeFactors(trx, userId))) return { userId, hadFactor: false, sessions: 0 };
    const sessions = (await removeUserSessions(trx, userId)).length;
    const who = { teamId: '', actorId: null, target: userId };
    const event: AuditEvent = { action: 'session.factors_reset', ...who, details: { sessions } };
    await addAuditEvent(trx, workspace, { ...event, origin: operatorOrigin() });
    return { userId, hadFactor: true, sessions };
  });
}
