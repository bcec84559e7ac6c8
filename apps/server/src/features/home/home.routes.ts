// Home lists the problems that need an admin's attention.
// Owns no table; reads integrations, deliveries, retention rules and runs, mails, memberships and people.

import { getAttention } from '@steward/contract/home';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { getIntegrationHealth } from '#workspace/integrations/integration-health.ts';
import { listAttention, listConnected } from './attention.store.ts';
import { helpDeskAttention, sortBySeverity } from './sort-attention.rules.ts';

export function homeRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, getAttention, access.teamAdmin, async ({ who }) => {
    const integrations = (await listConnected(deps.db, who.teamId)).map((row) => getIntegrationHealth(deps, row));
    const others = await deps.replica.read((db) => listAttention(db, who.teamId));
    return {
      records: sortBySeverity([...helpDeskAttention(integrations), ...others]),
    };
  });
}
