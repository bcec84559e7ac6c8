import { Text } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { finishSignUp } from '@steward/contract/signup';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Failure } from '#platform/api/failure.ts';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import unseen from '#platform/page/visually-hidden.module.css';
import { productName } from '#platform/product/product.ts';
import frame from '#workspace/page/card.module.css';
import { Card, FormError } from '#workspace/page/card.tsx';
import { PersonFields } from '../person-fields.tsx';
import classes from '../signup.module.css';
import { storedSignUpEnd } from '../wizard/stored-draft.ts';
import { type CheckedLink, finishSignUpMutation, forgetLink } from './confirm.queries.ts';
import { type FinalValues, getFormValues, toFinalErrors, validateFinal } from './final.form.ts';

interface FinalDetailsProps {
  token: string;
  link: CheckedLink;
}

/** Name and password: the last step of a sign-up or an invitation. */
export function FinalDetails({ token, link }: FinalDetailsProps) {
  const form = useForm<FinalValues>({ initialValues: getFormValues(link), validate: validateFinal });
  const { finish, isSending, failure } = useFinishSignUp(token, form);
  const { email, team_name, invited, invited_by, first, last } = link;
  const isNamed = first !== '' && last !== '';
  return (
    <Card title={invited ? `Join ${team_name}` : 'Almost there'} isWide>
      <Text className={classes.lead ?? ''} c="dimmed" mb="md">
        {invited ? (
          <>
            {invited_by === undefined ? (
              "You're invited"
            ) : (
              <>
                <bdi>{invited_by.name}</bdi> invited you
              </>
            )}{' '}
            to the team <strong>{team_name}</strong> as <strong>{email}</strong>. To accept, enter your name and choose
            a password.
          </>
        ) : (
          <>
            <strong>{email}</strong> is confirmed. Enter your name and choose a password to finish creating{' '}
            <strong>{team_name}</strong>.
          </>
        )}
      </Text>
      <form noValidate className={frame.form} onSubmit={form.onSubmit(finish, (errors) => focusFirst(form, errors))}>
        {failure !== undefined && <FormError>{failure}</FormError>}
        {/* Tells password managers which account this is. */}
        <input
          className={unseen.unseen}
          type="text"
          autoComplete="username"
          value={email}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
        <PersonFields getInputProps={(field) => form.getInputProps(field)} isNamed={isNamed} />
        <FocusableButton type="submit" isDisabled={false} isBusy={isSending}>
          {invited ? 'Join team' : 'Create team'}
        </FocusableButton>
      </form>
      <p className={frame.foot}>
        Have an account?{' '}
        <Link to="/login" className={frame.link}>
          Sign in
        </Link>
      </p>
    </Card>
  );
}

type FinalForm = UseFormReturnType<FinalValues>;

function useFinishSignUp(token: string, form: FinalForm) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useMutation(finishSignUpMutation);
  const finish = (values: FinalValues) => {
    // The second click of a double click arrives before the button is shown as busy.
    if (client.isMutating({ mutationKey: [finishSignUp.name] }) > 0) return;
    const onSuccess = () => {
      forgetLink();
      storedSignUpEnd.write('1');
      const notice = `SignUp Completed Successfully. You can now login into your ${productName()} Admin account`;
      void navigate({ to: '/login', state: { notice } });
    };
    const onError = (refusal: Failure) => {
      if (refusal.id === 'signup.link_invalid') forgetLink();
      const errors = toFinalErrors(refusal);
      form.setErrors(errors);
      focusFirst(form, errors);
    };
    mutate({ body: { token, ...values } }, { onSuccess, onError });
  };
  const isAboutForm = error !== null && !isPending && Object.keys(toFinalErrors(error)).length === 0;
  return { finish, isSending: isPending, failure: isAboutForm ? error.message : undefined };
}

function focusFirst(form: FinalForm, errors: object): void {
  const [field] = Object.keys(errors);
  if (field !== undefined) form.getInputNode(field as keyof FinalValues)?.focus();
}
