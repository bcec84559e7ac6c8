import { TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { EMAIL_MAX, TEAM_NAME_MAX } from '@steward/contract/api/limits';
import { setUp } from '@steward/contract/signup';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link, redirect, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import { TimeZoneField } from '#platform/forms/time-zone-field.tsx';
import { productName } from '#platform/product/product.ts';
import frame from '#workspace/page/card.module.css';
import { Card, FormError } from '#workspace/page/card.tsx';
import { clearEmailedToken, getEmailedToken, takeEmailedToken } from '#workspace/session/emailed-token.ts';
import { AccountFields } from './account-fields.tsx';
import { EMPTY_VALUES, type SetUpValues, toSetUpBody, toSetUpErrors, validateSetUp } from './setup.form.ts';

export const Route = createFileRoute('/setup')({
  beforeLoad: ({ location: { searchStr }, preload }) => {
    if (preload || !takeEmailedToken('setup', searchStr)) return;
    throw redirect({ to: '/setup', search: {}, replace: true });
  },
  component: SetUpPage,
});

/** The server prints the link to this page when it starts without a team. */
function SetUpPage() {
  const [token] = useState(() => getEmailedToken('setup'));
  return (
    <Card title={`Set up ${productName()}`} isWide isTitleFocused={token === null}>
      <p className={frame.text}>
        {token === null
          ? 'This page needs the set-up link that the server prints when it starts. To get a new one, restart the server.'
          : 'Create the first team of this server. You become its owner.'}
      </p>
      {token !== null && <SetUpForm token={token} />}
      <p className={frame.foot}>
        {token === null ? 'Is there a team already?' : 'Have an account?'}{' '}
        <Link to="/login" className={frame.link}>
          Sign in
        </Link>
      </p>
    </Card>
  );
}

/** The input isn't cached. */
const setUpMutation = { ...mutationOptionsFor(setUp), gcTime: 0 };

// With the name of the component, the router would keep the form in the first load of every screen.
type SetUpFormState = UseFormReturnType<SetUpValues>;

function SetUpForm({ token }: { token: string }) {
  const form = useForm<SetUpValues>({ initialValues: EMPTY_VALUES, validate: validateSetUp });
  const { send, isSending, failure } = useSetUp(token, form);
  return (
    <form noValidate className={frame.form} onSubmit={form.onSubmit(send, (errors) => focusFirst(form, errors))}>
      {failure !== undefined && <FormError>{failure}</FormError>}
      <TextInput
        label="Company or team name"
        autoComplete="organization"
        autoFocus
        maxLength={TEAM_NAME_MAX}
        {...form.getInputProps('team_name')}
      />
      <TimeZoneField
        description="Days of the team begin and end there. An owner can change it later."
        value={form.values.time_zone}
        error={form.errors.time_zone}
        onChange={(zone) => form.setFieldValue('time_zone', zone)}
      />
      <TextInput
        label="Your email"
        description="You'll sign in with it as the team owner."
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={EMAIL_MAX}
        {...form.getInputProps('email')}
      />
      <AccountFields getInputProps={(field) => form.getInputProps(field)} isNamed={false} isContinued />
      <FocusableButton type="submit" isDisabled={false} isBusy={isSending}>
        Create team
      </FocusableButton>
    </form>
  );
}

function useSetUp(token: string, form: SetUpFormState) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useMutation(setUpMutation);
  const send = (values: SetUpValues) => {
    // The second click of a double click arrives before the button is shown as busy.
    if (client.isMutating({ mutationKey: [setUp.name] }) > 0) return;
    const onSuccess = () => {
      clearEmailedToken('setup');
      const notice = `SignUp Completed Successfully. You can now login into your ${productName()} Admin account`;
      void navigate({ to: '/login', state: { notice } });
    };
    const onError = (refusal: Failure) => {
      if (refusal.id === 'setup.link_invalid') clearEmailedToken('setup');
      const errors = toSetUpErrors(refusal);
      form.setErrors(errors);
      focusFirst(form, errors);
    };
    mutate({ body: toSetUpBody(token, values) }, { onSuccess, onError });
  };
  const isAboutForm = error !== null && !isPending && Object.keys(toSetUpErrors(error)).length === 0;
  return { send, isSending: isPending, failure: isAboutForm ? error.message : undefined };
}

function focusFirst(form: SetUpFormState, errors: object): void {
  const [field] = Object.keys(errors);
  if (field !== undefined) form.getInputNode(field as keyof SetUpValues)?.focus();
}
