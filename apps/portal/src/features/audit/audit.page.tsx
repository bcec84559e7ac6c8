import { Button } from '@mantine/core';
import type { AuditRecord } from '@steward/contract/audit';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useRef } from 'react';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { DownloadCsv } from '#platform/files/csv-buttons.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page } from '#platform/page/page.tsx';
import { productName, productSlug } from '#platform/product/product.ts';
import { DataTable } from '#platform/tables/data-table.tsx';
import { iteratePages } from '#platform/tables/iterate-pages.ts';
import { formatCount, ListLayout } from '#platform/tables/list-layout.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { auditQueryOptions, createExportPageFetcher } from './audit.queries.ts';
import { DetailsDialog } from './details/details-dialog.tsx';
import { useAuditColumns } from './log/audit-columns.tsx';
import { AuditFilters } from './log/audit-filters.tsx';
import { type AuditSearch, readAuditSearch } from './log/audit-search.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/audit_log')({
  // Parsed by the screen: a parser in the route would load with every other screen.
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
      make={async (progress, signal) => {
        // Loaded on demand: most visits download nothing.
        const { createAuditCsv } = await import('./log/audit.csv.ts');
        let csv = createAuditCsv(productName());
        let count = 0;
        for await (const page of iteratePages(createExportPageFetcher(teamId, search), signal)) {
          // The list started over: the earlier pages no longer belong to it.
          if (page.reset === true) [csv, count] = [createAuditCsv(productName()), 0];
          csv.add(page.records);
          count += page.records.length;
          progress(count);
        }
        return csv.finish();
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
    <EmptyState
      icon="search"
      title="Nothing found"
      action={
        <Button variant="default" onClick={onClear}>
          Show all changes
        </Button>
      }
    >
      No changes match these filters.
    </EmptyState>
  );
}
