import { Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { EMAIL_CHANGE_HOURS } from '@steward/contract/api/limits';
import { useState } from 'react';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import { FormError, FormNotice } from '#workspace/page/card.tsx';
import { useRequestEmailChange } from './account.queries.ts';
import { Section } from './section.tsx';

const EMPTY = { email: '', password: '' };

/** The new address gets a confirmation link before it replaces the old one. */
export function EmailSection({ email }: { email: string }) {
  const { form, submit, isPending, failure, sentTo } = useEmailForm();
  return (
    <Section
      title="Email"
      description={
        <>
          You sign in with <bdi>{email}</bdi>. To change it, we'll send a link to the new address.
        </>
      }
    >
      <form noValidate onSubmit={submit}>
        <Stack gap="md" maw={400}>
          {failure !== undefined && <FormError>{failure}</FormError>}
          {sentTo !== undefined && (
            <FormNotice>
              We sent a link to <bdi>{sentTo}</bdi>. It expires in {EMAIL_CHANGE_HOURS} hours. Until you use it, your
              address stays the same.
            </FormNotice>
          )}
          <TextInput label="New email" type="email" autoComplete="email" {...form.getInputProps('email')} />
          <PasswordInput
            label="Your password"
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show your password', tabIndex: 0 }}
            {...form.getInputProps('password')}
          />
          <Group>
            <FocusableButton type="submit" isDisabled={!form.isDirty()} isBusy={isPending}>
              Send link
            </FocusableButton>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function useEmailForm() {
  const { mutate, isPending, error } = useRequestEmailChange();
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      email: (value) => (value.trim() === '' ? 'Enter the new address.' : null),
      password: (value) => (value === '' ? 'Enter your password.' : null),
    },
  });
  const submit = form.onSubmit(
    (body) => {
      setSentTo(undefined);
      mutate(
        { body },
        {
          onSuccess: () => {
            setSentTo(body.email.trim());
            form.reset();
          },
          onError: ({ id, message }) => {
            const field = FIELDS[id];
            if (field === undefined) return;
            // The server names the field first: “email: is not an email address”.
            form.setFieldError(field, message.replace(/^email: is/, 'This is'));
            form.getInputNode(field)?.focus();
          },
        },
      );
    },
    (errors) => form.getInputNode(Object.keys(errors)[0] as keyof typeof EMPTY)?.focus(),
  );
  const isShownAbove = error !== null && !isPending && FIELDS[error.id] === undefined;
  return { form, submit, isPending, sentTo, failure: isShownAbove ? error.message : undefined };
}

const FIELDS: Readonly<Record<string, keyof typeof EMPTY>> = {
  'password.wrong': 'password',
  'request.invalid': 'email',
};
