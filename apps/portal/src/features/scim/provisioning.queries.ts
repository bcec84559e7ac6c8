import { addScimToken, listScimLog, listScimTokens, removeScimToken } from '@steward/contract/scim';
import { keepPreviousData } from '@tanstack/react-query';
import { infiniteQueryOptionsFor, mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';

/** Each row includes a whole request, so pages are short. */
const LOG_ROWS = '25';

export function provisioningQueryOptions(teamId: string) {
  return { ...queryOptionsFor(listScimTokens, { params: { teamId } }), staleTime: 0 };
}

export function logQueryOptions(teamId: string, failed: boolean) {
  return {
    ...infiniteQueryOptionsFor(listScimLog, {
      params: { teamId },
      query: { limit: LOG_ROWS, ...(failed && { failed: '1' as const }) },
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  };
}

export const adding = mutationOptionsFor(addScimToken, { refreshes: [listScimTokens] });
export const removing = mutationOptionsFor(removeScimToken, { reloads: [listScimTokens] });
