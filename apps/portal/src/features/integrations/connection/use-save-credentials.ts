import { useForm } from '@mantine/form';
import type { IntegrationDetail } from '@steward/contract/integrations';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { type SendCredentials, useSendCredentials } from '../integrations.queries.ts';
import {
  type CredentialValues,
  getFormValues,
  toCredentialErrors,
  toRequestBody,
  validateCredentials,
} from './credentials.form.ts';

interface Saved {
  /** What the form opens with; nothing where nothing is known. */
  stored: IntegrationDetail | undefined;
  send: SendCredentials;
  /** Text of the spec for a success. */
  done: string;
  onSaved: (warnings: string[]) => void;
}

/** The credential form and its saving. What was typed stays when saving fails, and is forgotten when it succeeds. */
export function useSaveCredentials({ stored, send, done, onSaved }: Saved) {
  const form = useForm<CredentialValues>({ initialValues: getFormValues(stored), validate: validateCredentials });
  const sending = useSendCredentials(() => send(toRequestBody(form.getValues())));
  const save = () => {
    if (sending.isPending) return;
    sending.mutate(undefined, {
      onSuccess: ({ warnings }) => {
        form.reset();
        showAlert({ kind: 'success', text: done });
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
    /** Why the last try failed; stays beside the form until the next. */
    failure: sending.error?.message,
  };
}
