// Home lists the problems that need an admin's attention, and sums up the state of the team: one call for each card.
// Owns no table; reads content, factors, integrations, deliveries, retention rules and runs, mails, memberships and people.

import {
  type Attention,
  AttentionKind,
  getAttention,
  getIntegrationsSummary,
  getPeopleSummary,
  getRetentionSummary,
  getSignInSummary,
  getStorageSummary,
  type SignInSummary,
  type StorageSummary,
} from '@steward/contract/home';
import type { IntegrationHealth } from '@steward/contract/integrations';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import { createCache } from '#platform/jobs/cache.ts';
import type { Access } from '#workspace/access/access.ts';
import { getIntegrationHealth } from '#workspace/integrations/integration-health.ts';
import { listAttention, listConnected } from './attention.store.ts';
import { countFreed, countStorage } from './storage.store.ts';
import { summarizeIntegrations, summarizePeople, summarizeRetention, summarizeSignIn } from './summary.store.ts';

/** A count that took longer, in milliseconds, is kept, so that Home doesn't count millions of rows at each visit. */
const SLOW_MS = 50;
const FACTORS_KEPT_MS = 300_000;
const STORAGE_KEPT_MS = 3_600_000;

export function homeRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, getAttention, access.teamAdmin, async ({ who }) => {
    const integrations = (await listConnected(deps.db, who.teamId)).map((row) => getIntegrationHealth(deps, row));
    const others = await deps.replica.read((db) => listAttention(db, who.teamId));
    return {
      records: sortBySeverity([...helpDeskAttention(integrations), ...others]),
    };
  });

  serve(app, getPeopleSummary, access.teamAdmin, ({ who }) =>
    deps.replica.read((db) => summarizePeople(db, who.teamId)),
  );
  const cached = createCache<SignInSummary>((took) => (took < SLOW_MS ? 0 : FACTORS_KEPT_MS));
  serve(app, getSignInSummary, access.teamAdmin, ({ who: { teamId } }) =>
    cached(teamId, () => deps.replica.read((db) => summarizeSignIn(db, teamId))),
  );
  const getStorage = createStorage(deps);
  serve(app, getStorageSummary, access.teamAdmin, ({ who }) => getStorage(who));
  serve(app, getRetentionSummary, access.teamAdmin, ({ who }) =>
    deps.replica.read((db) => summarizeRetention(db, who.teamId)),
  );
  serve(app, getIntegrationsSummary, access.teamAdmin, ({ who }) =>
    deps.replica.read((db) => summarizeIntegrations(db, who.teamId)),
  );
}

/** Returns a function that says what a team stores. Counts wait for other counts of the team. */
function createStorage(deps: Deps): (asking: { teamId: string; userId: string }) => Promise<StorageSummary> {
  type Counted = Omit<StorageSummary, 'freed_this_month'>;
  const cached = createCache<Counted>((took) => (took < SLOW_MS ? 0 : STORAGE_KEPT_MS));
  return async ({ teamId, userId: user }) => {
    const count = async (db: Deps['db']) => ({ ...(await countStorage(db, teamId)), counted_at: Date.now() });
    const counted = await cached(teamId, () =>
      deps.countQueue.run({ key: teamId, user }, () => deps.replica.count(count)),
    );
    // Never cached, because people look here right after a run.
    return { ...counted, freed_this_month: await countFreed(deps.db, teamId) };
  };
}

function helpDeskAttention(integrations: readonly { health: IntegrationHealth; warnings: string[] }[]): Attention[] {
  const failing = integrations.filter(({ health }) => health === 'failing');
  // A failed delivery alone is counted with the deliveries.
  const warned = integrations.filter(({ health, warnings }) => health === 'warning' && warnings.length > 0);
  const found = [
    { kind: 'integration_failing' as const, of: failing },
    { kind: 'integration_warning' as const, of: warned },
  ];
  return found
    .filter(({ of }) => of.length > 0)
    .map(({ kind, of }) => ({ kind, count: of.length, since: null, text: of[0]?.warnings[0] ?? '' }));
}

/** Most severe first. */
function sortBySeverity(found: readonly Attention[]): Attention[] {
  const severity = AttentionKind.options;
  return found.toSorted((one, other) => severity.indexOf(one.kind) - severity.indexOf(other.kind));
}
