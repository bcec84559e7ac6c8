import { Button } from '@mantine/core';
import { getFactors } from '@steward/contract/factors/factors';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, useLocation, useRouter } from '@tanstack/react-router';
import { queryOptionsFor } from '#platform/api/queries.ts';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import classes from '#workspace/page/card.module.css';
import { Card } from '#workspace/page/card.tsx';
import { confirmIdentity } from '#workspace/session/step-up/step-up.tsx';
import { ClosedFoot, loadSession } from './closed.tsx';
import { destination } from './destination.ts';

export const Route = createFileRoute('/second_factor')({
  beforeLoad: loadSession,
  component: SecondFactorPage,
});

function SecondFactorPage() {
  const { data, error, refetch } = useQuery({ ...queryOptionsFor(getFactors, {}), staleTime: 0 });
  return (
    <Card title="This team requires a second factor" isTitleFocused>
      {data === undefined ? (
        error === null ? (
          <Skeletons rows={2} height={24} />
        ) : (
          <PageError failure={error} onRetry={() => void refetch()} />
        )
      ) : data.totp || data.passkeys.length > 0 ? (
        <ConfirmFactor />
      ) : (
        <SetUpFactor />
      )}
      <ClosedFoot />
    </Card>
  );
}

function SetUpFactor() {
  const { from } = useLocation().state;
  return (
    <>
      <p className={classes.text}>
        An owner of the team decided that a password isn't enough to open it. Set up an authenticator app or a passkey
        in your account. It takes a minute, and you'll come back here.
      </p>
      <Button component={Link} to="/account" hash="second-factors" state={{ from: from ?? '/' }} fullWidth>
        Set up a second factor
      </Button>
    </>
  );
}

/** The account has a second factor, but the session was started without it. */
function ConfirmFactor() {
  const router = useRouter();
  const { from } = useLocation().state;
  const confirm = async () => {
    if (await confirmIdentity()) router.history.replace(destination(from));
  };
  return (
    <>
      <p className={classes.text}>You signed in without your second factor. Confirm that it's you to open the team.</p>
      <Button onClick={() => void confirm()} fullWidth>
        Confirm
      </Button>
    </>
  );
}
