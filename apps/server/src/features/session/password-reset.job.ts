import { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { queueMail } from '#platform/mail/mail.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { canSignIn, findAccount, listDeactivatedTeams } from '#workspace/access/accounts.store.ts';
import { addLink, getLinkEnd } from '#workspace/access/sessions/links.store.ts';
import { deactivatedMail, passwordResetMail } from './password-reset.mail.ts';

const PURPOSE = 'reset-address';

/** Someone requested a reset link. The address is encrypted, because the queue keeps finished jobs for some days. */
export const resetRequestedJob = defineJob({
  name: 'session.reset_requested',
  payload: z.object({ sealed: z.string() }),
  retries: 5,
  retrySeconds: 5,
});

/** Payload for `resetRequestedJob`. */
export function sealAddress(secrets: Secrets, email: string): { sealed: string } {
  return { sealed: secrets.seal(PURPOSE, email) };
}

/**
 * Creates the link and queues its email. A deactivated user gets an email that says so instead. Either goes to the stored
 * address.
 */
export function createResetWorker(deps: Deps) {
  return defineWorker(resetRequestedJob, async ({ sealed }) => {
    const email = deps.secrets.open(PURPOSE, sealed);
    await inTransaction(deps.db, async (trx) => {
      const account = await findAccount(trx, email);
      if (!account || account.is_integration) return;
      if (!canSignIn(account) && !account.awaits_team) {
        const teams = await listDeactivatedTeams(trx, account.id);
        const mail = deactivatedMail(deps.env, { to: account.email, teams });
        await queueMail(trx, deps, { kind: 'session.deactivated', userId: account.id, mail });
        return;
      }
      const token = await addLink(trx, { kind: 'reset', userId: account.id, teamId: null });
      const expiresAt = await getLinkEnd(trx, token);
      const mail = passwordResetMail(deps.env, { to: account.email, token, expiresAt });
      await queueMail(trx, deps, { kind: 'session.password_reset', userId: account.id, mail });
    });
  });
}
