import type { ConnectedUser } from '@steward/contract/connections';
import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { closeWithAlert } from '#platform/feedback/alerts.tsx';
import { productName } from '#platform/product/product.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { getUserName } from './connected-user-text.ts';
import { inviting, unlinking } from './connected-users.queries.ts';
import classes from './connections.module.css';
import type { Place } from './connections.queries.ts';

interface LinkDialogProps {
  place: Place;
  server: string;
  user: ConnectedUser;
  opened: boolean;
  onClose: () => void;
}

export function InviteDialog({ place, server, user, opened, onClose }: LinkDialogProps) {
  const { display_name: team } = useCurrentTeam();
  const { mutate, isPending } = useMutation(inviting);
  const name = getUserName(user);
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Invite to ${productName()}`}
      question={`Invite ${name} to ${team}?`}
      detail={
        <ul className={classes.list}>
          <li>
            The invitation goes to <bdi>{user.email}</bdi>. People can change their address on {server} without proof,
            so make sure that this one is theirs.
          </li>
          <li>
            The person who accepts it becomes a Team User and is linked to this user of {server}. An account that only
            has the same address isn't.
          </li>
          <li>Roles on {server} give no right here.</li>
        </ul>
      }
      confirmLabel="Send invitation"
      pending={isPending}
      // The button that opened the dialog disappears.
      returnFocus={false}
      onConfirm={() =>
        mutate(
          { params: { ...place, remoteUserId: user.id }, body: { email: user.email } },
          closeWithAlert(`${name} was invited.`, onClose),
        )
      }
    />
  );
}

export function UnlinkDialog({ place, server, user, opened, onClose }: LinkDialogProps) {
  const { mutate, isPending } = useMutation(unlinking);
  const name = getUserName(user);
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Unlink account"
      question={`Unlink the account from ${name} on ${server}?`}
      detail={
        <ul className={classes.list}>
          {UNLINKED[user.account?.state ?? 'left'].map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          <li>Nothing changes on {server}.</li>
        </ul>
      }
      confirmLabel="Unlink"
      danger
      pending={isPending}
      returnFocus={false}
      onConfirm={() =>
        mutate(
          { params: { ...place, remoteUserId: user.id } },
          closeWithAlert(`The account of ${name} was unlinked.`, onClose),
        )
      }
    />
  );
}

const MEMBER = [
  'The account stays in the team.',
  'To link the account again, it has to leave the team and be invited from here.',
];

const UNLINKED: Readonly<Record<NonNullable<ConnectedUser['account']>['state'], readonly string[]>> = {
  invited: ['The invitation stays open, but accepting it does not link an account to this user.'],
  active: MEMBER,
  deactivated: MEMBER,
  left: ['The account has left the team already.'],
};
