import { Button } from '@mantine/core';
import { fullName } from '@steward/contract/users/names';
import { createFileRoute, Link, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Loading } from '#platform/feedback/loading.tsx';
import { AccountName } from '#workspace/page/account-name.tsx';
import classes from '#workspace/page/card.module.css';
import { Card, FormNotice } from '#workspace/page/card.tsx';
import { canSignInWithCookie, signInWithCookie, signOut } from '#workspace/session/session.ts';
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

function SignedIn({ opening: { notice, next, ssoErrorId } }: { opening: Opening }) {
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
      {next !== undefined && <p className={classes.text}>{next}</p>}
      <div className={classes.row}>
        {next !== undefined && <SignInAgain notice={notice} next={next} />}
        <Button component={Link} to="/users/users" {...(next !== undefined && { variant: 'default' })}>
          Go to Manage Users
        </Button>
        <Link to="/logout" className={classes.link}>
          Sign out
        </Link>
      </div>
    </Card>
  );
}

/** An open session doesn't count as a sign-in. */
function SignInAgain({ notice, next }: { notice: string | undefined; next: string }) {
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    await signOut();
    await navigate({ to: '/login', replace: true, state: { next, ...(notice !== undefined && { notice }) } });
  };
  return (
    <Button loading={isBusy} onClick={() => void leave()}>
      Sign in again
    </Button>
  );
}
