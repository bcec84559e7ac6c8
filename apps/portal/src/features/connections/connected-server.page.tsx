import { Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { Connection } from '@steward/contract/connections';
import { createFileRoute } from '@tanstack/react-router';
import { useId, useRef } from 'react';
import { type DialogState, useDialogState } from '#platform/dialogs/dialog-state.ts';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { SmallButton } from '#platform/page/facts.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { AcceptSection } from './accept-section.tsx';
import { ChecksSection } from './checks-section.tsx';
import { HEALTH } from './connection-text.ts';
import { useConnections } from './connections.queries.ts';
import { LeaveDialog } from './leave-dialog.tsx';
import { Promises } from './promises.tsx';
import { ConnectionFacts, OpenOrder, PauseButton, StopDialog } from './running-section.tsx';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/connected_server')({
  component: ConnectedServerPage,
});

export type ConnectionDialog = 'leave' | 'stop';

function ConnectedServerPage() {
  const { id: teamId } = useCurrentTeam();
  const { data, error, refetch } = useConnections(teamId);
  const first = useRef<HTMLDivElement>(null);
  const dialog = useDialogState<ConnectionDialog, Connection>('stop', first);
  return (
    <Page
      title="Connected Server"
      description="A chat server that this team governs: its state, what is being deleted there, and what that means."
      actions={<HistoryLink actions={['connections']} />}
    >
      {data === undefined && error === null && <Skeletons rows={3} height={120} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data?.records.length === 0 && <NoConnection />}
      {data !== undefined && data.records.length > 0 && (
        <Stack ref={first} tabIndex={-1} gap="lg" miw={0} style={{ outline: 'none' }}>
          {data.records.map((connection) => (
            <ConnectionSection key={connection.id} connection={connection} dialog={dialog} />
          ))}
        </Stack>
      )}
      <Dialogs dialog={dialog} records={data?.records ?? []} />
    </Page>
  );
}

function NoConnection() {
  return (
    <EmptyState icon="server" title="No server is connected">
      With a connected server, retention rules, legal holds and the actions on users also apply to the chat server that
      your team already uses. The system administrator connects it with{' '}
      <Code style={{ overflowWrap: 'anywhere' }}>npm run workspace -- connect</Code>, and an owner accepts it here.
    </EmptyState>
  );
}

interface SectionProps {
  connection: Connection;
  dialog: DialogState<ConnectionDialog, Connection>;
}

function ConnectionSection({ connection, dialog }: SectionProps) {
  const id = useId();
  const { name, health, reason, accepted_at } = connection;
  const isAccepted = accepted_at > 0;
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 20 }} aria-labelledby={id}>
      <Stack gap="lg" miw={0}>
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={4} miw={0}>
            <Group gap={10}>
              <Title order={2} id={id} fz="1.125rem" style={{ overflowWrap: 'anywhere' }}>
                <bdi>{name}</bdi>
              </Title>
              <StateBadge {...HEALTH[health]} />
            </Group>
            {reason !== '' && <Text c="dimmed">{reason}</Text>}
          </Stack>
          {isAccepted && <PauseButton connection={connection} />}
        </Group>
        {isAccepted ? <Accepted connection={connection} dialog={dialog} /> : <AcceptSection connection={connection} />}
      </Stack>
    </Paper>
  );
}

function Accepted({ connection, dialog }: SectionProps) {
  const isOwner = useCurrentTeam().roles.includes('team_owner');
  const { name, checks, rehearsal, rehearsed_at } = connection;
  return (
    <>
      <ConnectionFacts connection={connection} />
      <OpenOrder connection={connection} onStop={() => dialog.open('stop', connection)} />
      <ChecksSection checks={checks} rehearsal={rehearsal} rehearsedAt={rehearsed_at} />
      <Promises />
      {isOwner && (
        <SmallButton
          c="var(--danger)"
          style={{ alignSelf: 'flex-start' }}
          aria-label={`Stop governing ${name}`}
          onClick={() => dialog.open('leave', connection)}
        >
          Stop governing
        </SmallButton>
      )}
    </>
  );
}

interface DialogsProps {
  dialog: DialogState<ConnectionDialog, Connection>;
  records: readonly Connection[];
}

/** The dialog shows the newest progress, and what it was opened for if that is gone. */
function Dialogs({ dialog: { current, close }, records }: DialogsProps) {
  const { what, about, opened, time } = current;
  if (about === null) return null;
  const connection = records.find(({ id }) => id === about.id) ?? about;
  const props = { connection, opened, onClose: close };
  if (what === 'leave') return <LeaveDialog key={time} {...props} />;
  const order = connection.open_order ?? about.open_order;
  return order === null ? null : <StopDialog key={time} {...props} order={order} />;
}
