import { Button, Group, Stack, Text } from '@mantine/core';
import type { Connection } from '@steward/contract/connections';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { closeWithAlert } from '#platform/feedback/alerts.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import classes from './connections.module.css';
import { accepting } from './connections.queries.ts';

/** Nothing of the server is listed before an owner accepts it. */
export function AcceptSection({ connection }: { connection: Connection }) {
  const [isAsking, setAsking] = useState(false);
  const { display_name: team, roles } = useCurrentTeam();
  const isOwner = roles.includes('team_owner');
  const { name, remote_team_id } = connection;
  return (
    <Stack gap="md" maw={640}>
      <Text>
        The system administrator wants <bdi>{team}</bdi> to govern the team “
        <bdi style={{ overflowWrap: 'anywhere' }}>{remote_team_id}</bdi>” of <bdi>{name}</bdi>. Accepting means:
      </Text>
      <Meaning connection={connection} />
      <Text c="dimmed">
        Nothing is deleted there until an owner saves a rule. An owner can stop governing at any time.
      </Text>
      {isOwner ? (
        <Group>
          <Button onClick={() => setAsking(true)}>Accept</Button>
        </Group>
      ) : (
        <Text fw={500}>Only an owner of the team can accept.</Text>
      )}
      <AcceptDialog connection={connection} opened={isAsking} onClose={() => setAsking(false)} />
    </Stack>
  );
}

function Meaning({ connection: { direct_messages } }: { connection: Connection }) {
  return (
    <ul className={classes.list}>
      <li>
        Its users and channels are listed here, and of each message who wrote it, when, and how large it is. The text of
        messages never leaves the server.
      </li>
      <li>
        Admins of this team can act on users there: end their sessions, send password resets, deactivate them, or remove
        them from the team.
      </li>
      <li>Owners of this team can save rules that permanently delete messages and their files there.</li>
      {direct_messages && (
        <li>
          All of this also applies to direct and group messages of the whole server, because they belong to no team
          there.
        </li>
      )}
    </ul>
  );
}

interface AcceptDialogProps {
  connection: Connection;
  opened: boolean;
  onClose: () => void;
}

function AcceptDialog({ connection: { id, name }, opened, onClose }: AcceptDialogProps) {
  const { id: teamId, display_name: team } = useCurrentTeam();
  const accept = useMutation(accepting);
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Accept ${name}`}
      question={`Let ${team} govern its team on ${name}?`}
      detail="All owners and admins get an email. Users, channels and descriptions of messages are listed from now on, which can take hours on a large server."
      confirmLabel="Accept"
      pending={accept.isPending}
      // The button that opened the dialog disappears.
      returnFocus={!accept.isSuccess}
      onConfirm={() =>
        accept.mutate(
          { params: { teamId, connectionId: id } },
          closeWithAlert('Accepted. The server is being listed.', onClose),
        )
      }
    />
  );
}
