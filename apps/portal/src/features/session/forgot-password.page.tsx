import { Button, TextInput } from '@mantine/core';
import { sendPasswordReset } from '@steward/contract/session';
import { createFileRoute, Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '#platform/api/api.ts';
import { getFailureMessage } from '#platform/api/failure.ts';
import classes from '#workspace/page/card.module.css';
import { Card, FormError } from '#workspace/page/card.tsx';

export const Route = createFileRoute('/forgot_password')({ component: ForgotPasswordPage });

function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>();
  return (
    <Card title={sentTo === undefined ? 'Forgot Password' : 'Check your email'}>
      {sentTo === undefined ? <EmailForm onSent={setSentTo} /> : <Sent email={sentTo} />}
      <p className={classes.foot}>
        <Link to="/login" className={classes.link}>
          Back to sign in
        </Link>
      </p>
    </Card>
  );
}

/** The text is the same for every address, so that it doesn't reveal who has an account. */
function Sent({ email }: { email: string }) {
  return (
    <p className={classes.text} role="status">
      If <strong>{email}</strong> has an account, we've sent a password reset link. It can be used once and expires in
      60 minutes.
    </p>
  );
}

function EmailForm({ onSent }: { onSent: (email: string) => void }) {
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email')).trim();
    setSending(true);
    setError(undefined);
    try {
      await call(sendPasswordReset, { body: { email } });
      onSent(email);
    } catch (thrown) {
      setError(getFailureMessage(thrown));
      setSending(false);
    }
  }

  return (
    <>
      <p className={classes.text}>Enter your email address, and we'll send you a link to choose a new password.</p>
      <form className={classes.form} onSubmit={submit}>
        {error !== undefined && <FormError>{error}</FormError>}
        <TextInput
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
        />
        <Button type="submit" loading={isSending} fullWidth>
          Send link
        </Button>
      </form>
    </>
  );
}
