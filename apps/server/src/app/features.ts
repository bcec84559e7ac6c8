import type { FastifyInstance } from 'fastify';
import { accountRoutes } from '#features/account/account.routes.ts';
import { auditRoutes } from '#features/audit/audit.routes.ts';
import { channelsRoutes } from '#features/channels/channels.routes.ts';
import { createJoinWorker, createResumeJoinsWorker } from '#features/channels/join-channels.job.ts';
import { connectionsRoutes } from '#features/connections/connections.routes.ts';
import { createNightlyOrdersWorker } from '#features/connections/orders/nightly-orders.job.ts';
import { createEndUsersWorker } from '#features/connections/work/ended-users.job.ts';
import { contentRoutes } from '#features/content/content.routes.ts';
import { directoryRoutes } from '#features/directory/directory.routes.ts';
import { createStalledImportsWorker } from '#features/directory/stalled-imports.job.ts';
import { createUndoWorker } from '#features/directory/undo-import.job.ts';
import { factorsRoutes } from '#features/factors/factors.routes.ts';
import { filesRoutes } from '#features/files/files.routes.ts';
import { homeRoutes } from '#features/home/home.routes.ts';
import { createMonthlyEmailWorker } from '#features/home/monthly-email.job.ts';
import { createReconcileSweepWorker, createReconcileWorker } from '#features/integrations/connection/reconcile.job.ts';
import { createDeliverWorker, createResumeDeliveriesWorker } from '#features/integrations/deliveries/deliver.job.ts';
import { integrationsRoutes } from '#features/integrations/integrations.routes.ts';
import { createExportHoldWorker } from '#features/retention/holds/export-hold.job.ts';
import { createExpireArchivesWorker } from '#features/retention/recovery/expire-archives.job.ts';
import { createRestoreWorker } from '#features/retention/recovery/restore.job.ts';
import { retentionRoutes } from '#features/retention/retention.routes.ts';
import { createNightlyWorker } from '#features/retention/runs/nightly-run.job.ts';
import { createSweepWorker } from '#features/retention/runs/retention.sweep.ts';
import { scimRoutes } from '#features/scim/scim.routes.ts';
import { securityRoutes } from '#features/security/security.routes.ts';
import { createResetWorker } from '#features/session/password-reset.job.ts';
import { sessionRoutes } from '#features/session/session.routes.ts';
import { createJoinByLinkWorker } from '#features/signup/join-by-link.job.ts';
import { signupRoutes } from '#features/signup/signup.routes.ts';
import { createRecheckDomainsWorker } from '#features/sso/domains/recheck-domains.job.ts';
import { ssoRoutes } from '#features/sso/sso.routes.ts';
import { teamRoutes } from '#features/team/team.routes.ts';
import { createTokenNoticesWorker } from '#features/tokens/token-notices.job.ts';
import { tokensRoutes } from '#features/tokens/tokens.routes.ts';
import { createBulkWorker, createResumeBulkWorker } from '#features/users/bulk/bulk.job.ts';
import { createEndMembershipsWorker } from '#features/users/ends/end-memberships.job.ts';
import { createEndNoticesWorker } from '#features/users/ends/end-notices.job.ts';
import { createInactivityWorker } from '#features/users/inactivity/night.job.ts';
import { createEraseWorker, createResumeErasuresWorker } from '#features/users/privacy/erase.job.ts';
import { createExportWorker } from '#features/users/privacy/export.job.ts';
import { usersRoutes } from '#features/users/users.routes.ts';
import type { Deps } from '#platform/deps.ts';
import type { Worker } from '#platform/jobs/jobs.ts';
import { createMailWorker } from '#platform/mail/mail.ts';
import { createAccess } from '#workspace/access/access.ts';
import { createSealAuditWorker } from '#workspace/audit/seal-audit.job.ts';
import { createSendAuditWorker } from '#workspace/audit/sink/send-audit.job.ts';
import { createNoticeWorker } from '#workspace/notices/send-notice.job.ts';
import { createAddUpCountsWorker } from '#workspace/users/add-up-counts.job.ts';
import { createCleanupWorker } from './maintenance/cleanup.job.ts';
import { createPendingKeysWorker } from './maintenance/pending-keys.job.ts';

/** Registers the routes of every feature: the table of contents of the API. */
export function serveFeatures(app: FastifyInstance, deps: Deps): void {
  const access = createAccess(deps);
  sessionRoutes(app, deps, access);
  signupRoutes(app, deps, access);
  homeRoutes(app, deps, access);
  usersRoutes(app, deps, access);
  accountRoutes(app, deps, access);
  factorsRoutes(app, deps, access);
  directoryRoutes(app, deps, access);
  channelsRoutes(app, deps, access);
  filesRoutes(app, deps, access);
  retentionRoutes(app, deps, access);
  connectionsRoutes(app, deps, access);
  tokensRoutes(app, deps, access);
  scimRoutes(app, deps, access);
  contentRoutes(app, deps, access);
  integrationsRoutes(app, deps, access);
  ssoRoutes(app, deps, access);
  auditRoutes(app, deps, access);
  securityRoutes(app, deps, access);
  teamRoutes(app, deps, access);
}

export function createWorkers(deps: Deps): Worker[] {
  const workers = [
    createMailWorker(deps),
    createNoticeWorker(deps),
    createResetWorker(deps),
    createJoinByLinkWorker(deps),
    createUndoWorker(deps),
    createStalledImportsWorker(deps),
    createSweepWorker(deps),
    createNightlyWorker(deps),
    createNightlyOrdersWorker(deps),
    createEndUsersWorker(deps),
    createExportHoldWorker(deps),
    createRestoreWorker(deps),
    createExpireArchivesWorker(deps),
    createBulkWorker(deps),
    createResumeBulkWorker(deps),
    createEndMembershipsWorker(deps),
    createEndNoticesWorker(deps),
    createInactivityWorker(deps),
    createExportWorker(deps),
    createEraseWorker(deps),
    createResumeErasuresWorker(deps),
    createJoinWorker(deps),
    createResumeJoinsWorker(deps),
    createDeliverWorker(deps),
    createResumeDeliveriesWorker(deps),
    createReconcileWorker(deps),
    createReconcileSweepWorker(deps),
    createSealAuditWorker(deps),
    createSendAuditWorker(deps),
    createCleanupWorker(deps),
    createPendingKeysWorker(deps),
    createAddUpCountsWorker(deps),
    createTokenNoticesWorker(deps),
    createMonthlyEmailWorker(deps),
    createRecheckDomainsWorker(deps),
  ];
  return workers as Worker[];
}
