import { Button, PasswordInput } from '@mantine/core';
import { checkResetLink, resetPassword } from '@steward/contract/session';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, redirect, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { call } from '#platform/api/api.ts';
import { Failure, getFailureMessage } from '#platform/api/failure.ts';
import { queryOptionsFor } from '#platform/api/queries.ts';
import { Loading } from '#platform/feedback/loading.tsx';
import { HiddenUsername } from '#platform/forms/hidden-username.tsx';
import classes from '#workspace/page/card.module.css';
import { Card, FormError } from '#workspace/page/card.tsx';
import { clearEmailedToken, getEmailedToken, takeEmailedToken } from '#workspace/session/emailed-token.ts';
import { isSamePassword, PASSWORD_ADVICE, PASSWORDS_DIFFER, passwordProblem } from '#workspace/session/new-password.ts';
import { OtherAccount } from '#workspace/session/other-account.tsx';
import { expire } from '#workspace/session/session.ts';

export const Route = createFileRoute('/reset_password')({
  beforeLoad: ({ location: { searchStr }, preload }) => {
    if (preload) return;
    // Old invitation links point to this page. Invited users now enter a name as well.
    const link = new URLSearchParams(searchStr).get('invitation') === '1' ? 'signup' : 'reset';
    if (!takeEmailedToken(link, searchStr)) return;
    throw redirect({ to: link === 'signup' ? '/signup_confirm' : '/reset_password', search: {}, replace: true });
  },
  component: ResetPasswordPage,
});

function ResetPasswordPage() {
  const [token] = useState(() => getEmailedToken('reset'));
  return token === null ? (
    <NoLink>
      <p className={classes.text}>Open the link in your email again, or request a new one.</p>
    </NoLink>
  ) : (
    <Check token={token} />
  );
}

function NoLink({ children }: { children: ReactNode }) {
  return (
    <Card title="Choose a new password">
      {children}
      <p className={classes.foot}>
        <Link to="/forgot_password" className={classes.link}>
          Request a new link
        </Link>
      </p>
    </Card>
  );
}

/** A link that doesn't work is refused before anyone thinks of a password. */
function Check({ token }: { token: string }) {
  const query = { ...queryOptionsFor(checkResetLink, { body: { token } }), gcTime: 0, staleTime: 0 };
  const { data, error, refetch } = useQuery({ ...query, refetchOnWindowFocus: false });
  const [isSignedOut, setSignedOut] = useState(false);
  useEffect(() => {
    if (isDead(error)) clearEmailedToken('reset');
  }, [error]);
  if (error !== null)
    return (
      <NoLink>
        <div className={classes.form}>
          <FormError>{getFailureMessage(error)}</FormError>
          {!isDead(error) && (
            <Button fullWidth onClick={() => void refetch()}>
              Retry
            </Button>
          )}
        </div>
      </NoLink>
    );
  if (data === undefined) return <Loading />;
  const { email, signed_in_as } = data;
  if (signed_in_as !== null && !isSignedOut)
    return (
      <OtherAccount link="reset" signedInAs={signed_in_as} onSignedOut={async () => setSignedOut(true)}>
        It sets a new password for the account{' '}
        <strong>
          <bdi>{email}</bdi>
        </strong>
        .
      </OtherAccount>
    );
  return (
    <NoLink>
      <p className={classes.text}>
        For the account{' '}
        <strong>
          <bdi>{email}</bdi>
        </strong>
        .
      </p>
      <PasswordForm token={token} email={email} />
    </NoLink>
  );
}

/** Every error about the link itself is final. */
function isDead(thrown: unknown): boolean {
  return thrown instanceof Failure && thrown.id.startsWith('link.');
}

function PasswordForm({ token, email }: { token: string; email: string }) {
  const { error, isSending, submit } = useReset(token);
  return (
    <form className={classes.form} onSubmit={submit}>
      {error !== undefined && <FormError>{error}</FormError>}
      <HiddenUsername email={email} />
      <PasswordInput
        label="New password"
        description={PASSWORD_ADVICE}
        name="password"
        autoComplete="new-password"
        autoFocus
        visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
      />
      <PasswordInput
        label="Confirm new password"
        name="again"
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show repeated password', tabIndex: 0 }}
      />
      <Button type="submit" loading={isSending} fullWidth>
        Save password
      </Button>
    </form>
  );
}

function useReset(token: string) {
  const navigate = useNavigate();
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const new_password = String(typed.get('password'));
    const isSame = isSamePassword(new_password, String(typed.get('again')));
    const problem = passwordProblem(new_password) ?? (isSame ? undefined : PASSWORDS_DIFFER);
    setError(problem);
    if (problem !== undefined) return;
    setSending(true);
    try {
      await call(resetPassword, { body: { token, new_password } });
    } catch (thrown) {
      if (isDead(thrown)) clearEmailedToken('reset');
      setError(getFailureMessage(thrown));
      return setSending(false);
    }
    clearEmailedToken('reset');
    expire();
    const notice = 'Your password was changed. Sign in with the new one.';
    await navigate({ to: '/login', replace: true, state: { notice } });
  }

  return { error, isSending, submit };
}
