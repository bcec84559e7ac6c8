import { Checkbox, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { TOKEN_NAME_MAX } from '@steward/contract/api/limits';
import { ContentKind } from '@steward/contract/content';
import type { Token } from '@steward/contract/tokens';
import { useState } from 'react';
import { useChangeWithKey } from '#platform/api/idempotency-key.ts';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { CopyField } from '#platform/forms/copy-field.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { NewTokenDialog } from '#workspace/tokens/token-dialogs.tsx';
import { KIND_LABELS } from './token-text.ts';
import { EXPIRIES, type TokenValues, toTokenBody, toTokenErrors, toTokenValues, validateToken } from './tokens.form.ts';
import { adding } from './tokens.queries.ts';

interface AddTokenDialogProps extends DialogControls {
  teamId: string;
  /** The new token continues the source of this one. */
  replaced?: Token | undefined;
}

/** The token is shown only once. The dialog is mounted anew for each opening. */
export function AddTokenDialog({ teamId, replaced, opened, onClose }: AddTokenDialogProps) {
  const form = useForm({ initialValues: toTokenValues(replaced), validate: validateToken });
  const [openedAt] = useState(Date.now);
  const add = useChangeWithKey(adding);
  if (add.data !== undefined) return <NewToken token={add.data} opened={opened} onClose={onClose} />;
  const save = (values: TokenValues) => {
    add.mutate(
      { params: { teamId }, body: toTokenBody(values, openedAt, replaced?.id) },
      {
        onSuccess: () => showSuccess('Added Successfully'),
        onError: ({ message }) => {
          form.setErrors(toTokenErrors(message));
          showFailure({ message });
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

interface NewTokenProps extends DialogControls {
  token: { name: string; token: string };
}

function NewToken({ token: { name, token }, opened, onClose }: NewTokenProps) {
  return (
    <NewTokenDialog opened={opened} onClose={onClose}>
      <Text mb="md">
        This is the token for <bdi>{name}</bdi>. Copy it now: you won’t be able to see it again.
      </Text>
      <CopyField label="Token" value={token} isFirst />
    </NewTokenDialog>
  );
}

function TokenFields({ form }: { form: UseFormReturnType<TokenValues> }) {
  return (
    <>
      <TextInput
        label="Name"
        description="The service that will use this token."
        required
        data-autofocus
        maxLength={TOKEN_NAME_MAX}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Checkbox.Group label="Imports" {...form.getInputProps('kinds')}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing={8} my={8}>
          {ContentKind.options.map((kind) => (
            <Checkbox key={kind} value={kind} label={KIND_LABELS[kind]} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <Checkbox
        label="Speaks for users"
        description="Content can name the user who wrote it. Otherwise, all of it is from the integration user."
        {...form.getInputProps('speaksForUsers', { type: 'checkbox' })}
      />
      <NativeSelect label="Expires" data={EXPIRIES} {...form.getInputProps('expires')} />
    </>
  );
}
