import { Button } from '@mantine/core';
import { fullName } from '@steward/contract/users/names';
import { createFileRoute, useLocation, useNavigate } from '@tanstack/react-router';
import { AccountName } from '#workspace/page/account-name.tsx';
import classes from '#workspace/page/card.module.css';
import { Card } from '#workspace/page/card.tsx';
import { useSession } from '#workspace/session/session-state.ts';
import { SwitchAccount } from '#workspace/session/switch-account.tsx';
import { ClosedFoot, loadSession, openAnother } from './closed.tsx';
import { destination } from './destination.ts';

export const Route = createFileRoute('/team_closed')({
  beforeLoad: loadSession,
  component: TeamClosedPage,
});

/** The team requires single sign-on, or a session from another network, or a link names one that the user doesn't manage. */
function TeamClosedPage() {
  const { from, ssoUrl, isUnknownTeam = false } = useLocation().state;
  if (isUnknownTeam) return <UnknownTeam from={from} />;
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

/** The text is the same for a team that doesn't exist, so that no one learns which ones do. */
function UnknownTeam({ from }: { from: string | undefined }) {
  const session = useSession();
  const navigate = useNavigate();
  if (session === null) return null;
  const { user, currentTeam } = session;
  const signInAgain = () => navigate({ to: '/login', replace: true, state: from === undefined ? {} : { from } });
  return (
    <Card title="You can’t open this team" isTitleFocused>
      <p className={classes.text}>
        The link leads to a team that doesn’t exist, or that you can’t manage with this sign-in. You are signed in as{' '}
        <AccountName name={fullName(user)} email={user.email} />.
      </p>
      <p className={classes.text}>
        If you manage it with another account, switch to that one. Otherwise ask an owner of the team to make you an
        admin.
      </p>
      <Button fullWidth mb={12} onClick={() => openAnother(currentTeam.id)}>
        Open {currentTeam.display_name}
      </Button>
      <SwitchAccount variant="default" onSignedOut={signInAgain}>
        Switch account
      </SwitchAccount>
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
