import { Button, PasswordInput } from '@mantine/core';
import { resetPassword } from '@steward/contract/session';
import { createFileRoute, Link, redirect, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '#platform/api.ts';
import { failureText } from '#platform/failure.ts';
import { expire } from '#workspace/session.ts';
import { Card, FormError } from './card.tsx';
import { holdMailedToken, mailedToken } from './mailed-token.ts';
import { passwordProblem } from './new-password.ts';
import classes from './session.module.css';

export const Route = createFileRoute('/reset_password')({
  beforeLoad: ({ location, preload }) => {
    const token = new URLSearchParams(location.searchStr).get('token');
    if (token === null || preload) return;
    holdMailedToken(token);
    throw redirect({ to: '/reset_password', search: {}, replace: true });
  },
  component: ResetPasswordPage,
});

function ResetPasswordPage() {
  const [token] = useState(mailedToken);
  return (
    <Card title="Choose a new password">
      {token === undefined ? (
        <p className={classes.text}>Please open the link in your mail again, or ask for a new one.</p>
      ) : (
        <PasswordForm token={token} />
      )}
      <p className={classes.foot}>
        <Link to="/forgot_password" className={classes.link}>
          Ask for a new link
        </Link>
      </p>
    </Card>
  );
}

function PasswordForm({ token }: { token: string }) {
  const { error, isSending, submit } = useReset(token);
  return (
    <form className={classes.form} onSubmit={submit}>
      {error !== undefined && <FormError>{error}</FormError>}
      <PasswordInput
        label="New password"
        description="At least 8 characters. A few words in a row are easy to keep and hard to guess."
        name="password"
        autoComplete="new-password"
        autoFocus
        visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
      />
      <PasswordInput
        label="New password again"
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
    const problem = passwordProblem(new_password, String(typed.get('again')));
    setError(problem);
    if (problem !== undefined) return;
    setSending(true);
    try {
      await call(resetPassword, { body: { token, new_password } });
    } catch (thrown) {
      setError(failureText(thrown));
      return setSending(false);
    }
    holdMailedToken(undefined);
    expire();
    const notice = 'Your password was changed. Please sign in with the new one.';
    await navigate({ to: '/login', replace: true, state: { notice } });
  }

  return { error, isSending, submit };
}
