// Home lists the problems that need an admin's attention.
// Owns no table; reads integrations, deliveries, retention rules and runs, mails, memberships and people.

import { type Attention, AttentionKind, getAttention } from '@steward/contract/home';
import type { IntegrationHealth } from '@steward/contract/integrations';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { getIntegrationHealth } from '#workspace/integrations/integration-health.ts';
import { listAttention, listConnected } from './attention.store.ts';

export function homeRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, getAttention, access.teamAdmin, async ({ who }) => {
    const integrations = (await listConnected(deps.db, who.teamId)).map((row) => getIntegrationHealth(deps, row));
    const others = await deps.replica.read((db) => listAttention(db, who.teamId));
    return {
      records: sortBySeverity([...helpDeskAttention(integrations), ...others]),
    };
  });
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
