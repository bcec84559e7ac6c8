import { Anchor, Group, Text } from '@mantine/core';
import type { ErasedUser, FormerUser, UserExport } from '@steward/contract/users/privacy';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type ReactNode, useId, useMemo, useRef } from 'react';
import type { Failure } from '#platform/api/failure.ts';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { formatBytes } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { EraseDialog } from './erase-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';
import classes from './privacy.module.css';
import { erasedUsersQueryOptions, exportsQueryOptions, formerUsersQueryOptions } from './privacy.queries.ts';

export const Route = createFileRoute('/_protected/_shell/users/privacy_requests')({ component: PrivacyPage });

const TITLE = 'Privacy Requests';
const ACTIONS = ['users.exported', 'users.erased'] as const;

function PrivacyPage() {
  const { id, roles } = useCurrentTeam();
  return roles.includes('team_owner') ? <OwnerPage teamId={id} /> : <AdminPage />;
}

/** Other admins can't call the endpoints of this screen. */
function AdminPage() {
  return (
    <Page title={TITLE} actions={<HistoryLink actions={ACTIONS} />}>
      <EmptyState icon="privacy" title="Only owners can answer privacy requests">
        When someone asks for their data, or to be erased after they left, an owner of the team can export what is
        stored about them and erase it. Everyone can export their own data under My account.
      </EmptyState>
    </Page>
  );
}

function OwnerPage({ teamId }: { teamId: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { current, open, close } = useDialogState<'export' | 'erase', FormerUser>('export', heading);
  const { what, about: user, opened, time } = current;
  const exports = useQuery(exportsQueryOptions(teamId));
  const former = useQuery(formerUsersQueryOptions(teamId));
  const erased = useQuery(erasedUsersQueryOptions(teamId));
  return (
    <Page
      title={TITLE}
      description="Export what the team stores about a user, or erase it after they left. For users in the team, use the menu of their row in Manage Users."
      actions={<HistoryLink actions={ACTIONS} />}
    >
      <Section title="Exports" list={exports} empty="Exports you requested are listed here for seven days.">
        {(records) => <ExportsTable records={records} />}
      </Section>
      <Section
        title="Former users"
        heading={heading}
        list={former}
        empty="Users who leave the team or are removed are listed here until they are erased."
      >
        {(records) => <FormerTable records={records} onAction={open} />}
      </Section>
      <Section title="Erased users" list={erased} empty="No one has been erased.">
        {(records) => <ErasedTable records={records} />}
      </Section>
      {user !== null && what === 'export' && <ExportDialog key={time} user={user} opened={opened} onClose={close} />}
      {user !== null && what === 'erase' && <EraseDialog key={time} user={user} opened={opened} onClose={close} />}
    </Page>
  );
}

interface SectionProps<Row> {
  title: string;
  /** The heading gets the focus if the row that opened a dialog has disappeared. */
  heading?: React.RefObject<HTMLHeadingElement | null>;
  list: { data: { records: Row[] } | undefined; error: Failure | null; refetch: () => unknown };
  empty: string;
  children: (records: readonly Row[]) => ReactNode;
}

function Section<Row>({ title, heading, list: { data, error, refetch }, empty, children }: SectionProps<Row>) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.section}>
      <h2 id={id} ref={heading} tabIndex={heading && -1} className={classes.heading}>
        {title}
      </h2>
      {data === undefined && error === null && <Skeletons rows={2} height={52} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data?.records.length === 0 && <p className={classes.empty}>{empty}</p>}
      {data !== undefined && data.records.length > 0 && children(data.records)}
    </section>
  );
}

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

function ExportsTable({ records }: { records: readonly UserExport[] }) {
  return <PlainTable label="Exports" columns={EXPORT_COLUMNS} rows={records} rowId={rowId} />;
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

function FormerTable({ records, onAction }: FormerTableProps) {
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
        <RowButton icon="download" aria-label={`Export data of ${user.name}`} onClick={() => onAction('export', user)}>
          Export
        </RowButton>
        <RowButton icon="trash" aria-label={`Erase ${user.name}`} onClick={() => onAction('erase', user)}>
          Erase
        </RowButton>
      </Group>
    ),
  };
}

/** Erased users are listed under the names that the team has for them. */
function ErasedTable({ records }: { records: readonly ErasedUser[] }) {
  return <PlainTable label="Erased users" columns={ERASED_COLUMNS} rows={records} rowId={rowId} />;
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
