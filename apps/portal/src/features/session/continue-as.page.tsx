import { Button } from '@mantine/core';
import { finishSignIn, getWaitingSignIn, type WaitingSignIn } from '@steward/contract/sso/continue';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import { Loading } from '#platform/feedback/loading.tsx';
import { AccountName } from '#workspace/page/account-name.tsx';
import classes from '#workspace/page/card.module.css';
import { Card, FormError } from '#workspace/page/card.tsx';
import { canSignInWithCookie } from '#workspace/session/session.ts';

export const Route = createFileRoute('/continue_as')({ component: ContinueAsPage });

/** A waiting sign-in ends after ten minutes, or in another tab. */
const waitingQueryOptions = (id: string) => ({
  ...queryOptionsFor(getWaitingSignIn, { query: { id } }),
  gcTime: 0,
  staleTime: 0,
});

/** A single sign-on that would replace a session waits here, because the user may not have begun it. */
function ContinueAsPage() {
  const { searchStr } = useLocation();
  // On the way to another page, its address is known before this page is gone.
  const [id] = useState(() => new URLSearchParams(searchStr).get('id') ?? '');
  const { data, error } = useQuery(waitingQueryOptions(id));
  if (error !== null)
    return (
      <Card title="Single sign-on">
        <div className={classes.form}>
          <FormError>{getFailureMessage(error)}</FormError>
        </div>
        <Stay />
      </Card>
    );
  return data === undefined ? <Loading /> : <Question waiting={data} />;
}

function Question({ waiting }: { waiting: WaitingSignIn }) {
  const { account, current, team_name, provider } = waiting;
  const { mutate, error, isPending, isSuccess } = useMutation(mutationOptionsFor(finishSignIn));
  const finish = () => mutate({ body: { id: waiting.id } }, { onSuccess: ({ path }) => window.location.replace(path) });
  const isSame = current !== null && current.email === account.email;
  return (
    <Card title={`Continue as ${account.name || account.email || 'another user'}?`} isTitleFocused>
      {error !== null && (
        <div className={classes.form} style={{ marginBottom: 20 }}>
          <FormError>{getFailureMessage(error)}</FormError>
        </div>
      )}
      <p className={classes.text}>
        You came from <bdi>{provider}</bdi> as <AccountName {...account} />. Continue to open the team{' '}
        <strong>
          <bdi>{team_name}</bdi>
        </strong>{' '}
        {isSame ? 'alone' : 'with that account'}.
      </p>
      {current !== null && (
        <p className={classes.text}>
          {isSame ? (
            'Your present session ends. To open your other teams, sign in with your password again.'
          ) : (
            <>
              You are signed in as <AccountName {...current} />, and will be signed out of that account. If you didn’t
              start this sign-in yourself, stay signed in.
            </>
          )}
        </p>
      )}
      <Button fullWidth loading={isPending || isSuccess} onClick={finish}>
        Continue
      </Button>
      <Stay name={current?.name || current?.email} />
    </Card>
  );
}

function Stay({ name }: { name?: string | undefined }) {
  const isSignedIn = canSignInWithCookie();
  return (
    <p className={classes.foot}>
      <Link to={isSignedIn ? '/' : '/login'} className={classes.link}>
        {isSignedIn ? (name === undefined ? 'Go to the portal' : `Stay signed in as ${name}`) : 'Sign in'}
      </Link>
    </p>
  );
}
