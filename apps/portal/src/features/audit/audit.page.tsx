import { ActionIcon, Text } from '@mantine/core';
import { type AuditRecord, listAuditEvents } from '@steward/contract/audit';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { DownloadCsv } from '#platform/files/csv-buttons.tsx';
import { EmptyState, NothingFound } from '#platform/page/empty-state.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Page } from '#platform/page/page.tsx';
import { productName, productSlug } from '#platform/product/product.ts';
import { listQueryOptionsFor } from '#platform/tables/cached-lists.ts';
import { type Column, DataTable, SkeletonBar } from '#platform/tables/data-table.tsx';
import { createPageFetcher } from '#platform/tables/iterate-pages.ts';
import { formatCount, ListLayout } from '#platform/tables/list-layout.tsx';
import { CellLines, WHEN_COLUMN } from '#platform/tables/log-table.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import classes from './audit.module.css';
import { AuditFilters } from './audit-filters.tsx';
import { type AuditSearch, auditQuery, readAuditSearch } from './audit-search.ts';
import { getActionText, getActor, getSource, getTarget } from './audit-text.ts';
import { DetailsDialog } from './details-dialog.tsx';

export const Route = createFileRoute('/_protected/_shell/dashboard/audit_log')({
  // The screen parses the search, because a parser in the route would load with every other screen.
  validateSearch: (raw: Record<string, unknown>): AuditSearch => raw,
  component: AuditPage,
});

function AuditPage() {
  const team = useCurrentTeam();
  // The router keeps unknown parameters in the address; they must not reach the API call.
  const search = readAuditSearch({ ...Route.useSearch() });
  const navigate = Route.useNavigate();
  const show = (filters: AuditSearch) => void navigate({ search: filters, replace: true, resetScroll: false });
  return (
    <Page
      title="Audit Log"
      description={`A permanent record of changes in ${team.display_name}: who, what, when and from where.`}
    >
      <Log teamId={team.id} search={search} onShow={show} />
    </Page>
  );
}

interface LogProps {
  teamId: string;
  search: AuditSearch;
  onShow: (search: AuditSearch) => void;
}

function Log({ teamId, search, onShow }: LogProps) {
  const list = useInfiniteQuery(auditQueryOptions(teamId, search));
  const filters = useRef<HTMLFieldSetElement>(null);
  const { current, open, close } = useDialogState<'details', AuditRecord>('details', filters);
  const columns = useAuditColumns(open);
  const first = list.isPlaceholderData ? undefined : list.data?.records[0];
  const showTarget = (target: string) => {
    close();
    onShow({ target });
  };
  return (
    <>
      <ListLayout
        search={<AuditFilters ref={filters} teamId={teamId} search={search} first={first} onChange={onShow} />}
        count={formatCount(list.data, list.hasNextPage, { one: 'change', many: 'changes' })}
        actions={<AuditDownload teamId={teamId} search={search} />}
      >
        <DataTable
          label="Audit log"
          columns={columns}
          list={list}
          rowId={getId}
          place={`audit ${teamId} ${JSON.stringify(search)}`}
          empty={<NoEvents isFiltered={Object.keys(search).length > 0} onClear={() => onShow({})} />}
          end="End of list"
          cardsBelow={70}
        />
      </ListLayout>
      {current.about !== null && (
        <DetailsDialog
          key={current.time}
          teamId={teamId}
          record={current.about}
          opened={current.opened}
          onTarget={showTarget}
          onClose={close}
        />
      )}
    </>
  );
}

const getId = (record: AuditRecord) => record.id;

function AuditDownload({ teamId, search }: { teamId: string; search: AuditSearch }) {
  return (
    <DownloadCsv
      fileName={`${productSlug()}-audit.csv`}
      noun="changes"
      fetchPage={createPageFetcher(listAuditEvents, { params: { teamId }, query: auditQuery(search) })}
      loadCsv={async () => {
        const { createAuditCsv } = await import('./audit.csv.ts');
        return () => createAuditCsv(productName());
      }}
    />
  );
}

function NoEvents({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered) {
    return (
      <EmptyState icon="shield" title="No activity yet">
        Changes to users, the directory, retention, channels and integrations will appear here.
      </EmptyState>
    );
  }
  return (
    <NothingFound clearLabel="Show all changes" onClear={onClear}>
      No changes match these filters.
    </NothingFound>
  );
}

const READ: readonly Column<AuditRecord>[] = [
  WHEN_COLUMN,
  {
    id: 'who',
    header: 'Who',
    width: 'minmax(0, 3.2fr)',
    cell: (record) => <CellLines {...getActor(record, productName())} />,
    skeleton: <SkeletonBar width="8rem" />,
  },
  {
    id: 'what',
    header: 'What',
    width: 'minmax(0, 3.2fr)',
    cell: (record) => (
      <Text component="strong" display="block" fw={500} truncate>
        {getActionText(record)}
      </Text>
    ),
    skeleton: <SkeletonBar width="10rem" />,
  },
  {
    id: 'target',
    header: 'Target',
    width: 'minmax(0, 3fr)',
    cell: (record) => <CellLines {...getTarget(record)} />,
    skeleton: <SkeletonBar width="8rem" />,
  },
  {
    id: 'from',
    header: 'Source',
    width: 'minmax(0, 2fr)',
    cell: (record) => (
      <Text component="bdi" display="block" truncate>
        {getSource(record)}
      </Text>
    ),
    skeleton: <SkeletonBar width="6rem" />,
  },
];

/** A click anywhere on a row opens its details; the button at the end is for the keyboard. */
function useAuditColumns(open: (what: 'details', record: AuditRecord) => void): readonly Column<AuditRecord>[] {
  return useMemo(
    () => [
      ...READ,
      {
        id: 'details',
        header: 'Details',
        headerHidden: true,
        width: '2.25rem',
        cell: (record) => <Open record={record} onOpen={() => open('details', record)} />,
      },
    ],
    [open],
  );
}

function Open({ record, onOpen }: { record: AuditRecord; onOpen: () => void }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={32}
      className={classes.open ?? ''}
      aria-label={`Details of ${getActionText(record)}, ${getTarget(record).name}`}
      onClick={onOpen}
    >
      <Icon name="chevron" size={16} />
    </ActionIcon>
  );
}

function auditQueryOptions(teamId: string, search: AuditSearch) {
  return listQueryOptionsFor(listAuditEvents, { params: { teamId }, query: auditQuery(search) });
}
