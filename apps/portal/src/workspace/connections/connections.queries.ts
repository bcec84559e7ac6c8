import { listConnections } from '@steward/contract/connections';
import { queryOptionsFor } from '#platform/api/queries.ts';

export function connectionsQueryOptions(teamId: string) {
  return { ...queryOptionsFor(listConnections, { params: { teamId } }), staleTime: 0 };
}
