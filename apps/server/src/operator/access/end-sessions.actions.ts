import { removeAllGrants } from '#features/channels/compliance/compliance.store.ts';
import { endAllScimTokens } from '#features/scim/tokens.store.ts';
import { removeAllSignUps } from '#features/signup/signups.store.ts';
import { type Database, inTransaction } from '#platform/database/database.ts';
import { dropJobs } from '#platform/jobs/jobs.ts';
import { giveUpWaiting } from '#platform/mail/mail-log.ts';
import { removeAllLinks } from '#workspace/access/sessions/links.store.ts';
import { removeAllSessions } from '#workspace/access/sessions/sessions.store.ts';
import { endAllTokens } from '#workspace/access/tokens.store.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { removeAllNotices } from '#workspace/notices/notices.store.ts';
import { operatorOrigin } from '../operator-origin.ts';

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
