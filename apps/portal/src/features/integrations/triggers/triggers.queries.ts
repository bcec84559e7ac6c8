import * as calls from '@steward/contract/integrations';
import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import { nextTask } from '#platform/tables/cached-lists.ts';
import { integrationQueryOptions, type Place, refreshIntegrations } from '../integrations.queries.ts';
import { encodeTemplate } from '../template/template-text.ts';
import { toStoredChannels, type triggerBody } from './trigger.form.ts';

/** While the page is looked at, it is asked this often how the connection stands. Milliseconds. */
export const INTEGRATION_POLL_MS = 10_000;

/** What a template makes of the sample ticket; the answer before stays in view until the next has come. */
export function getPreview(place: Place, template: string) {
  const sent = { params: { ...place }, body: { message: encodeTemplate(template) } };
  return { ...queryOptionsFor(calls.previewTemplate, sent), placeholderData: keepPreviousData, gcTime: 30_000 };
}

type Body = ReturnType<typeof triggerBody>;

/** Saves the triggers, and shows them as stored. */
export function useSaveTriggers(place: Place) {
  const client = useQueryClient();
  return useMutation<unknown, Failure, Body>({
    mutationFn: (body) => call(calls.saveIntegration, { params: { ...place }, body }),
    onSuccess: async (_answer, body) => {
      const { queryKey } = integrationQueryOptions(place);
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (detail) => detail && toStoredChannels(detail, body));
      void refreshIntegrations(client);
      // Before what was entered is let go of: else what was stored before shows for a moment.
      await nextTask();
    },
  });
}

/** Disconnects; done once everything shows it. */
export function useDisable(place: Place) {
  const client = useQueryClient();
  return useMutation<{ warnings: string[] }, Failure, void>({
    mutationFn: () => call(calls.disableIntegration, { params: { ...place } }),
    onSettled: () => refreshIntegrations(client),
  });
}

/** Posts the sample ticket in the chosen channels. */
export const testing = mutationOptionsFor(calls.testIntegration, { refreshes: [calls.listIntegrations] });
