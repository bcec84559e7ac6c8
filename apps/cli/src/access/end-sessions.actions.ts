import { removeAllGrants } from '@steward/server/src/features/channels/compliance/compliance.store.ts';
import { endAllScimTokens } from '@steward/server/src/features/scim/tokens.store.ts';
import { removeAllSignUps } from '@steward/server/src/features/signup/signups.store.ts';
import { type Database, inTransaction } from '@steward/server/src/platform/database/database.ts';
import { dropJobs } from '@steward/server/src/platform/jobs/jobs.ts';
import { giveUpWaiting } from '@steward/server/src/platform/mail/mail-log.ts';
import { removeAllLinks } from '@steward/server/src/workspace/access/sessions/links.store.ts';
import { removeAllSessions } from '@steward/server/src/workspace/access/sessions/sessions.store.ts';
import { endAllTokens } from '@steward/server/src/workspace/access/tokens.store.ts';
import { type AuditEvent, addAuditEvent } from '@steward/server/src/workspace/audit/audit.store.ts';
import { operatorOrigin } from '@steward/server/src/workspace/audit/operator-origin.ts';
import { removeAllNotices } from '@steward/server/src/workspace/notices/notices.store.ts';

/** What was ended; of a database that was not restored, no tokens or compliance access and nothing of the queue. */
export interface Ended extends Record<string, number> {
  sessions: number;
  links: number;
  sign_ups: number;
}

/**
 * Ends every session and every link that was emailed; in a restored database also service tokens, compliance access, queued
 * jobs and queued emails.
 */
export async function endSessions(db: Database, { isRestored }: { isRestored: boolean }): Promise<Ended> {
  return inTransaction(db, async (trx) => {
    const doors: Ended = {
      sessions: await removeAllSessions(trx),
      links: await removeAllLinks(trx),
      sign_ups: await removeAllSignUps(trx),
    };
    if (isRestored) {
      await endAllScimTokens(trx);
      await removeAllNotices(trx);
    }
    const ended = isRestored
      ? {
          ...doors,
          tokens: await endAllTokens(trx),
          compliance_access: await removeAllGrants(trx),
          jobs: await dropJobs(trx),
          mails: await giveUpWaiting(trx, 'dropped after a restore'),
        }
      : doors;
    const event: AuditEvent = { action: 'session.all_ended', teamId: '', actorId: null, target: null, details: ended };
    await addAuditEvent(trx, event, operatorOrigin());
    return ended;
  });
}
