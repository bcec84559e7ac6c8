import {
  addToken,
  getTokenPolicy,
  listTokens,
  removeToken,
  saveTokenPolicy,
  type Token,
  type TokenPolicy,
} from '@steward/contract/tokens';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';

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

/** Whether admins may create tokens. */
export function policyQueryOptions(teamId: string) {
  return queryOptionsFor(getTokenPolicy, { params: { teamId } });
}

/** Lets admins create tokens, or not; shown before the server has answered. */
export function useSavePolicy(teamId: string) {
  const client = useQueryClient();
  const { queryKey } = policyQueryOptions(teamId);
  const mutationKey = [saveTokenPolicy.name, teamId];
  return useMutation({
    ...mutationOptionsFor(saveTokenPolicy),
    // One after the other, so that the last answer counts.
    scope: { id: saveTokenPolicy.name },
    mutationKey,
    onMutate: ({ body }) => {
      void client.cancelQueries({ queryKey }, { revert: false });
      client.setQueryData<TokenPolicy>(queryKey, body);
    },
    onError: ({ message }) => showAlert({ kind: 'error', text: message }),
    // Reading it while a newer change waits would show the older one for a moment.
    onSettled: () => (client.isMutating({ mutationKey }) > 1 ? undefined : client.invalidateQueries({ queryKey })),
  });
}
