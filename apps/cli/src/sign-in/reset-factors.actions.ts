import { type Database, inTransaction } from '@steward/server/src/platform/database/database.ts';
import { lockFactors, removeFactors } from '@steward/server/src/workspace/access/factors/factors.store.ts';
import { removePersonSessions } from '@steward/server/src/workspace/access/sessions/sessions.store.ts';
import { type AuditEvent, addAuditEvent } from '@steward/server/src/workspace/audit/audit.store.ts';
import { operatorOrigin } from '@steward/server/src/workspace/audit/operator-origin.ts';
import { usableAccount } from '../access/reset-password.actions.ts';

/** Removes every second factor of an account, and ends its sessions if there was one. */
export async function resetFactors(
  db: Database,
  email: string,
): Promise<{ personId: string; hadFactor: boolean; sessions: number }> {
  return inTransaction(db, async (trx) => {
    const { id: personId } = await usableAccount(trx, email);
    await lockFactors(trx, personId);
    if (!(await removeFactors(trx, personId))) return { personId, hadFactor: false, sessions: 0 };
    const sessions = (await removePersonSessions(trx, personId)).length;
    const who = { teamId: '', actorId: null, target: personId };
    const event: AuditEvent = { action: 'session.factors_reset', ...who, details: { sessions } };
    await addAuditEvent(trx, event, operatorOrigin());
    return { personId, hadFactor: true, sessions };
  });
}
