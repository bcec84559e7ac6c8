import * as calls from '@steward/contract/integrations';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { type Place, refreshIntegrations } from '../integrations.queries.ts';
import type { CredentialBody } from './credentials.form.ts';

type Result = Awaited<ReturnType<typeof call<typeof calls.connectIntegration>>>;

/** Sends credentials; resolves to warnings for the admin. */
export type SendCredentials = (body: CredentialBody) => Promise<Result>;

/** Connects an integration. */
export function connectMutation(params: Place): SendCredentials {
  return (body) => call(calls.connectIntegration, { params, body });
}

/** Replaces the credentials of a connected integration. */
export function replaceCredentialsMutation(params: Place): SendCredentials {
  return (body) => call(calls.saveIntegration, { params, body: { integration: params.integrationId, ...body } });
}

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
