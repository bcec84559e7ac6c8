import { useMutation } from '@tanstack/react-query';
import { showAlert } from '#platform/feedback/alerts.tsx';
import type { Place } from '../integrations.queries.ts';
import { buildMessage, triggerBody } from './trigger.form.ts';
import { testing, useSaveTriggers } from './triggers.queries.ts';
import type { TriggerFormState } from './use-trigger-form.ts';

/** Saves what is in the form, or tries it. Neither call is made where the form alone shows that it would be refused. */
export function useTriggerCalls(place: Place, form: TriggerFormState) {
  const saving = useSaveTriggers(place);
  const test = useMutation(testing);
  const fail = (text: string) => showAlert({ kind: 'error', text });

  const save = () => {
    if (saving.isPending) return;
    saving.reset();
    const fault = form.check(['actions', 'channels', 'template']);
    if (fault !== undefined) return fail(fault);
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
    const fault = form.check(['channels', 'template']);
    if (fault !== undefined) return fail(fault);
    const body = buildMessage(form.values.template, form.open);
    test.mutate({ params: { ...place }, body }, { onError: ({ message }) => fail(message) });
  };
  return {
    save,
    isSaving: saving.isPending,
    /** Why the last try failed; stays beside the form until the next. */
    failure: saving.error?.message,
    test: { onSend: sendTest, isSending: test.isPending, failure: test.error?.message, result: test.data },
  };
}
