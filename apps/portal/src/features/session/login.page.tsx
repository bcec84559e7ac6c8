import { Button } from '@mantine/core';
import { createFileRoute, Link, useLocation } from '@tanstack/react-router';
import { Loading } from '#platform/feedback/loading.tsx';
import classes from '#workspace/page/card.module.css';
import { Card, FormNotice } from '#workspace/page/card.tsx';
import { canSignInWithCookie, signInWithCookie } from '#workspace/session/session.ts';
import { currentSession } from '#workspace/session/session-state.ts';
import { CodeForm } from './code-form.tsx';
import { LoginForm } from './login-form.tsx';
import { SsoError } from './sso-error.tsx';
import { useLogin } from './use-login.ts';

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
  if (!isSignedIn) return <SignInSteps />;
  return (
    <Card title="Sign in">
      {notice !== undefined && <FormNotice>{notice}</FormNotice>}
      <SsoError />
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

/** Both steps share what was typed. */
function SignInSteps() {
  const login = useLogin();
  return login.isCodeNeeded ? <CodeForm login={login} /> : <LoginForm login={login} />;
}
