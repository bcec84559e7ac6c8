import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serveDevMail } from '#platform/dev-mail.ts';
import { createServer } from '#platform/fastify.ts';
import { serveHealth } from '#platform/health.ts';
import { serveMetrics } from '#platform/metrics.ts';
import { servePortal } from '#platform/pages.ts';
import { serveReference } from './reference.ts';
import { serveRooms } from './rooms.ts';

/** How the app is built besides its dependencies. */
export interface AppOptions {
  /** Directory of the built portal; without it only the API is served. */
  portalDirectory?: string;
  /** True from the moment a stop is planned. */
  isStopping?: () => boolean;
}

/** Everything except listening; tests call it with `inject`. */
export async function buildApp(deps: Deps, options: AppOptions = {}): Promise<FastifyInstance> {
  const app = await createServer(deps.env, deps.log);
  serveHealth(app, deps.pool, options.isStopping ?? (() => false));
  serveMetrics(app, deps.pool, deps.env.METRICS_TOKEN);
  serveRooms(app, deps);
  serveReference(app, deps);
  if (deps.env.embedded && !deps.env.SMTP_URL) serveDevMail(app, deps.mailbox);
  if (options.portalDirectory !== undefined) await servePortal(app, deps.env, options.portalDirectory);
  return app;
}
