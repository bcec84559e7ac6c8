import { Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { TOKEN_NAME_MAX } from '@steward/contract/api/limits';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { CopyField } from '#platform/forms/copy-field.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { adding } from './provisioning.queries.ts';

interface AddTokenDialogProps {
  teamId: string;
  opened: boolean;
  onClose: () => void;
}

/** Creates a token and shows it once. Mounted anew for each opening. */
export function AddTokenDialog({ teamId, opened, onClose }: AddTokenDialogProps) {
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() === '' ? 'The name is required.' : null) },
  });
  const [idempotencyKeyFor] = useState(createIdempotencyKeys);
  const add = useMutation(adding);
  if (add.data !== undefined) return <NewToken added={add.data} opened={opened} onClose={onClose} />;
  const save = (body: { name: string }) =>
    add.mutate(
      { params: { teamId }, body, idempotencyKey: idempotencyKeyFor(body) },
      {
        onSuccess: () => showAlert({ kind: 'success', text: 'Added Successfully' }),
        onError: ({ message }) => showAlert({ kind: 'error', text: message }),
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
        description="The identity provider that will use this token."
        required
        data-autofocus
        maxLength={TOKEN_NAME_MAX}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Text c="dimmed" size="xs">
        The token lets it add, change, deactivate and remove users. It stops when you are no longer an owner.
      </Text>
    </FormDialog>
  );
}

interface NewTokenProps {
  added: { name: string; token: string; base_url: string };
  opened: boolean;
  onClose: () => void;
}

/** The only time a token can be read. A click outside the dialog must not close it. */
function NewToken({ added: { name, token, base_url }, opened, onClose }: NewTokenProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Copy the token now" width={520} closable={false}>
      <Text mb="md">
        Enter both at <bdi>{name}</bdi>. Copy the token now: you won’t be able to see it again.
      </Text>
      <CopyField label="Token" value={token} showsLabel isFirst />
      <CopyField label="Base URL" value={base_url} showsLabel />
      <DialogButtons>
        <Button onClick={onClose}>Done</Button>
      </DialogButtons>
    </Dialog>
  );
}
