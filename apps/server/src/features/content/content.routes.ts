// What services feed a team with: messages, files and records, by a service token. Tables: messages, files, records and
// loose_blobs, written by their stores in workspace.
import { addContent } from '@steward/contract/content';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { bodyStream } from '#platform/http/connections/body-stream.ts';
import { serve } from '#platform/http/http.ts';
import { type ConcurrencyLimiter, createConcurrencyLimiter } from '#platform/jobs/concurrency-limiter.ts';
import type { Access } from '#workspace/access/access.ts';
import { ingestContent } from './ingest-content.actions.ts';

/** Bodies that may arrive at once, each holding a batch in memory; more are told to come again. */
const BODIES = { atOnce: 16, waiting: 0 };
/** Of one team, so that its services do not shut out those of others. */
const BODIES_OF_A_TEAM = { atOnce: 4, waiting: 0 };
/** Batches that are stored at once, so that services leave connections to people. */
const BATCHES = { atOnce: 2, waiting: BODIES.atOnce };

export function contentRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const admitted = createDoor();
  const limitConcurrency = createConcurrencyLimiter(BATCHES);
  const stallMs = app.server.requestTimeout;

  // Not serveChange: one transaction for a body without end would hold its locks as long. It is repeatable by itself.
  serve(app, addContent, access.service, ({ who, origin, request }) =>
    admitted(who.teamId, () =>
      ingestContent(deps, { service: who, origin, body: bodyStream(request, stallMs), limitConcurrency }),
    ),
  );
}

function createDoor(): <T>(teamId: string, work: () => Promise<T>) => Promise<T> {
  const all = createConcurrencyLimiter(BODIES);
  const teams = new Map<string, { turns: ConcurrencyLimiter; inside: number }>();
  return async (teamId, work) => {
    const team = teams.get(teamId) ?? { turns: createConcurrencyLimiter(BODIES_OF_A_TEAM), inside: 0 };
    teams.set(teamId, team);
    team.inside += 1;
    try {
      return await team.turns(() => all(work));
    } finally {
      team.inside -= 1;
      if (team.inside === 0) teams.delete(teamId);
    }
  };
}
