import { Button, PasswordInput, TextInput } from '@mantine/core';
import { createFileRoute, Link, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { Failure, getFailureMessage } from '#platform/api/failure.ts';
import { Loading } from '#platform/feedback/loading.tsx';
import { getSignUpAccess } from '#platform/product/sign-up-access.ts';
import classes from '#workspace/page/card.module.css';
import { Card, FormError, FormNotice } from '#workspace/page/card.tsx';
import { canSignInWithCookie, signInWithCookie, signInWithPassword } from '#workspace/session/session.ts';
import { currentSession } from '#workspace/session/session-state.ts';
import { openSwitchTeam } from '#workspace/teams/switch-team.ts';
import { destination } from './destination.ts';

export const Route = createFileRoute('/login')({
  beforeLoad: async () => {
    // A valid session cookie counts as signed in. A failure isn't an error here, because the form is shown anyway.
    if (currentSession() === null && canSignInWithCookie()) await signInWithCookie().catch(() => undefined);
    return { isSignedIn: currentSession() !== null };
  },
  component: LoginPage,
  pendingComponent: Loading,
});

function LoginPage() {
  const { isSignedIn } = Route.useRouteContext();
  const { notice } = useLocation().state;
  if (!isSignedIn) return <LoginForm />;
  return (
    <Card title="Sign in">
      {notice !== undefined && <FormNotice>{notice}</FormNotice>}
      <p className={classes.text}>You are already logged in.</p>
      <div className={classes.row}>
        <Button component={Link} to="/users/users">
          Go to Manage Users
        </Button>
        <Link to="/logout" className={classes.link}>
          Sign out
        </Link>
      </div>
    </Card>
  );
}

function LoginForm() {
  const { notice, error: cookieError } = useLocation().state;
  const { error, isSending, submit, password } = useLogin();
  return (
    <Card title="Sign in">
      <form className={classes.form} onSubmit={submit}>
        {error === undefined && notice !== undefined && <FormNotice>{notice}</FormNotice>}
        {error === undefined && cookieError !== undefined && <FormError>{cookieError}</FormError>}
        {error !== undefined && <FormError>{error}</FormError>}
        <TextInput label="Email" name="email" type="email" autoComplete="username" autoFocus spellCheck={false} />
        <PasswordInput
          ref={password}
          label="Password"
          name="password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
        />
        <Button type="submit" loading={isSending} fullWidth>
          Sign in
        </Button>
      </form>
      <p className={classes.foot}>
        <Link to="/forgot_password" className={classes.link}>
          Forgot Password
        </Link>
      </p>
      {getSignUpAccess() !== 'off' && (
        <p className={classes.foot}>
          New here?{' '}
          <Link to="/signup" className={classes.link}>
            Create a team
          </Link>
        </p>
      )}
    </Card>
  );
}

function useLogin() {
  const router = useRouter();
  const navigate = useNavigate();
  const { from } = useLocation().state;
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const password = useRef<HTMLInputElement>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    setSending(true);
    setError(undefined);
    try {
      const entry = await signInWithPassword({
        login_id: String(typed.get('email')),
        password: String(typed.get('password')),
      });
      // Someone who manages no team may still have come for their own account.
      if (entry === 'refused')
        return void navigate({
          to: destination(from) === '/account' ? '/account' : '/permission_error',
          replace: true,
        });
      if (entry.teams.length > 1) openSwitchTeam();
      router.history.replace(destination(from));
    } catch (thrown) {
      setError(explain(thrown));
      setSending(false);
      password.current?.select();
    }
  }

  return { error, isSending, submit, password };
}

/** A network that tried too often was refused before its password was checked. */
function explain(thrown: unknown): string {
  const message = getFailureMessage(thrown);
  return thrown instanceof Failure && thrown.status_code === 429 ? message : `${message} Your password is incorrect`;
}
