import { Button, Text } from '@mantine/core';
import type { ComplianceAccess } from '@steward/contract/channels/compliance';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type ReactNode, useMemo, useRef } from 'react';
import type { Failure } from '#platform/api/failure.ts';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { closeWithAlert } from '#platform/feedback/alerts.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { accessQueryOptions, ending } from './compliance.queries.ts';
import { GrantDialog } from './grant-dialog.tsx';

export const Route = createFileRoute('/_protected/_shell/compliance_access')({ component: CompliancePage });

const TITLE = 'Compliance Access';
const ACTIONS = [
  'channels.compliance_granted',
  'channels.compliance_ended',
  'channels.compliance_read',
] as const satisfies readonly string[];

function CompliancePage() {
  const { id, roles } = useCurrentTeam();
  return roles.includes('team_owner') ? <OwnerPage teamId={id} /> : <AdminPage />;
}

/** Other admins can't call the endpoints of this screen. */
function AdminPage() {
  return (
    <Page title={TITLE} actions={<HistoryLink actions={ACTIONS} />}>
      <EmptyState icon="lock" title="Only owners can grant compliance access">
        Private and direct channels are closed to admins who aren’t members. When a complaint or the law requires it, an
        owner can let someone read one for up to 24 hours. Members of the channel see it, and everything that is read is
        recorded in the audit log.
      </EmptyState>
    </Page>
  );
}

function OwnerPage({ teamId }: { teamId: string }) {
  const { data, error, refetch } = useQuery(accessQueryOptions(teamId));
  const grant = useRef<HTMLButtonElement>(null);
  const { current, open, close } = useDialogState<'grant' | 'end', ComplianceAccess>('grant', grant);
  return (
    <Page
      title={TITLE}
      description="Who may read a private or direct channel for a limited time without being a member. Members of the channel see it."
      actions={
        <>
          <HistoryLink actions={ACTIONS} />
          <Button ref={grant} leftSection={<Icon name="plus" size={16} />} onClick={() => open('grant')}>
            Grant Access
          </Button>
        </>
      }
    >
      {data === undefined && error === null && <Skeletons rows={3} height={52} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data?.records.length === 0 && <NoAccess />}
      {data !== undefined && data.records.length > 0 && (
        <AccessTable records={data.records} onEnd={(access) => open('end', access)} />
      )}
      {current.what === 'grant' && current.time > 0 && (
        <GrantDialog key={current.time} teamId={teamId} opened={current.opened} onClose={close} />
      )}
      {current.what === 'end' && current.about !== null && (
        <EndAccessDialog
          key={current.time}
          teamId={teamId}
          access={current.about}
          opened={current.opened}
          onClose={close}
        />
      )}
    </Page>
  );
}

function NoAccess() {
  return (
    <EmptyState icon="lock" title="No one has compliance access">
      Private and direct channels are open to their members only. When a complaint or the law requires it, you can let
      someone read one for up to 24 hours.
    </EmptyState>
  );
}

interface EndAccessDialogProps extends DialogControls {
  teamId: string;
  access: ComplianceAccess;
}

function EndAccessDialog({ teamId, access, opened, onClose }: EndAccessDialogProps) {
  const end = useMutation(ending);
  const { channel_id: channelId, user_id } = access;
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="End Access"
      question="End this access now?"
      detail={
        <>
          <strong>
            <bdi>{access.user_name}</bdi>
          </strong>{' '}
          will no longer be able to read{' '}
          {access.channel_type === 'D' ? 'the direct channel' : <bdi>{access.channel_name}</bdi>}. A message in the
          channel says so.
        </>
      }
      confirmLabel="End Access"
      danger
      pending={end.isPending}
      onConfirm={() =>
        end.mutate(
          { params: { teamId, channelId }, query: { user_id } },
          closeWithAlert('Saved Successfully', onClose, getText),
        )
      }
    />
  );
}

function getText({ id, message }: Failure): string {
  return id === 'record.not_found' ? 'This access has already ended.' : message;
}

interface AccessTableProps {
  records: readonly ComplianceAccess[];
  onEnd: (access: ComplianceAccess) => void;
}

function AccessTable({ records, onEnd }: AccessTableProps) {
  const columns = useMemo(
    () => [
      ...COLUMNS,
      {
        id: 'actions',
        header: 'ACTIONS',
        width: '6.5rem',
        cell: (access: ComplianceAccess) => (
          <RowButton icon="close" aria-label={`End access of ${access.user_name}`} onClick={() => onEnd(access)}>
            End
          </RowButton>
        ),
      },
    ],
    [onEnd],
  );
  const rowId = ({ channel_id, user_id }: ComplianceAccess) => `${channel_id} ${user_id}`;
  return <PlainTable label="Compliance access" columns={columns} rows={records} rowId={rowId} />;
}

const COLUMNS: readonly PlainColumn<ComplianceAccess>[] = [
  { id: 'channel', header: 'Channel', width: 'minmax(0, 2.3fr)', cell: (access) => <ChannelName {...access} /> },
  {
    id: 'user',
    header: 'User',
    width: 'minmax(0, 2fr)',
    cell: ({ user_name, email }) => <Lines first={user_name} second={user_name === email ? '' : email} />,
  },
  { id: 'until', header: 'Until', width: 'minmax(0, 2fr)', cell: ({ until }) => <Timestamp at={until} /> },
  { id: 'reason', header: 'Reason', width: 'minmax(0, 2fr)', cell: ({ reason }) => <bdi>{reason}</bdi> },
  {
    id: 'granted_by',
    header: 'Granted by',
    width: 'minmax(0, 1.4fr)',
    cell: ({ granted_by_name }) => <bdi>{granted_by_name}</bdi>,
  },
];

/** Direct channels have no name. */
function ChannelName({ channel_type, channel_name, channel_id }: ComplianceAccess) {
  const isDirect = channel_type === 'D';
  const name = (
    <Text span inherit fw={500}>
      {isDirect ? 'Direct channel' : channel_name}
    </Text>
  );
  return <Lines first={name} second={isDirect ? channel_id : ''} />;
}

function Lines({ first, second }: { first: ReactNode; second: string }) {
  return (
    <>
      <bdi>{first}</bdi>
      {second !== '' && (
        <Text component="bdi" display="block" c="dimmed" fz="0.8125rem" style={{ overflowWrap: 'anywhere' }}>
          {second}
        </Text>
      )}
    </>
  );
}
