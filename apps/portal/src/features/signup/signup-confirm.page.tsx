import { Box, Button, Center, Text } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { finishSignUp } from '@steward/contract/signup';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link, Navigate, redirect, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Failure, getFailureMessage } from '#platform/api/failure.ts';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import { HiddenUsername } from '#platform/forms/hidden-username.tsx';
import { getSignUpAccess, productName } from '#platform/product/product.ts';
import frame from '#workspace/page/card.module.css';
import { Card, FormError } from '#workspace/page/card.tsx';
import { getEmailedToken, takeEmailedToken } from '#workspace/session/emailed-token.ts';
import { OtherAccount, useOtherAccount } from '#workspace/session/other-account.tsx';
import { canSignInWithCookie } from '#workspace/session/session.ts';
import { AccountFields } from './account-fields.tsx';
import {
  type CheckedLink,
  describeNext,
  finishSignUpMutation,
  forgetLink,
  signUpCheckQueryOptions,
} from './confirm.queries.ts';
import { type FinalValues, getFormValues, toFinalErrors, validateFinal } from './final.form.ts';
import classes from './signup.module.css';
import { storedSignUpEnd } from './stored-draft.ts';

export const Route = createFileRoute('/signup_confirm')({
  beforeLoad: ({ location: { searchStr }, preload }) => {
    if (preload || !takeEmailedToken('signup', searchStr)) return;
    throw redirect({ to: '/signup_confirm', search: {}, replace: true });
  },
  component: SignupConfirmPage,
});

function SignupConfirmPage() {
  const [token] = useState(() => getEmailedToken('signup'));
  const [attempt, setAttempt] = useState(0);
  if (token !== null) return <Check key={attempt} token={token} onSignedOut={() => setAttempt(attempt + 1)} />;
  return storedSignUpEnd.read() === null ? null : <Ended />;
}

interface CheckProps {
  token: string;
  /** Another account has signed out, and the link is checked again. */
  onSignedOut: () => void;
}

function Check({ token, onSignedOut }: CheckProps) {
  const { data, error, isFetching, refetch } = useQuery(signUpCheckQueryOptions(token));
  const other = useOtherAccount(data?.email);
  if (isFetching || (data?.email !== undefined && other === undefined)) return <Waiting />;
  if (error !== null) return <Failed failure={error} onRetry={() => void refetch()} />;
  if (data !== undefined && other) return <ForOther link={data} signedInAs={other} onSignedOut={onSignedOut} />;
  if (data?.mode === '1' && data.invited) {
    const notice = toInvitationNotice(data);
    return canSignInWithCookie() ? (
      <Navigate to="/account" replace />
    ) : (
      <Navigate to="/login" replace state={{ notice, from: '/account' }} />
    );
  }
  if (data?.mode === '1') {
    const notice = `Email Verified Successfully. You can now login into your ${productName()} Admin account`;
    const next = describeNext(data);
    return <Navigate to="/login" replace state={{ notice, ...(next !== undefined && { next }) }} />;
  }
  if (data?.mode === '2') return <FinalDetails token={token} link={data} />;
  return (
    <Card title="Sign-up" isWide>
      <FormError>Something went wrong. Please try again later or contact site administrator.</FormError>
    </Card>
  );
}

function toInvitationNotice({ team_name }: CheckedLink): string {
  return `You already have an account. Sign in to answer the invitation to ${team_name}.`;
}

interface ForOtherProps {
  link: CheckedLink;
  signedInAs: { name: string; email: string };
  onSignedOut: () => void;
}

/** Nothing is entered or answered for an address in the session of another account. */
function ForOther({ link, signedInAs, onSignedOut }: ForOtherProps) {
  const navigate = useNavigate();
  const { email, team_name, mode, invited } = link;
  const goOn = async () => {
    // An account that exists signs in, which needs no link.
    if (mode === '1' && invited)
      await navigate({ to: '/login', replace: true, state: { notice: toInvitationNotice(link), from: '/account' } });
    else onSignedOut();
  };
  return (
    <OtherAccount {...(mode === '2' && { link: 'signup' })} signedInAs={signedInAs} onSignedOut={goOn}>
      {invited ? 'It invites' : 'It is for'}{' '}
      <strong>
        <bdi>{email}</bdi>
      </strong>{' '}
      {invited ? 'to the team' : 'and the new team'}{' '}
      <strong>
        <bdi>{team_name}</bdi>
      </strong>
      .
    </OtherAccount>
  );
}

function Waiting() {
  return (
    <Center component="main" mih="100dvh" bg="var(--surface-quiet)" c="dimmed" className={classes.late ?? ''}>
      <div role="status">
        <Text component="h1">Please Wait. Authenticating...</Text>
      </div>
    </Center>
  );
}

function Failed({ failure, onRetry }: { failure: unknown; onRetry: () => void }) {
  // A refused link is no longer stored; other failures may be temporary.
  const canRetry = getEmailedToken('signup') !== null;
  return (
    <Card title="Sign-up" isWide>
      <Box mb="md">
        <FormError>Something went Wrong. Error: {getFailureMessage(failure)}</FormError>
      </Box>
      <div className={frame.row}>
        {canRetry && <Button onClick={onRetry}>Retry</Button>}
        <Link to="/login" className={frame.link}>
          Sign in
        </Link>
        {!canRetry && getSignUpAccess() !== 'off' && (
          <Link to="/signup" className={frame.link}>
            Create a team
          </Link>
        )}
      </div>
    </Card>
  );
}

/** This is shown when the user goes back to this screen after finishing. */
function Ended() {
  return (
    <Card title="All done" isWide isTitleFocused>
      <p className={frame.text}>
        SignUp Completed Successfully. You can now login into your {productName()} Admin account
      </p>
      <Button component={Link} to="/users/users">
        OK
      </Button>
    </Card>
  );
}

interface FinalDetailsProps {
  token: string;
  link: CheckedLink;
}

/** This is the last step of a sign-up or an invitation. */
function FinalDetails({ token, link }: FinalDetailsProps) {
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
        <HiddenUsername email={email} />
        <AccountFields getInputProps={(field) => form.getInputProps(field)} isNamed={isNamed} />
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
