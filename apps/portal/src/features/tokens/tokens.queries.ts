import {
  addToken,
  getTokenPolicy,
  listTokens,
  removeToken,
  saveTokenPolicy,
  type TokenPolicy,
} from '@steward/contract/tokens';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import { showFailure } from '#platform/feedback/alerts.tsx';

export function tokensQueryOptions(teamId: string) {
  return queryOptionsFor(listTokens, { params: { teamId } });
}

export const adding = mutationOptionsFor(addToken, { refreshes: [listTokens] });
export const removing = mutationOptionsFor(removeToken, { reloads: [listTokens] });

export function policyQueryOptions(teamId: string) {
  return queryOptionsFor(getTokenPolicy, { params: { teamId } });
}

/** The new value is shown before the server has answered. */
export function useSavePolicy(teamId: string) {
  const client = useQueryClient();
  const { queryKey } = policyQueryOptions(teamId);
  const mutationKey = [saveTokenPolicy.name, teamId];
  return useMutation({
    ...mutationOptionsFor(saveTokenPolicy),
    // Changes are sent one after the other, so that the last response counts.
    scope: { id: saveTokenPolicy.name },
    mutationKey,
    onMutate: ({ body }) => {
      void client.cancelQueries({ queryKey }, { revert: false });
      client.setQueryData<TokenPolicy>(queryKey, body);
    },
    onError: showFailure,
    // Refetching while a newer change waits would briefly show the older value.
    onSettled: () => (client.isMutating({ mutationKey }) > 1 ? undefined : client.invalidateQueries({ queryKey })),
  });
}
