import type { FastifyInstance } from 'fastify';
import { auditRoutes } from '#features/audit/audit.routes.ts';
import { channelsRoutes } from '#features/channels/channels.routes.ts';
import { joinWorker } from '#features/channels/defaults/join-channels.job.ts';
import { resumeJoinsWorker } from '#features/channels/defaults/resume-joins.job.ts';
import { tidyBlobsWorker } from '#features/content/blobs/tidy-blobs.job.ts';
import { contentRoutes } from '#features/content/content.routes.ts';
import { directoryRoutes } from '#features/directory/directory.routes.ts';
import { tidyImportsWorker } from '#features/directory/imports/tidy-imports.job.ts';
import { undoWorker } from '#features/directory/imports/undo-import.job.ts';
import { filesRoutes } from '#features/files/files.routes.ts';
import { homeRoutes } from '#features/home/home.routes.ts';
import { looksWorker, lookWorker } from '#features/integrations/connection/reconcile.job.ts';
import { deliverWorker } from '#features/integrations/deliveries/deliver.job.ts';
import { resumeDeliveriesWorker } from '#features/integrations/deliveries/resume-deliveries.job.ts';
import { tidyDeliveriesWorker } from '#features/integrations/deliveries/tidy-deliveries.job.ts';
import { integrationsRoutes } from '#features/integrations/integrations.routes.ts';
import { retentionRoutes } from '#features/retention/retention.routes.ts';
import { nightsWorker } from '#features/retention/runs/nights.job.ts';
import { sweepWorker } from '#features/retention/runs/retention.sweep.ts';
import { resetWorker } from '#features/session/password-reset.job.ts';
import { sessionRoutes } from '#features/session/session.routes.ts';
import { signupRoutes } from '#features/signup/signup.routes.ts';
import { tidySignUpsWorker } from '#features/signup/tidy-signups.job.ts';
import { tokensRoutes } from '#features/tokens/tokens.routes.ts';
import { usersRoutes } from '#features/users/users.routes.ts';
import type { Deps } from '#platform/deps.ts';
import type { Worker } from '#platform/jobs/jobs.ts';
import { mailWorker } from '#platform/mail/mail.ts';
import { createAccess } from '#workspace/access/access.ts';
import { pendingKeysWorker } from '#workspace/maintenance/pending-keys.job.ts';
import { tidyWorker } from '#workspace/maintenance/tidy.job.ts';

/** Every room's calls: the table of contents of the API. */
export function serveRooms(app: FastifyInstance, deps: Deps): void {
  const access = createAccess(deps);
  sessionRoutes(app, deps, access);
  signupRoutes(app, deps, access);
  homeRoutes(app, deps, access);
  usersRoutes(app, deps, access);
  directoryRoutes(app, deps, access);
  channelsRoutes(app, deps, access);
  filesRoutes(app, deps, access);
  retentionRoutes(app, deps, access);
  tokensRoutes(app, deps, access);
  contentRoutes(app, deps, access);
  integrationsRoutes(app, deps, access);
  auditRoutes(app, deps, access);
}

/** Everything that is done in the background. */
export function workersOf(deps: Deps): Worker[] {
  const workers = [
    mailWorker(deps),
    resetWorker(deps),
    tidySignUpsWorker(deps),
    undoWorker(deps),
    tidyImportsWorker(deps),
    sweepWorker(deps),
    nightsWorker(deps),
    joinWorker(deps),
    resumeJoinsWorker(deps),
    tidyBlobsWorker(deps),
    deliverWorker(deps),
    resumeDeliveriesWorker(deps),
    tidyDeliveriesWorker(deps),
    lookWorker(deps),
    looksWorker(deps),
    tidyWorker(deps),
    pendingKeysWorker(deps),
  ];
  return workers as Worker[];
}
