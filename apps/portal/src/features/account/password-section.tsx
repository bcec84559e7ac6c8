import { Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { showSuccess } from '#platform/feedback/alerts.tsx';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import { HiddenUsername } from '#platform/forms/hidden-username.tsx';
import { FormError } from '#workspace/page/card.tsx';
import { isSamePassword, PASSWORD_ADVICE, PASSWORDS_DIFFER, passwordProblem } from '#workspace/session/new-password.ts';
import { useChangePassword } from './account.queries.ts';
import { Section } from './section.tsx';

const EMPTY = { current: '', next: '', again: '' };

export function PasswordSection({ email }: { email: string }) {
  const { form, submit, isPending, failure } = usePasswordForm();
  const input = (name: keyof typeof EMPTY, shown: string) => ({
    visibilityToggleButtonProps: { 'aria-label': shown, tabIndex: 0 },
    ...form.getInputProps(name),
  });
  return (
    <Section title="Password" description="Changing it signs you out of all other devices.">
      <form noValidate onSubmit={submit}>
        <Stack gap="md" maw={400}>
          {failure !== undefined && <FormError>{failure}</FormError>}
          <HiddenUsername email={email} />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            {...input('current', 'Show current password')}
          />
          <PasswordInput
            label="New password"
            description={PASSWORD_ADVICE}
            autoComplete="new-password"
            {...input('next', 'Show new password')}
          />
          <PasswordInput
            label="Confirm new password"
            autoComplete="new-password"
            {...input('again', 'Show repeated password')}
          />
          <Group>
            <FocusableButton type="submit" isDisabled={!form.isDirty()} isBusy={isPending}>
              Change password
            </FocusableButton>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function usePasswordForm() {
  const { mutate, isPending, error } = useChangePassword();
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      current: (value) => (value === '' ? 'Enter your current password.' : null),
      next: (value) => passwordProblem(value) ?? null,
      again: (value, { next }) => (isSamePassword(value, next) ? null : PASSWORDS_DIFFER),
    },
  });
  const submit = form.onSubmit(
    ({ current, next }) =>
      mutate(
        { body: { current_password: current, new_password: next } },
        {
          onSuccess: () => {
            form.reset();
            showSuccess('Your password was changed');
          },
          onError: ({ id, message }) => {
            const field = FIELDS[id];
            if (field === undefined) return;
            form.setFieldError(field, message);
            form.getInputNode(field)?.focus();
          },
        },
      ),
    (errors) => form.getInputNode(Object.keys(errors)[0] as keyof typeof EMPTY)?.focus(),
  );
  const isShownAbove = error !== null && !isPending && FIELDS[error.id] === undefined;
  return { form, submit, isPending, failure: isShownAbove ? error.message : undefined };
}

const FIELDS: Readonly<Record<string, keyof typeof EMPTY>> = {
  'password.wrong': 'current',
  'password.too_common': 'next',
};
