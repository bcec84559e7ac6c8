import { type Database, inTransaction } from '#platform/database/database.ts';
import { lockFactors, removeFactors } from '#workspace/access/factors/factors.store.ts';
import { removePersonSessions } from '#workspace/access/sessions/sessions.store.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { usableAccount } from '../access/reset-password.actions.ts';
import { operatorOrigin } from '../operator-origin.ts';

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
