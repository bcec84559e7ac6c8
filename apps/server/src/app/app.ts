import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { createServer } from '#platform/http/fastify.ts';
import { serveDevMail } from '#platform/mail/dev-mail.ts';
import { createReadiness, type Readiness, serveHealth } from '#platform/observability/health.ts';
import { serveMetrics } from '#platform/observability/metrics.ts';
import { servePortal } from '#platform/portal/pages.ts';
import { serveSecurityTxt } from '#platform/portal/security-txt.ts';
import { countAuditRows } from '#workspace/audit/seal-audit.actions.ts';
import { hasConnection } from '#workspace/users/identity-providers/connections.store.ts';
import { serveFeatures } from './features.ts';
import { serveReference } from './reference/reference.ts';

export interface AppOptions {
  /** Directory of the built portal; without it only the API is served. */
  portalDirectory?: string;
  /** Ready when absent. */
  readiness?: Readiness;
  /** Overrides the time for a request to arrive completely, in milliseconds. */
  requestMs?: number | undefined;
}

/** Doesn't listen yet; tests call the app with `inject`. */
export async function buildApp(deps: Deps, options: AppOptions = {}): Promise<FastifyInstance> {
  const app = await createServer(deps.env, deps.log, options.requestMs);
  serveHealth(app, deps.db, options.readiness ?? createReadiness(true));
  const metrics = serveMetrics(app, deps.pool, deps.env);
  metrics.addCounts('audit_rows', {
    help: 'Rows of the audit log that are not in the chain yet, and that were not sent to AUDIT_SINK yet',
    of: () => countAuditRows(deps),
  });
  const { countReads } = deps.replica;
  if (countReads !== undefined) {
    const help = 'Reads since the start that a replica could answer, by the server that did';
    metrics.addCounts('replica_reads', { help, of: async () => countReads() });
  }
  serveSecurityTxt(app, deps.env);
  serveFeatures(app, deps);
  serveReference(app, deps);
  if (deps.env.embedded && !deps.env.smtp) serveDevMail(app, deps);
  if (options.portalDirectory !== undefined)
    await servePortal(app, deps.env, { directory: options.portalDirectory, hasSso: createSsoSign(deps) });
  return app;
}

/** The longest wait for the database, in milliseconds, so that pages aren't late. */
const WAIT_MS = 500;

/** Tells if any team of the server uses single sign-on; while the database is slow, the previous answer. */
function createSsoSign({ db }: Deps): () => Promise<boolean> {
  let known = false;
  return async () => {
    const read = hasConnection(db).then(
      (has) => {
        known = has;
      },
      () => undefined,
    );
    await Promise.race([read, pause(WAIT_MS, undefined, { ref: false })]);
    return known;
  };
}
