import { removeOldGrants } from '#features/channels/compliance.store.ts';
import { removeMessagesWithoutChannel, removeOldLists } from '#features/connections/mirror/mirror.store.ts';
import { removeOldOrders } from '#features/connections/orders/orders.store.ts';
import { removeOldWork } from '#features/connections/work/work.store.ts';
import { removeUnreferencedBlobs } from '#features/content/unreferenced-blobs.actions.ts';
import { removeOldImports } from '#features/directory/imports.actions.ts';
import { removeOldDeliveries } from '#features/integrations/deliveries/deliveries.store.ts';
import { removeOldLogouts } from '#features/sso/logout/logouts.store.ts';
import { removeOldTransactions } from '#features/sso/signin/transactions.store.ts';
import { removeOldJobs } from '#features/users/bulk/user-jobs.store.ts';
import { removeOldNights } from '#features/users/inactivity/nights.store.ts';
import type { Database } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { removeOldMails } from '#platform/mail/mail-log.ts';
import { removeOldChallenges } from '#workspace/access/factors/passkeys.store.ts';
import { removeOldInvitationCounts } from '#workspace/access/memberships/invitation-limits.store.ts';
import { removeOldKnown } from '#workspace/access/sessions/known-devices.store.ts';
import { removeExpiredLinks } from '#workspace/access/sessions/links.store.ts';
import { removeExpiredSessions, sessionLimits } from '#workspace/access/sessions/sessions.store.ts';
import { removeOldSignIns } from '#workspace/access/sessions/sign-ins.store.ts';
import { removeOldSignUps } from '#workspace/access/signups/signups.store.ts';
import { removeOldKeys } from '#workspace/changes/idempotency.store.ts';
import { removeOldBackdatedItems } from '#workspace/content/backdated.store.ts';
import { removeExpiredExports } from '#workspace/content/export-file.actions.ts';
import { removeOldNotices } from '#workspace/notices/notices.store.ts';
import { removeCanceledLinks } from '#workspace/users/connected-links.store.ts';
import { removeOldLoggedCalls } from '#workspace/users/identity-providers/provisioning.store.ts';
import { removeOldInvitationLinks } from '#workspace/users/invitation-links.store.ts';
import { removeInvitationsOfEndedLinks } from '#workspace/users/memberships.store.ts';

/** Removes old rows every hour, so that no table grows forever and no personal data stays longer than promised. */
const cleanup = defineJob({
  name: 'workspace.tidy',
  retries: 2,
  retrySeconds: 60,
  expireSeconds: 900,
  schedule: '17 * * * *',
});

/** Rows that one transaction removes from a busy table. */
const BATCH = 1_000;

const inBatches =
  (removeBatch: (db: Database, limit: number) => Promise<boolean>) =>
  async ({ db }: Deps) => {
    while (await removeBatch(db, BATCH));
  };

/**
 * Tables that grow with use, each with the function that removes its old rows. The owner of a table has the period for which rows
 * are kept, because its other statements depend on it.
 */
const CLEANUPS: Readonly<Record<string, (deps: Deps) => Promise<void>>> = {
  sessions: ({ db, env }) => removeExpiredSessions(db, sessionLimits(env)),
  'known_addresses, known_devices': ({ db }) => removeOldKnown(db),
  used_challenges: ({ db }) => removeOldChallenges(db),
  links: ({ db }) => removeExpiredLinks(db),
  idempotency_keys: ({ db }) => removeOldKeys(db),
  mails: ({ db }) => removeOldMails(db),
  notices: ({ db }) => removeOldNotices(db),
  sign_ins: inBatches(removeOldSignIns),
  invitation_counts: ({ db }) => removeOldInvitationCounts(db),
  invitation_links: async ({ db }) => {
    await removeInvitationsOfEndedLinks(db);
    await removeOldInvitationLinks(db);
  },
  inactivity_nights: ({ db }) => removeOldNights(db),
  backdated_items: ({ db }) => removeOldBackdatedItems(db),
  throttles: ({ throttle }) => throttle.removeExpired(),
  signups: ({ db }) => removeOldSignUps(db),
  sso_transactions: ({ db }) => removeOldTransactions(db),
  sso_logouts: ({ db }) => removeOldLogouts(db),
  compliance_access: ({ db }) => removeOldGrants(db),
  scim_log: inBatches(removeOldLoggedCalls),
  deliveries: inBatches(removeOldDeliveries),
  user_jobs: ({ db }) => removeOldJobs(db),
  directory_imports: ({ db }) => removeOldImports(db),
  connected_lists: ({ db }) => removeOldLists(db),
  connected_messages: inBatches(removeMessagesWithoutChannel),
  'connected_orders, connected_order_rows, connected_permits': ({ db }) => removeOldOrders(db),
  connected_work: ({ db }) => removeOldWork(db),
  connected_links: ({ db }) => removeCanceledLinks(db),
  privacy_exports: removeExpiredExports,
  loose_blobs: removeUnreferencedBlobs,
};

/** A table that can't be cleaned up doesn't prevent the cleanup of the others. */
export function createCleanupWorker(deps: Deps) {
  return defineWorker(cleanup, async () => {
    const failed: string[] = [];
    for (const [tables, removeOld] of Object.entries(CLEANUPS))
      await removeOld(deps).catch((error: unknown) => {
        deps.log.warn({ err: error, tables }, 'cleanup: could not remove old rows');
        failed.push(tables);
      });
    if (failed.length > 0) throw new Error(`could not remove old rows of ${failed.join(', ')}`);
  });
}
