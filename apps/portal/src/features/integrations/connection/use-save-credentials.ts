import { useForm } from '@mantine/form';
import type { IntegrationDetail } from '@steward/contract/integrations';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { type SendCredentials, useSendCredentials } from './connection.queries.ts';
import {
  type CredentialValues,
  getFormValues,
  toCredentialErrors,
  toRequestBody,
  validateCredentials,
} from './credentials.form.ts';

interface SaveOptions {
  /** Initial values; undefined if they couldn't be fetched. */
  stored: IntegrationDetail | undefined;
  send: SendCredentials;
  /** Text of the success alert. */
  done: string;
  /** Action of the success alert. */
  next?: { label: string; run: () => void };
  onSaved: (warnings: string[]) => void;
}

/** State of the credential form. A failed save keeps what was entered; a successful one clears it. */
export function useSaveCredentials({ stored, send, done, next, onSaved }: SaveOptions) {
  const form = useForm<CredentialValues>({ initialValues: getFormValues(stored), validate: validateCredentials });
  const sending = useSendCredentials(() => send(toRequestBody(form.getValues())));
  const save = () => {
    if (sending.isPending) return;
    sending.mutate(undefined, {
      onSuccess: ({ warnings }) => {
        form.reset();
        showAlert({ kind: 'success', text: done, ...(next !== undefined && { action: next }) });
        onSaved(warnings);
      },
      onError: (failure) => {
        form.setErrors(toCredentialErrors(failure));
        showAlert({ kind: 'error', text: failure.message });
      },
    });
  };
  const showFirst = (errors: object) => form.getInputNode(Object.keys(errors)[0] as keyof CredentialValues)?.focus();
  return {
    form,
    submit: form.onSubmit(save, showFirst),
    isSaving: sending.isPending,
    /** Error of the last attempt; shown until the next one. */
    failure: sending.error?.message,
  };
}
