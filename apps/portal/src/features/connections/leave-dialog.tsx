import type { Connection } from '@steward/contract/connections';
import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { closeWithAlert } from '#platform/feedback/alerts.tsx';
import { formatCount } from '#platform/time/format.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { countMessages } from './connection-text.ts';
import classes from './connections.module.css';
import { leaving } from './connections.queries.ts';

const USERS = { one: 'user', many: 'users' };
const CHANNELS = { one: 'channel', many: 'channels' };

interface LeaveDialogProps {
  connection: Connection;
  opened: boolean;
  onClose: () => void;
}

export function LeaveDialog({ connection, opened, onClose }: LeaveDialogProps) {
  const { id: teamId, display_name: team } = useCurrentTeam();
  const leave = useMutation(leaving);
  const { id, name } = connection;
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Stop governing"
      question={`Stop governing the team of ${team} on ${name}?`}
      detail={<Consequences connection={connection} />}
      confirmLabel="Stop governing"
      danger
      pending={leave.isPending}
      // The button that opened the dialog disappears.
      returnFocus={false}
      onConfirm={() =>
        leave.mutate(
          { params: { teamId, connectionId: id } },
          closeWithAlert(`The team no longer governs ${name}.`, onClose),
        )
      }
    />
  );
}

function Consequences({ connection: { users, channels, messages, open_order } }: { connection: Connection }) {
  return (
    <ul className={classes.list}>
      <li>
        {formatCount(users, USERS)}, {formatCount(channels, CHANNELS)} and the descriptions of {countMessages(messages)}{' '}
        are removed here. Nothing is changed at the server.
      </li>
      <li>Its retention rules end. What they deleted can't be restored.</li>
      {open_order !== null && (
        <li>The open order stops. A part of at most 400 messages that was already begun is finished.</li>
      )}
      <li>Nothing there is deleted from here anymore, and legal holds cover nothing there.</li>
      <li>
        An owner can accept the connection again. Everything is then listed anew, and the rules must be saved again.
      </li>
    </ul>
  );
}
