import { Button } from '@mantine/core';
import { checkStillNeeded, confirmStillNeeded } from '@steward/contract/users/inactivity';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, redirect } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import { Loading } from '#platform/feedback/loading.tsx';
import classes from '#workspace/page/card.module.css';
import { Card, FormError } from '#workspace/page/card.tsx';
import { clearEmailedToken, getEmailedToken, takeEmailedToken } from '#workspace/session/emailed-token.ts';

export const Route = createFileRoute('/still_needed')({
  beforeLoad: ({ location: { searchStr }, preload }) => {
    if (preload || !takeEmailedToken('still_needed', searchStr)) return;
    throw redirect({ to: '/still_needed', search: {}, replace: true });
  },
  component: StillNeededPage,
});

const TITLE = 'Do you still need access?';
const ENDED = 'inactivity.link_ended';

/** Opening the page says nothing yet, since mail scanners open links. */
function StillNeededPage() {
  const [token] = useState(() => getEmailedToken('still_needed'));
  if (token !== null) return <Answer token={token} />;
  return (
    <Card title={TITLE}>
      <p className={classes.text}>Open the link in your email again.</p>
      <SignInFoot />
    </Card>
  );
}

function Answer({ token }: { token: string }) {
  const check = { ...queryOptionsFor(checkStillNeeded, { body: { token } }), gcTime: 0, staleTime: 0 };
  const [team, setTeam] = useState<string>();
  const { data, error, refetch } = useQuery({ ...check, refetchOnWindowFocus: false, enabled: team === undefined });
  const { mutate, isPending, error: refused } = useMutation({ ...mutationOptionsFor(confirmStillNeeded), gcTime: 0 });
  const hasEnded = error?.id === ENDED || refused?.id === ENDED;
  useEffect(() => {
    if (hasEnded || team !== undefined) clearEmailedToken('still_needed');
  }, [hasEnded, team]);
  if (team !== undefined) return <Thanks team={team} />;
  if (error !== null) return <Ended failure={error} onRetry={() => void refetch()} />;
  if (refused?.id === ENDED) return <Ended failure={refused} onRetry={() => undefined} />;
  if (data === undefined) return <Loading />;
  return (
    <Card title={TITLE} isTitleFocused>
      {refused !== null && !isPending && <FormError>{refused.message}</FormError>}
      <p className={classes.text}>
        No activity of yours has been seen in the team{' '}
        <strong>
          <bdi>{data.team_name}</bdi>
        </strong>{' '}
        for {data.days} days. Without an answer, your access ends soon.
      </p>
      <Button
        fullWidth
        loading={isPending}
        onClick={() => mutate({ body: { token } }, { onSuccess: () => setTeam(data.team_name) })}
      >
        I still need access
      </Button>
      <SignInFoot />
    </Card>
  );
}

function Thanks({ team }: { team: string }) {
  return (
    <Card title="You keep your access" isTitleFocused>
      <p className={classes.text} role="status">
        Your access to{' '}
        <strong>
          <bdi>{team}</bdi>
        </strong>{' '}
        stays as it is. You can close this page.
      </p>
      <SignInFoot />
    </Card>
  );
}

function Ended({ failure: { id, message }, onRetry }: { failure: Failure; onRetry: () => void }) {
  return (
    <Card title={TITLE}>
      <FormError>{message}</FormError>
      {id !== ENDED && (
        <Button mt={16} fullWidth onClick={onRetry}>
          Retry
        </Button>
      )}
      <SignInFoot />
    </Card>
  );
}

function SignInFoot() {
  return (
    <p className={classes.foot}>
      <Link to="/login" className={classes.link}>
        Sign in
      </Link>
    </p>
  );
}
