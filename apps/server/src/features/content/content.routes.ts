// Content import: services send messages, files and records of a team with a service token. Owns no table: messages, files,
// records and loose_blobs are written by their stores in workspace/.

import { addContent } from '@steward/contract/content';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { bodyStream } from '#platform/http/connections/body-stream.ts';
import { serve } from '#platform/http/http.ts';
import { createFairQueue } from '#platform/jobs/fair-queue.ts';
import type { Access } from '#workspace/access/access.ts';
import { ingestContent } from './ingest-content.actions.ts';

/**
 * Concurrent requests, each with a batch in memory; more are refused and can retry. A request can last long, so one team gets a
 * part of them.
 */
const REQUESTS = describeLimit({
  name: 'content.uploads',
  counts: 'content uploads',
  atOnce: 16,
  atOncePerKey: 4,
  waitingPerKey: 0,
  waiting: 0,
});
/** Concurrent batches, so that connections are left for users. Teams and their services take turns. */
const BATCHES = { atOnce: 2, waitingPerKey: REQUESTS.atOncePerKey, waiting: REQUESTS.atOnce };

export function contentRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const requests = createFairQueue(REQUESTS);
  const batches = createFairQueue(BATCHES);
  const stallMs = app.server.requestTimeout;

  // This isn't a serveChange: one transaction for an endless body would hold its locks just as long. The import is idempotent.
  serve(app, addContent, access.service, ({ who, authorize, origin, request }) =>
    requests.run({ key: who.teamId }, () =>
      ingestContent(deps, { service: who, authorize, origin, body: bodyStream(request, stallMs), batches }),
    ),
  );
}
