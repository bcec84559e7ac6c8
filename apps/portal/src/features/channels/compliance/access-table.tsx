import { Button, Text } from '@mantine/core';
import type { ComplianceAccess } from '@steward/contract/channels/compliance';
import { type ReactNode, useMemo } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';

interface AccessTableProps {
  records: readonly ComplianceAccess[];
  onEnd: (access: ComplianceAccess) => void;
}

/** Who may read which channel, until when and why. */
export function AccessTable({ records, onEnd }: AccessTableProps) {
  const columns = useMemo(
    () => [
      ...COLUMNS,
      {
        id: 'actions',
        header: 'ACTIONS',
        width: '6.5rem',
        cell: (access: ComplianceAccess) => (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon name="close" size={14} />}
            aria-label={`End access of ${access.user_name}`}
            onClick={() => onEnd(access)}
          >
            End
          </Button>
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

/** A direct channel has no name. */
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
