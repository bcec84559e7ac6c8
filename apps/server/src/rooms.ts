import type { FastifyInstance } from 'fastify';
import { resetWorker } from '#features/session/password-reset.job.ts';
import { sessionRoutes } from '#features/session/session.routes.ts';
import { usersRoutes } from '#features/users/users.routes.ts';
import type { Deps } from '#platform/deps.ts';
import type { Worker } from '#platform/jobs.ts';
import { mailWorker } from '#platform/mail.ts';
import { createAccess } from '#workspace/access.ts';
import { tidyWorker } from '#workspace/tidy.job.ts';

/** Every room's calls: the table of contents of the API. */
export function serveRooms(app: FastifyInstance, deps: Deps): void {
  const access = createAccess(deps);
  sessionRoutes(app, deps, access);
  usersRoutes(app, deps, access);
}

/** Everything that is done in the background. */
export function workersOf(deps: Deps): Worker[] {
  return [mailWorker(deps), resetWorker(deps), tidyWorker(deps)] as Worker[];
}
