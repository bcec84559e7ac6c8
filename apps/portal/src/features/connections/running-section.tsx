import { Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import type { Connection, Order } from '@steward/contract/connections';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { closeWithAlert, showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { ProgressBar } from '#platform/feedback/progress.tsx';
import { Quiet, SmallButton } from '#platform/page/facts.tsx';
import { formatNumber } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { countMessages, describeFirstList, describeProgress, describeReadOnly } from './connection-text.ts';
import { pausing, stopping } from './connections.queries.ts';

interface ConnectionProps {
  connection: Connection;
}

export function ConnectionFacts({ connection }: ConnectionProps) {
  const { name, health, users, channels, channels_filled, messages, listed_at, last_seen_at } = connection;
  const { server_version, accepted_at, accepted_by_name, direct_messages } = connection;
  const readOnly = describeReadOnly(connection);
  return (
    <Stack gap="md">
      <Group gap="12px 32px" align="start">
        <Fact label="Users">{formatNumber(users)}</Fact>
        <Fact label="Channels">{formatNumber(channels)}</Fact>
        <Fact label="Messages">{formatNumber(messages)}</Fact>
        <Fact label="Direct messages">{direct_messages ? 'Governed by this team' : 'Not governed here'}</Fact>
        <Fact label="All lists complete since">{listed_at === 0 ? 'Not yet' : <Timestamp at={listed_at} />}</Fact>
        <Fact label="Last report">{last_seen_at === 0 ? 'None yet' : <Timestamp at={last_seen_at} />}</Fact>
        <Fact label="Version">{server_version === '' ? 'Unknown' : <bdi>{server_version}</bdi>}</Fact>
        <Fact label="Accepted">
          <Timestamp at={accepted_at} />
          {accepted_by_name !== '' && (
            <>
              {' by '}
              <bdi>{accepted_by_name}</bdi>
            </>
          )}
        </Fact>
      </Group>
      {readOnly !== undefined && <Quiet>{readOnly}</Quiet>}
      {health === 'filling' && (
        <ProgressBar
          label={`First list of ${name}`}
          value={channels_filled}
          max={channels}
          text={describeFirstList(connection)}
        />
      )}
    </Stack>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Text component="div" miw={0} className="figures" style={{ overflowWrap: 'anywhere' }}>
      <Text c="dimmed" size="xs">
        {label}
      </Text>
      {children}
    </Text>
  );
}

export function OpenOrder({ connection, onStop }: ConnectionProps & { onStop: () => void }) {
  const { id, name, open_order: order } = connection;
  return (
    <Paper bg="var(--surface-quiet)" p="md">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Text component="h3" m={0} fw={600}>
            {order === null ? 'Nothing is being deleted' : 'Messages are being deleted'}
          </Text>
          {order !== null && (
            <SmallButton aria-label={`Stop the order to ${name}`} onClick={onStop}>
              Stop
            </SmallButton>
          )}
        </Group>
        {order !== null && (
          <ProgressBar
            label={`Order to ${name}`}
            value={order.gone + order.kept}
            max={order.rows}
            text={describeProgress(order)}
          />
        )}
        <Anchor
          inherit
          fz="0.8125rem"
          style={{ alignSelf: 'flex-start' }}
          renderRoot={(props) => (
            <Link to="/dashboard/team_settings/connected_retention" search={{ connection: id }} {...props} />
          )}
        >
          Rules and earlier orders
        </Anchor>
      </Stack>
    </Paper>
  );
}

export function PauseButton({ connection: { id, name, paused } }: ConnectionProps) {
  const { id: teamId } = useCurrentTeam();
  const pause = useMutation(pausing);
  const toggle = () =>
    pause.mutate(
      { params: { teamId, connectionId: id }, body: { paused: !paused } },
      {
        onSuccess: () => showSuccess(paused ? 'Deletion continues.' : 'Deletion is paused until you resume it.'),
        onError: showFailure,
      },
    );
  const word = paused ? 'Resume deletion' : 'Pause deletion';
  return (
    <SmallButton aria-label={`${word} on ${name}`} loading={pause.isPending} onClick={toggle}>
      {word}
    </SmallButton>
  );
}

interface StopDialogProps extends ConnectionProps {
  order: Order;
  opened: boolean;
  onClose: () => void;
}

export function StopDialog({ connection, order, opened, onClose }: StopDialogProps) {
  const { id: teamId } = useCurrentTeam();
  const stop = useMutation(stopping);
  const left = order.rows - order.gone - order.kept;
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Stop the order"
      question={`Stop deleting messages on ${connection.name}?`}
      detail={
        <>
          {countMessages(left)} of {formatNumber(order.rows)} are left. A part of at most 400 that was already begun is
          finished. What was deleted can't be restored. The next nightly run orders again what is due: pause deletion or
          change the rules to prevent that.
        </>
      }
      confirmLabel="Stop the order"
      cancelLabel="Continue deleting"
      pending={stop.isPending}
      onConfirm={() =>
        stop.mutate(
          { params: { teamId, connectionId: connection.id, orderId: order.id } },
          closeWithAlert('The order is stopped.', onClose),
        )
      }
    />
  );
}
