import { removeAllGrants } from '@steward/server/src/features/channels/compliance.store.ts';
import { endConnections } from '@steward/server/src/features/connections/end-connections.store.ts';
import { endAllScimTokens } from '@steward/server/src/features/scim/tokens.store.ts';
import { removeAllWarnings } from '@steward/server/src/features/users/inactivity/warnings.store.ts';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { dropJobs } from '@steward/server/src/platform/jobs/jobs.ts';
import { giveUpWaiting } from '@steward/server/src/platform/mail/mail-log.ts';
import { removeAllLinks } from '@steward/server/src/workspace/access/sessions/links.store.ts';
import { removeAllSessions } from '@steward/server/src/workspace/access/sessions/sessions.store.ts';
import { removeAllSignUps } from '@steward/server/src/workspace/access/signups/signups.store.ts';
import { endAllTokens } from '@steward/server/src/workspace/access/tokens.store.ts';
import { type AuditEvent, addAuditEvent } from '@steward/server/src/workspace/audit/audit.store.ts';
import { operatorOrigin } from '@steward/server/src/workspace/audit/operator-origin.ts';
import { removeAllNotices } from '@steward/server/src/workspace/notices/notices.store.ts';
import { removeActivitySources } from '@steward/server/src/workspace/users/activity-sources.store.ts';
import { endAllInvitationLinks } from '@steward/server/src/workspace/users/invitation-links.store.ts';
import type { Command } from '../command.ts';
import type { Workspace } from '../open-workspace.ts';

/** For use after an incident, or in a restored database. */
export const endAllSessions: Command = {
  summary: 'Sign out all users and revoke all emailed links and invitation links',
  notes: [
    'Takes effect on every server with the next request. Passwords and service tokens are kept. Open invitations must be sent again.',
    'After pg_restore or point-in-time recovery, run it with --restored before starting a server: the restored database\n' +
      'contains sessions and service tokens that have ended and emails that have been sent since.',
  ],
  options: {
    restored: {
      help: 'Also end service tokens, connector tokens and compliance access, and drop queued jobs and emails',
    },
  },
  prepare: (given) => {
    const isRestored = given.switches.has('restored');
    return async (workspace) => {
      const ended = await endSessions(workspace, { isRestored });
      const lines = [`${ended.sessions} sessions, ${ended.links} links and ${ended.sign_ups} sign-ups revoked.`];
      if (isRestored)
        lines.push(
          `${ended.tokens} service tokens ended: create new ones. Compliance access ended: ${ended.compliance_access}.`,
          `${ended.jobs} jobs and ${ended.mails} emails dropped from the queue.`,
        );
      return { result: ended, lines };
    };
  },
};

/** Counts of what ended. Only a restored database also counts tokens, compliance access, jobs and emails. */
interface Ended extends Record<string, number> {
  sessions: number;
  links: number;
  sign_ups: number;
}

/**
 * Ends every session, every link that was emailed and every invitation link; in a restored database also service
 * tokens, connector tokens with orders to connected servers, compliance access, queued jobs and queued emails.
 */
async function endSessions(
  workspace: Pick<Workspace, 'db' | 'secrets'>,
  { isRestored }: { isRestored: boolean },
): Promise<Ended> {
  return inTransaction(workspace.db, async (trx) => {
    const access: Ended = {
      sessions: await removeAllSessions(trx),
      links: await removeAllLinks(trx),
      sign_ups: await removeAllSignUps(trx),
    };
    await endAllInvitationLinks(trx);
    if (isRestored) {
      await endAllScimTokens(trx);
      await endConnections(trx);
      await removeAllNotices(trx);
      await removeActivitySources(trx);
      await removeAllWarnings(trx);
    }
    const ended = isRestored
      ? {
          ...access,
          tokens: await endAllTokens(trx),
          compliance_access: await removeAllGrants(trx),
          jobs: await dropJobs(trx),
          mails: await giveUpWaiting(trx, 'dropped after a restore'),
        }
      : access;
    const event: AuditEvent = { action: 'session.all_ended', teamId: '', actorId: null, target: null, details: ended };
    await addAuditEvent(trx, workspace, { ...event, origin: operatorOrigin() });
    return ended;
  });
}
