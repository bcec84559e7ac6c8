import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { TOKEN_NAME_MAX } from '@steward/contract/api/limits';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { NewToken } from './new-token.tsx';
import { toTokenErrors, validateToken } from './tokens.form.ts';
import { adding } from './tokens.queries.ts';

interface AddTokenDialogProps {
  teamId: string;
  opened: boolean;
  onClose: () => void;
}

/** Creates a token and shows it once. Mounted anew for each opening. */
export function AddTokenDialog({ teamId, opened, onClose }: AddTokenDialogProps) {
  const form = useForm({ initialValues: { name: '' }, validate: validateToken });
  const [idempotencyKeyFor] = useState(createIdempotencyKeys);
  const add = useMutation(adding);
  if (add.data !== undefined) return <NewToken token={add.data} opened={opened} onClose={onClose} />;
  const save = (body: { name: string }) =>
    add.mutate(
      { params: { teamId }, body, idempotencyKey: idempotencyKeyFor(body) },
      {
        onSuccess: () => showAlert({ kind: 'success', text: 'Added Successfully' }),
        onError: ({ message }) => {
          form.setErrors(toTokenErrors(message));
          showAlert({ kind: 'error', text: message });
        },
      },
    );
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Add Token"
      submitLabel="Add Token"
      isDirty={form.isDirty()}
      isSaving={add.isPending}
      failure={add.error?.message}
      onSubmit={form.onSubmit(save, () => form.getInputNode('name')?.focus())}
    >
      <TextInput
        label="Name"
        description="The service that will use this token."
        required
        data-autofocus
        maxLength={TOKEN_NAME_MAX}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
    </FormDialog>
  );
}
