// Inner folders import in one direction: triggers and tiles → connection, deliveries, template → status → this folder.
import * as calls from '@steward/contract/integrations';
import type { QueryClient } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/api/queries.ts';

/** One integration of one team. */
export interface Place {
  teamId: string;
  integrationId: string;
}

/** The integrations of a team, connected or not. */
export function integrationsQueryOptions(teamId: string) {
  return queryOptionsFor(calls.listIntegrations, { params: { teamId } });
}

/** The settings of one integration, without its secrets. */
export function integrationQueryOptions({ teamId, integrationId }: Place) {
  return queryOptionsFor(calls.getIntegration, { params: { teamId, integrationId } });
}

/** Refetches what a change of an integration can affect; resolves when the new data has arrived. */
export async function refreshIntegrations(client: QueryClient): Promise<void> {
  const names = [calls.listIntegrations.name, calls.getIntegration.name];
  await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })));
}
