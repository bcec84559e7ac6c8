import * as calls from '@steward/contract/integrations';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { queryOptionsFor } from '#platform/api/queries.ts';

export interface IntegrationKey {
  teamId: string;
  integrationId: string;
}

export function integrationsQueryOptions(teamId: string) {
  return queryOptionsFor(calls.listIntegrations, { params: { teamId } });
}

/** Secrets are never part of the response. */
export function integrationQueryOptions({ teamId, integrationId }: IntegrationKey) {
  return queryOptionsFor(calls.getIntegration, { params: { teamId, integrationId } });
}

/** Resolves when the data that the change affects has been fetched again. */
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
    // The server may have applied the change even if its response was lost.
    onError: () => void refreshIntegrations(client),
  });
}

/** Resolves when every screen shows the change. */
export function useDisable(place: IntegrationKey) {
  const client = useQueryClient();
  return useMutation<{ warnings: string[] }, Failure, void>({
    mutationFn: () => call(calls.disableIntegration, { params: { ...place } }),
    onSettled: () => refreshIntegrations(client),
  });
}
