import { Box, Button, Center, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, Navigate, redirect } from '@tanstack/react-router';
import { useState } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { productName } from '#platform/product/product.ts';
import { getSignUpAccess } from '#platform/product/sign-up-access.ts';
import frame from '#workspace/page/card.module.css';
import { Card, FormError } from '#workspace/page/card.tsx';
import { getEmailedToken, takeEmailedToken } from '#workspace/session/emailed-token.ts';
import { canSignInWithCookie } from '#workspace/session/session.ts';
import classes from '../signup.module.css';
import { storedSignUpEnd } from '../wizard/stored-draft.ts';
import { signUpCheckQueryOptions } from './confirm.queries.ts';
import { FinalDetails } from './final-details.tsx';

export const Route = createFileRoute('/signup_confirm')({
  beforeLoad: ({ location: { searchStr }, preload }) => {
    if (preload || !takeEmailedToken('signup', searchStr)) return;
    throw redirect({ to: '/signup_confirm', search: {}, replace: true });
  },
  component: SignupConfirmPage,
});

function SignupConfirmPage() {
  const [token] = useState(() => getEmailedToken('signup'));
  if (token !== null) return <Check token={token} />;
  return storedSignUpEnd.read() === null ? null : <Ended />;
}

function Check({ token }: { token: string }) {
  const { data, error, isFetching, refetch } = useQuery(signUpCheckQueryOptions(token));
  if (isFetching) return <Waiting />;
  if (error !== null) return <Failed failure={error} onRetry={() => void refetch()} />;
  if (data?.mode === '1' && data.invited) {
    const notice = `You already have an account. Sign in to answer the invitation to ${data.team_name}.`;
    return canSignInWithCookie() ? (
      <Navigate to="/account" replace />
    ) : (
      <Navigate to="/login" replace state={{ notice, from: '/account' }} />
    );
  }
  if (data?.mode === '1') {
    const notice = `Email Verified Successfully. You can now login into your ${productName()} Admin account`;
    return <Navigate to="/login" replace state={{ notice }} />;
  }
  if (data?.mode === '2') return <FinalDetails token={token} link={data} />;
  return (
    <Card title="Sign-up" isWide>
      <FormError>Something went wrong. Please try again later or contact site administrator.</FormError>
    </Card>
  );
}

function Waiting() {
  return (
    <Center component="main" mih="100dvh" bg="var(--surface-quiet)" c="dimmed" className={classes.late ?? ''}>
      <div role="status">
        <Text component="h1">Please Wait. Authenticating...</Text>
      </div>
    </Center>
  );
}

function Failed({ failure, onRetry }: { failure: unknown; onRetry: () => void }) {
  // A link that was refused is no longer stored; other failures may be temporary.
  const canRetry = getEmailedToken('signup') !== null;
  return (
    <Card title="Sign-up" isWide>
      <Box mb="md">
        <FormError>Something went Wrong. Error: {getFailureMessage(failure)}</FormError>
      </Box>
      <div className={frame.row}>
        {canRetry && <Button onClick={onRetry}>Retry</Button>}
        <Link to="/login" className={frame.link}>
          Sign in
        </Link>
        {!canRetry && getSignUpAccess() !== 'off' && (
          <Link to="/signup" className={frame.link}>
            Create a team
          </Link>
        )}
      </div>
    </Card>
  );
}

/** Shown when going back to this screen after finishing. */
function Ended() {
  return (
    <Card title="All done" isWide isTitleFocused>
      <p className={frame.text}>
        SignUp Completed Successfully. You can now login into your {productName()} Admin account
      </p>
      <Button component={Link} to="/users/users">
        OK
      </Button>
    </Card>
  );
}
