import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Token } from '@steward/contract/tokens';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { NewToken } from './new-token.tsx';
import { TokenFields } from './token-fields.tsx';
import { type TokenValues, toTokenBody, toTokenErrors, toTokenValues, validateToken } from './tokens.form.ts';
import { adding } from './tokens.queries.ts';

interface AddTokenDialogProps {
  teamId: string;
  /** The token whose source the new one continues. */
  replaced?: Token | undefined;
  opened: boolean;
  onClose: () => void;
}

/** Creates a token and shows it once. Mounted anew for each opening. */
export function AddTokenDialog({ teamId, replaced, opened, onClose }: AddTokenDialogProps) {
  const form = useForm({ initialValues: toTokenValues(replaced), validate: validateToken });
  const [idempotencyKeyFor] = useState(createIdempotencyKeys);
  const [openedAt] = useState(Date.now);
  const add = useMutation(adding);
  if (add.data !== undefined) return <NewToken token={add.data} opened={opened} onClose={onClose} />;
  const save = (values: TokenValues) => {
    const body = toTokenBody(values, openedAt, replaced?.id);
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
  };
  const title = replaced === undefined ? 'Add Token' : 'Replace Token';
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={title}
      submitLabel={title}
      isDirty={form.isDirty()}
      isSaving={add.isPending}
      failure={add.error?.message}
      onSubmit={form.onSubmit(save, (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus())}
    >
      {replaced !== undefined && (
        <Text c="dimmed">
          The new token can change what <bdi>{replaced.name}</bdi> imported. The current token works for 24 hours more.
        </Text>
      )}
      <TokenFields form={form} />
    </FormDialog>
  );
}
