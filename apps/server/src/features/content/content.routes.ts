// Content import: services send messages, files and records of a team with a service token. Owns no table: messages, files,
// records and loose_blobs are written by their stores in workspace/.

import { addContent } from '@steward/contract/content';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { bodyStream } from '#platform/http/connections/body-stream.ts';
import { serve } from '#platform/http/http.ts';
import { type ConcurrencyLimiter, createConcurrencyLimiter } from '#platform/jobs/concurrency-limiter.ts';
import type { Access } from '#workspace/access/access.ts';
import { ingestContent } from './ingest-content.actions.ts';

/** Concurrent requests, each with a batch in memory; more are refused and can retry. */
const REQUESTS = describeLimit({ name: 'content.uploads', counts: 'content uploads', atOnce: 16, waiting: 0 });
/** Limits one team, so that its services don't block those of others. */
const REQUESTS_PER_TEAM = describeLimit({
  name: 'content.team_uploads',
  counts: 'content uploads of a team',
  atOnce: 4,
  waiting: 0,
});
/** Concurrent batches, so that connections are left for users. */
const BATCHES = { atOnce: 2, waiting: REQUESTS.atOnce };

export function contentRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const admit = createAdmission();
  const limitConcurrency = createConcurrencyLimiter(BATCHES);
  const stallMs = app.server.requestTimeout;

  // This isn't a serveChange: one transaction for an endless body would hold its locks just as long. The import is idempotent.
  serve(app, addContent, access.service, ({ who, origin, request }) =>
    admit(who.teamId, () =>
      ingestContent(deps, { service: who, origin, body: bodyStream(request, stallMs), limitConcurrency }),
    ),
  );
}

function createAdmission(): <T>(teamId: string, work: () => Promise<T>) => Promise<T> {
  const all = createConcurrencyLimiter(REQUESTS);
  const teams = new Map<string, { limit: ConcurrencyLimiter; running: number }>();
  return async (teamId, work) => {
    const team = teams.get(teamId) ?? { limit: createConcurrencyLimiter(REQUESTS_PER_TEAM), running: 0 };
    teams.set(teamId, team);
    team.running += 1;
    try {
      return await team.limit(() => all(work));
    } finally {
      team.running -= 1;
      if (team.running === 0) teams.delete(teamId);
    }
  };
}
