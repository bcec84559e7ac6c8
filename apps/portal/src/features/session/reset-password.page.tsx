import { Button, PasswordInput } from '@mantine/core';
import { resetPassword } from '@steward/contract/session';
import { createFileRoute, Link, redirect, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '#platform/api/api.ts';
import { Failure, getFailureMessage } from '#platform/api/failure.ts';
import classes from '#workspace/page/card.module.css';
import { Card, FormError } from '#workspace/page/card.tsx';
import { clearEmailedToken, getEmailedToken, takeEmailedToken } from '#workspace/session/emailed-token.ts';
import { isSamePassword, PASSWORD_ADVICE, PASSWORDS_DIFFER, passwordProblem } from '#workspace/session/new-password.ts';
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
  return (
    <Card title="Choose a new password">
      {token === null ? (
        <p className={classes.text}>Open the link in your email again, or request a new one.</p>
      ) : (
        <PasswordForm token={token} />
      )}
      <p className={classes.foot}>
        <Link to="/forgot_password" className={classes.link}>
          Request a new link
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
      if (thrown instanceof Failure && thrown.id === 'link.invalid') clearEmailedToken('reset');
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
