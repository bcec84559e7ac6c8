import { addScimToken, listScimLog, listScimTokens, removeScimToken } from '@steward/contract/scim';
import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
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

/** Resolves when the list is updated, even if another owner removed the token first. */
export function useRemoveToken(teamId: string, tokenId: string) {
  const client = useQueryClient();
  return useMutation<unknown, Failure, void>({
    mutationFn: () => call(removeScimToken, { params: { teamId, tokenId } }),
    onSettled: () => client.invalidateQueries({ queryKey: [listScimTokens.name] }),
  });
}
