import * as calls from '@steward/contract/integrations';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
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

type Result = Awaited<ReturnType<typeof call<typeof calls.connectIntegration>>>;

/** The query client keeps the variables of a mutation, so secrets aren't variables: `send` reads them when it is called. */
export function useSendCredentials(send: () => Promise<Result>) {
  const client = useQueryClient();
  return useMutation<Result, Failure, void>({
    mutationFn: send,
    gcTime: 0,
    onSuccess: () => refreshIntegrations(client),
    // Without a response, the change may have been made anyway.
    onError: () => void refreshIntegrations(client),
  });
}

/** Disconnects an integration; resolves when every screen shows it. */
export function useDisable(place: Place) {
  const client = useQueryClient();
  return useMutation<{ warnings: string[] }, Failure, void>({
    mutationFn: () => call(calls.disableIntegration, { params: { ...place } }),
    onSettled: () => refreshIntegrations(client),
  });
}
