import { Button } from '@mantine/core';
import { confirmEmail } from '@steward/contract/account/email';
import { createFileRoute, Link, redirect } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '#platform/api/api.ts';
import { Failure, getFailureMessage } from '#platform/api/failure.ts';
import classes from '#workspace/page/card.module.css';
import { Card, FormError } from '#workspace/page/card.tsx';
import { clearEmailedToken, getEmailedToken, takeEmailedToken } from '#workspace/session/emailed-token.ts';

export const Route = createFileRoute('/confirm_email')({
  beforeLoad: ({ location: { searchStr }, preload }) => {
    if (preload || !takeEmailedToken('email', searchStr)) return;
    throw redirect({ to: '/confirm_email', search: {}, replace: true });
  },
  component: ConfirmEmailPage,
});

/** A button confirms the address, because some mail programs open every link of an email. */
function ConfirmEmailPage() {
  const { hasToken, email, error, isSending, confirm } = useConfirmation();
  if (email !== undefined)
    return (
      <Card title="Email address changed" isTitleFocused>
        <p className={classes.text}>
          Your email address is now <strong>{email}</strong>. Sign in with it from now on.
        </p>
        <ToAccount />
      </Card>
    );
  return (
    <Card title="Confirm your email address">
      {error !== undefined && <FormError>{error}</FormError>}
      {hasToken ? (
        <>
          <p className={classes.text}>This address will replace the current one of your account.</p>
          <Button loading={isSending} onClick={() => void confirm()} fullWidth>
            Confirm email address
          </Button>
        </>
      ) : (
        error === undefined && (
          <p className={classes.text}>Open the link in your email again, or request a new one under My account.</p>
        )
      )}
      <ToAccount />
    </Card>
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

function useConfirmation() {
  const [token, setToken] = useState(() => getEmailedToken('email'));
  const [email, setEmail] = useState<string>();
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const forget = () => {
    clearEmailedToken('email');
    setToken(null);
  };

  async function confirm() {
    if (token === null) return;
    setSending(true);
    setError(undefined);
    try {
      const answer = await call(confirmEmail, { body: { token } });
      forget();
      setEmail(answer.email);
    } catch (thrown) {
      if (thrown instanceof Failure && (thrown.id === 'link.invalid' || thrown.id === 'email.taken')) forget();
      setError(getFailureMessage(thrown));
    }
    setSending(false);
  }

  return { hasToken: token !== null, email, error, isSending, confirm };
}
