import { Anchor, Button, Group, Text } from '@mantine/core';
import type { ErasedUser, FormerUser, UserExport } from '@steward/contract/users/privacy';
import { type ReactNode, useMemo } from 'react';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { formatBytes } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';

const rowId = ({ id }: { id: string }) => id;

function Name({ first, second = '' }: { first: ReactNode; second?: string }) {
  return (
    <>
      <Text span inherit fw={500}>
        <bdi>{first}</bdi>
      </Text>
      {second !== '' && (
        <Text component="bdi" display="block" c="dimmed" fz="0.8125rem" style={{ overflowWrap: 'anywhere' }}>
          {second}
        </Text>
      )}
    </>
  );
}

/** Exports of the owner, with the link to each file. */
export function ExportsTable({ records }: { records: readonly UserExport[] }) {
  return <PlainTable label="Exports" columns={EXPORT_COLUMNS} rows={records} rowId={rowId} isWide />;
}

const EXPORT_COLUMNS: readonly PlainColumn<UserExport>[] = [
  {
    id: 'user',
    header: 'User',
    width: 'minmax(0, 2.2fr)',
    cell: ({ name, user_id }) => <Name first={name || user_id} />,
  },
  { id: 'requested', header: 'Requested', width: 'minmax(0, 2fr)', cell: (row) => <Timestamp at={row.requested_at} /> },
  { id: 'expires', header: 'Expires', width: 'minmax(0, 2fr)', cell: (row) => <Timestamp at={row.expires_at} /> },
  { id: 'file', header: 'FILE', width: 'minmax(9rem, 1.4fr)', cell: (row) => <ExportFile {...row} /> },
];

function ExportFile({ state, url, size, name }: UserExport) {
  if (url !== null)
    return (
      <Anchor href={url} download aria-label={`Download the export of ${name}`}>
        Download ({formatBytes(size)})
      </Anchor>
    );
  if (state === 'failed') return <StateBadge tone="danger" word="Failed" />;
  return <StateBadge tone="info" word="In progress" />;
}

interface FormerTableProps {
  records: readonly FormerUser[];
  onAction: (action: 'export' | 'erase', user: FormerUser) => void;
}

/** Users who left, and what can be done about them. */
export function FormerTable({ records, onAction }: FormerTableProps) {
  const columns = useMemo(() => [...FORMER_COLUMNS, actionsColumn(onAction)], [onAction]);
  return <PlainTable label="Former users" columns={columns} rows={records} rowId={rowId} isWide />;
}

const FORMER_COLUMNS: readonly PlainColumn<FormerUser>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 3fr)',
    cell: ({ name, email }) => <Name first={name} second={name === email ? '' : email} />,
  },
  { id: 'left', header: 'Left', width: 'minmax(0, 2fr)', cell: ({ left_at }) => <Timestamp at={left_at} /> },
];

function actionsColumn(onAction: FormerTableProps['onAction']): PlainColumn<FormerUser> {
  return {
    id: 'actions',
    header: 'ACTIONS',
    width: 'minmax(6.5rem, 12rem)',
    cell: (user) => (
      <Group gap={8}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          aria-label={`Export data of ${user.name}`}
          onClick={() => onAction('export', user)}
        >
          Export
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="trash" size={14} />}
          aria-label={`Erase ${user.name}`}
          onClick={() => onAction('erase', user)}
        >
          Erase
        </Button>
      </Group>
    ),
  };
}

/** Users who were erased, under the names that the team has for them. */
export function ErasedTable({ records }: { records: readonly ErasedUser[] }) {
  return <PlainTable label="Erased users" columns={ERASED_COLUMNS} rows={records} rowId={rowId} isWide />;
}

const ERASED_COLUMNS: readonly PlainColumn<ErasedUser>[] = [
  { id: 'name', header: 'Name', width: 'minmax(0, 2.2fr)', cell: ({ name }) => <Name first={name} /> },
  { id: 'erased', header: 'Erased', width: 'minmax(0, 2fr)', cell: (row) => <Timestamp at={row.started_at} /> },
  {
    id: 'account',
    header: 'Account',
    width: 'minmax(0, 2fr)',
    cell: ({ account }) => (account === 'deleted' ? 'Deleted' : 'Kept for another team'),
  },
  {
    id: 'state',
    header: 'State',
    width: 'minmax(9rem, 1.4fr)',
    cell: ({ state }) =>
      state === 'done' ? <StateBadge tone="success" word="Complete" /> : <StateBadge tone="info" word="In progress" />,
  },
];
