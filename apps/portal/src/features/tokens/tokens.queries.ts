import { addToken, listTokens, removeToken, type Token } from '@steward/contract/tokens';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';

/** The service tokens of a team, newest first. */
export function tokensQueryOptions(teamId: string) {
  return queryOptionsFor(listTokens, { params: { teamId } });
}

/** Makes a token. */
export const adding = mutationOptionsFor(addToken, { refreshes: [listTokens] });

/** Removes a token; resolves when the list is updated, even if another admin removed the token first. */
export function useRemoveToken(teamId: string, { id }: Token) {
  const client = useQueryClient();
  return useMutation<unknown, Failure, void>({
    mutationFn: () => call(removeToken, { params: { teamId, tokenId: id } }),
    onSettled: () => client.invalidateQueries({ queryKey: [listTokens.name] }),
  });
}
