import * as calls from '@steward/contract/integrations';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { queryOptionsFor } from '#platform/api/queries.ts';
import type { CredentialBody } from './connection/credentials.form.ts';

/** One integration of one team. */
export interface Place {
  teamId: string;
  integrationId: string;
}

/** The integrations of a team, connected or not. */
export function integrationsQueryOptions(teamId: string) {
  return queryOptionsFor(calls.listIntegrations, { params: { teamId } });
}

/** The settings of one, without its secrets. */
export function integrationQueryOptions({ teamId, integrationId }: Place) {
  return queryOptionsFor(calls.getIntegration, { params: { teamId, integrationId } });
}

/** Fetches again what a change of an integration may have changed; done once that is there. */
export async function refreshIntegrations(client: QueryClient): Promise<void> {
  const names = [calls.listIntegrations.name, calls.getIntegration.name];
  await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })));
}

type Done = Awaited<ReturnType<typeof call<typeof calls.connectIntegration>>>;

/** Sends credentials; answers what an admin should look at. */
export type SendCredentials = (body: CredentialBody) => Promise<Done>;

/** Connects an integration. */
export function connecting(params: Place): SendCredentials {
  return (body) => call(calls.connectIntegration, { params, body });
}

/** Replaces the credentials of one that is connected. */
export function replaceCredentialsMutation(params: Place): SendCredentials {
  return (body) => call(calls.saveIntegration, { params, body: { integration: params.integrationId, ...body } });
}

/** The client keeps what a mutation is given; secrets are read when they are sent, so that it is given none (trust G16). */
export function useSendCredentials(send: () => Promise<Done>) {
  const client = useQueryClient();
  return useMutation<Done, Failure, void>({
    mutationFn: send,
    gcTime: 0,
    onSuccess: () => refreshIntegrations(client),
    // No answer does not mean that nothing was done.
    onError: () => void refreshIntegrations(client),
  });
}
