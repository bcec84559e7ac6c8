import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { reauthenticate } from '@steward/contract/factors/factors';
import { useMutation } from '@tanstack/react-query';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { FormError } from '#workspace/page/card.tsx';

const EMPTY = { password: '', token: '' };

interface PasswordProofProps {
  /** Whether a code is needed besides the password. */
  hasFactor: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Confirms who holds the session with the password, and a code if there is a second factor. */
export function PasswordProof({ hasFactor, onConfirm, onCancel }: PasswordProofProps) {
  const { form, submit, isPending, failure } = useProof(hasFactor, onConfirm);
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={16}>
        {failure !== undefined && <FormError>{failure}</FormError>}
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          autoFocus
          visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
          {...form.getInputProps('password')}
        />
        {hasFactor && (
          <TextInput
            label="Code"
            description="From your authenticator app, or a recovery code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            {...form.getInputProps('token')}
          />
        )}
      </Stack>
      <DialogButtons>
        <Button variant="default" disabled={isPending} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          Confirm
        </Button>
      </DialogButtons>
    </form>
  );
}

function useProof(hasFactor: boolean, onConfirm: () => void) {
  // The password isn't kept after the dialog.
  const { mutate, isPending, error } = useMutation({ ...mutationOptionsFor(reauthenticate), gcTime: 0 });
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      password: (value) => (value === '' ? 'Enter your password.' : null),
      token: (value) => (hasFactor && value.trim() === '' ? 'Enter a code.' : null),
    },
  });
  const focus = (field: keyof typeof EMPTY | undefined) => {
    if (field !== undefined) form.getInputNode(field)?.focus();
  };
  const submit = form.onSubmit(
    ({ password, token }) =>
      mutate(
        { body: { password, ...(hasFactor && { token }) } },
        {
          onSuccess: onConfirm,
          onError: ({ id, message }) => {
            const field = FIELDS[id];
            if (field !== undefined) form.setFieldError(field, message);
            focus(field);
          },
        },
      ),
    (errors) => focus(Object.keys(errors)[0] as keyof typeof EMPTY),
  );
  const isShownAbove = error !== null && !isPending && FIELDS[error.id] === undefined;
  return { form, submit, isPending, failure: isShownAbove ? error.message : undefined };
}

/** Errors about one field. */
const FIELDS: Readonly<Record<string, keyof typeof EMPTY>> = { 'password.wrong': 'password', 'mfa.wrong': 'token' };
