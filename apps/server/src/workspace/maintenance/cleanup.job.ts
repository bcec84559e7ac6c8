import { z } from 'zod';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { removeOldMails } from '#platform/mail/mail-log.ts';
import { removeOldKeys } from '#workspace/changes/idempotency.store.ts';
import { removeOldBackdatedItems } from '#workspace/content/backdated.store.ts';
import { removeOldChallenges } from '#workspace/factors/passkeys.store.ts';
import { removeOldNotices } from '#workspace/notices/notices.store.ts';
import { removeOldKnown } from '#workspace/sessions/known-devices.store.ts';
import { removeExpiredLinks } from '#workspace/sessions/links.store.ts';
import { removeExpiredSessions, sessionLimits } from '#workspace/sessions/sessions.store.ts';
import { removeOldSignIns } from '#workspace/sessions/sign-ins.store.ts';
import { removeOldInvitationCounts } from '#workspace/teams/invitation-limits.store.ts';

/** Removes expired rows every hour, so that no table grows forever. */
const tidy = defineJob({
  name: 'workspace.tidy',
  payload: z.unknown(),
  retries: 2,
  retrySeconds: 60,
  schedule: '17 * * * *',
});

/** Its worker. */
export function createCleanupWorker(deps: Deps) {
  return defineWorker(tidy, async () => {
    await removeExpiredSessions(deps.db, sessionLimits(deps.env));
    await removeOldKnown(deps.db);
    await removeOldChallenges(deps.db);
    await removeExpiredLinks(deps.db);
    await removeOldKeys(deps.db);
    await removeOldMails(deps.db);
    await removeOldNotices(deps.db);
    await removeOldSignIns(deps.db);
    await removeOldInvitationCounts(deps.db);
    await removeOldBackdatedItems(deps.db);
    await deps.throttle.removeExpired();
  });
}
