import { Button } from '@mantine/core';
import { createFileRoute, useLocation } from '@tanstack/react-router';
import classes from '#workspace/page/card.module.css';
import { Card } from '#workspace/page/card.tsx';
import { ClosedFoot, loadSession } from './closed.tsx';
import { destination } from './destination.ts';

export const Route = createFileRoute('/team_closed')({
  beforeLoad: loadSession,
  component: TeamClosedPage,
});

/** The team requires single sign-on, or a session from another network. */
function TeamClosedPage() {
  const { from, ssoUrl } = useLocation().state;
  return (
    <Card
      title={ssoUrl === undefined ? "This team can't be opened from here" : 'This team requires single sign-on'}
      isTitleFocused
    >
      {ssoUrl === undefined ? <OtherNetwork from={from} /> : <SingleSignOn from={from} ssoUrl={ssoUrl} />}
      <ClosedFoot />
    </Card>
  );
}

function SingleSignOn({ from, ssoUrl }: { from: string | undefined; ssoUrl: string }) {
  return (
    <>
      <p className={classes.text}>
        An owner of the team requires everyone to sign in through your company. If you own the team, you can also sign
        in with your password and a second factor.
      </p>
      <Button component="a" href={`${ssoUrl}?return=${encodeURIComponent(destination(from))}`} fullWidth>
        Continue with single sign-on
      </Button>
    </>
  );
}

function OtherNetwork({ from }: { from: string | undefined }) {
  return (
    <>
      <p className={classes.text}>
        An owner of the team allows only certain networks, such as the one of your office. Connect to it, or turn on
        your company’s VPN, and try again.
      </p>
      <Button component="a" href={destination(from)} fullWidth>
        Try again
      </Button>
    </>
  );
}
