import * as calls from '@steward/contract/integrations';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { nextTask } from '#platform/tables/cached-lists.ts';
import { integrationQueryOptions, type Place, refreshIntegrations } from '../integrations.queries.ts';
import { buildMessage, toStoredChannels, triggerBody } from './trigger.form.ts';
import type { TriggerFormState } from './use-trigger-form.ts';

/** Saves the form, or posts a test message. Nothing is sent while the form is invalid. */
export function useTriggerCalls(place: Place, form: TriggerFormState) {
  const saving = useSaveTriggers(place);
  const test = useMutation(testMutation);
  const fail = (text: string) => showAlert({ kind: 'error', text });

  const save = () => {
    if (saving.isPending) return;
    saving.reset();
    const error = form.check(['actions', 'channels', 'template']);
    if (error !== undefined) return fail(error);
    const { values, edits, open } = form;
    saving.mutate(triggerBody(place.integrationId, values, open), {
      onSuccess: () => {
        form.markSaved(edits);
        showAlert({ kind: 'success', text: 'Updated Successfully' });
      },
      onError: ({ message }) => fail(message),
    });
  };
  const sendTest = () => {
    if (test.isPending) return;
    test.reset();
    const error = form.check(['channels', 'template']);
    if (error !== undefined) return fail(error);
    const body = buildMessage(form.values.template, form.open);
    test.mutate({ params: { ...place }, body }, { onError: ({ message }) => fail(message) });
  };
  return {
    save,
    isSaving: saving.isPending,
    /** Error of the last attempt; shown until the next one. */
    failure: saving.error?.message,
    test: { onSend: sendTest, isSending: test.isPending, failure: test.error?.message, result: test.data },
  };
}

/** Saves the triggers and shows them as stored. */
function useSaveTriggers(place: Place) {
  const client = useQueryClient();
  return useMutation<unknown, Failure, ReturnType<typeof triggerBody>>({
    mutationFn: (body) => call(calls.saveIntegration, { params: { ...place }, body }),
    onSuccess: async (_response, body) => {
      const { queryKey } = integrationQueryOptions(place);
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (detail) => detail && toStoredChannels(detail, body));
      void refreshIntegrations(client);
      // The edits must not be discarded before this is rendered, or the previous values would show for a moment.
      await nextTask();
    },
  });
}

/** Posts the sample ticket to the selected channels. */
const testMutation = mutationOptionsFor(calls.testIntegration, { refreshes: [calls.listIntegrations] });
