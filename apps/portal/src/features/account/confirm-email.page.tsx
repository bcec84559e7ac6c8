import { Button } from '@mantine/core';
import { type CheckedEmailLink, checkEmailLink, confirmEmail } from '@steward/contract/account/email';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, Navigate, redirect, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Failure, getFailureMessage } from '#platform/api/failure.ts';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import { Loading } from '#platform/feedback/loading.tsx';
import { AccountName } from '#workspace/page/account-name.tsx';
import classes from '#workspace/page/card.module.css';
import { Card, FormError } from '#workspace/page/card.tsx';
import { clearEmailedToken, getEmailedToken, takeEmailedToken } from '#workspace/session/emailed-token.ts';
import { canSignInWithCookie } from '#workspace/session/session.ts';
import { SwitchAccount } from '#workspace/session/switch-account.tsx';

const PATH = '/confirm_email';
const NOTICE = 'Sign in to the account whose email address you want to change.';

export const Route = createFileRoute('/confirm_email')({
  beforeLoad: ({ location: { searchStr }, preload }) => {
    if (preload) return;
    if (takeEmailedToken('email', searchStr)) throw redirect({ to: PATH, search: {}, replace: true });
    if (getEmailedToken('email') !== null && !canSignInWithCookie())
      throw redirect({ to: '/login', replace: true, state: { from: PATH, notice: NOTICE } });
  },
  component: ConfirmEmailPage,
});

/** Only a session of the account itself can confirm its new address: the reader of the email may be someone else. */
function ConfirmEmailPage() {
  const [token] = useState(() => getEmailedToken('email'));
  const [email, setEmail] = useState<string>();
  if (email !== undefined)
    return (
      <Card title="Email address changed" isTitleFocused>
        <p className={classes.text}>
          Your email address is now <strong>{email}</strong>. Sign in with it from now on.
        </p>
        <ToAccount />
      </Card>
    );
  if (token === null) return <NoLink />;
  return <Check token={token} onChanged={setEmail} />;
}

function NoLink({ error }: { error?: string }) {
  return (
    <Card title="Confirm your email address">
      {error === undefined ? (
        <p className={classes.text}>Open the link in your email again, or request a new one under My account.</p>
      ) : (
        <FormError>{error}</FormError>
      )}
      <ToAccount />
    </Card>
  );
}

interface CheckProps {
  token: string;
  onChanged: (email: string) => void;
}

function Check({ token, onChanged }: CheckProps) {
  const { data, error } = useQuery({
    ...queryOptionsFor(checkEmailLink, { body: { token } }),
    gcTime: 0,
    staleTime: 0,
  });
  if (error?.status_code === 401) return <Navigate to="/login" replace state={{ from: PATH, notice: NOTICE }} />;
  if (error?.id === 'session.team_only') return <WithPassword />;
  if (error !== null) return <NoLink error={explain(error)} />;
  if (data === undefined) return <Loading />;
  return data.signed_in_as === null ? (
    <Confirm link={data} token={token} onChanged={onChanged} />
  ) : (
    <OtherAccount link={data} />
  );
}

/** A link that no longer works is of no more use. */
function explain(thrown: unknown): string {
  if (isDead(thrown)) clearEmailedToken('email');
  return getFailureMessage(thrown);
}

function isDead(thrown: unknown): boolean {
  return thrown instanceof Failure && (thrown.id.startsWith('link.') || thrown.id === 'email.taken');
}

function Confirm({ link, token, onChanged }: CheckProps & { link: CheckedEmailLink }) {
  const { mutate, error, isPending } = useMutation({ ...mutationOptionsFor(confirmEmail), gcTime: 0 });
  const confirm = () =>
    mutate(
      { body: { token } },
      {
        onSuccess: ({ email }) => {
          clearEmailedToken('email');
          onChanged(email);
        },
      },
    );
  if (isDead(error)) return <NoLink error={explain(error)} />;
  return (
    <Card title="Confirm your email address" isTitleFocused>
      {error !== null && (
        <div className={classes.form} style={{ marginBottom: 20 }}>
          <FormError>{getFailureMessage(error)}</FormError>
        </div>
      )}
      <p className={classes.text}>
        The email address of your account <AccountName {...link.account} /> changes to{' '}
        <strong>
          <bdi>{link.email}</bdi>
        </strong>
        .
      </p>
      <Button loading={isPending} onClick={confirm} fullWidth>
        Confirm email address
      </Button>
      <ToAccount />
    </Card>
  );
}

function OtherAccount({ link: { account, email, signed_in_as } }: { link: CheckedEmailLink }) {
  return (
    <Card title="This link is for another account" isTitleFocused>
      <p className={classes.text}>
        It changes the email address of the account <AccountName {...account} /> to{' '}
        <strong>
          <bdi>{email}</bdi>
        </strong>
        . You are signed in as {signed_in_as !== null && <AccountName {...signed_in_as} />}.
      </p>
      <p className={classes.text}>
        If both accounts are yours, switch to that one to confirm. Otherwise close this page: nothing has changed.
      </p>
      <Switch>Switch account</Switch>
      <ToAccount />
    </Card>
  );
}

function WithPassword() {
  return (
    <Card title="Sign in with your password" isTitleFocused>
      <p className={classes.text}>
        You signed in through your company, which doesn’t cover your email address. To confirm the new one, sign in with
        your password.
      </p>
      <Switch>Sign out and continue</Switch>
      <ToAccount />
    </Card>
  );
}

/** The sign-in leads back to this page. */
function Switch({ children }: { children: string }) {
  const navigate = useNavigate();
  const signInAgain = () => navigate({ to: '/login', replace: true, state: { from: PATH, notice: NOTICE } });
  return (
    <SwitchAccount link="email" onSignedOut={signInAgain}>
      {children}
    </SwitchAccount>
  );
}

function ToAccount() {
  return (
    <p className={classes.foot}>
      <Link to="/account" className={classes.link}>
        My account
      </Link>
    </p>
  );
}
