import { Button } from '@mantine/core';
import { fullName } from '@steward/contract/users/names';
import { createFileRoute, Link, useLocation, useRouter } from '@tanstack/react-router';
import { Loading } from '#platform/feedback/loading.tsx';
import { AccountName } from '#workspace/page/account-name.tsx';
import classes from '#workspace/page/card.module.css';
import { Card, FormNotice } from '#workspace/page/card.tsx';
import { canSignInWithCookie, signInWithCookie } from '#workspace/session/session.ts';
import { currentSession, useSession } from '#workspace/session/session-state.ts';
import { SignInSteps } from './sign-in-steps.tsx';
import { readSsoErrorId, SsoError } from './sso-error.tsx';
import type { Opening } from './use-login.ts';

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
  const { history } = useRouter();
  const { state, searchStr } = useLocation();
  const opening = { ...state, ssoErrorId: readSsoErrorId(searchStr) };
  if (isSignedIn) return <SignedIn opening={opening} />;
  return <SignInSteps opening={opening} onEnter={(path) => history.replace(path)} />;
}

function SignedIn({ opening: { notice, ssoErrorId } }: { opening: Opening }) {
  const user = useSession()?.user;
  // A test sign-in can fail while the owner stays signed in, and then only the failure is shown.
  const hasFailed = ssoErrorId !== null;
  return (
    <Card title={hasFailed ? 'Single sign-on' : 'Sign in'}>
      {notice !== undefined && <FormNotice>{notice}</FormNotice>}
      {hasFailed ? (
        <div className={classes.form} style={{ marginBottom: 20 }}>
          <SsoError id={ssoErrorId} />
        </div>
      ) : (
        <>
          <p className={classes.text}>You are already logged in.</p>
          {user !== undefined && (
            <p className={classes.text}>
              This browser is signed in as <AccountName name={fullName(user)} email={user.email} />.
            </p>
          )}
        </>
      )}
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
