import { Button } from '@mantine/core';
import { SIGN_IN_DAYS } from '@steward/contract/api/limits';
import type { SignIn } from '@steward/contract/users/sign-ins';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useRef } from 'react';
import { DownloadCsv } from '#platform/files/csv-buttons.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page } from '#platform/page/page.tsx';
import { productSlug } from '#platform/product/product.ts';
import { DataTable } from '#platform/tables/data-table.tsx';
import { iteratePages } from '#platform/tables/iterate-pages.ts';
import { formatCount, ListLayout } from '#platform/tables/list-layout.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { SIGN_IN_COLUMNS } from './sign-in-columns.tsx';
import { SignInFilters } from './sign-in-filters.tsx';
import { createExportPageFetcher, signInsQueryOptions } from './sign-ins.queries.ts';
import { readSignInsSearch, type SignInsSearch } from './sign-ins-search.ts';

export const Route = createFileRoute('/_protected/_shell/users/sign_ins')({
  // Parsed by the screen: a parser in the route would load with every other screen.
  validateSearch: (raw: Record<string, unknown>): SignInsSearch => raw,
  component: SignInsPage,
});

function SignInsPage() {
  const team = useCurrentTeam();
  // The router keeps unknown parameters in the address; they must not reach the API call.
  const search = readSignInsSearch({ ...Route.useSearch() });
  const navigate = Route.useNavigate();
  const list = useInfiniteQuery(signInsQueryOptions(team.id, search));
  const filters = useRef<HTMLFieldSetElement>(null);
  const first = list.isPlaceholderData ? undefined : list.data?.records[0];
  const show = (wanted: SignInsSearch) => void navigate({ search: wanted, replace: true, resetScroll: false });
  const clear = () => {
    show({});
    filters.current?.focus();
  };
  return (
    <Page
      title="Sign-in Log"
      description={`Sign-ins of the members of ${team.display_name} in the last ${SIGN_IN_DAYS} days, successful and refused.`}
    >
      <ListLayout
        search={<SignInFilters ref={filters} teamId={team.id} search={search} first={first} onChange={show} />}
        count={formatCount(list.data, list.hasNextPage, { one: 'sign-in', many: 'sign-ins' })}
        actions={<SignInsDownload teamId={team.id} search={search} />}
      >
        <DataTable
          label="Sign-ins"
          columns={SIGN_IN_COLUMNS}
          list={list}
          rowId={getId}
          place={`sign_ins ${team.id} ${JSON.stringify(search)}`}
          empty={<NoSignIns isFiltered={Object.keys(search).length > 0} onClear={clear} />}
          end="End of list"
          cardsBelow={70}
        />
      </ListLayout>
    </Page>
  );
}

const getId = (record: SignIn) => record.id;

function SignInsDownload({ teamId, search }: { teamId: string; search: SignInsSearch }) {
  return (
    <DownloadCsv
      fileName={`${productSlug()}-sign-ins.csv`}
      noun="sign-ins"
      make={async (progress, signal) => {
        // Loaded on demand: most visits download nothing.
        const { createSignInsCsv } = await import('./sign-ins.csv.ts');
        let csv = createSignInsCsv();
        let count = 0;
        for await (const page of iteratePages(createExportPageFetcher(teamId, search), signal)) {
          // The list started over: the earlier pages no longer belong to it.
          if (page.reset === true) [csv, count] = [createSignInsCsv(), 0];
          csv.add(page.records);
          count += page.records.length;
          progress(count);
        }
        return csv.finish();
      }}
    />
  );
}

function NoSignIns({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered) {
    return (
      <EmptyState icon="key" title="No sign-ins yet">
        When members sign in, or try to, it will appear here.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="search"
      title="Nothing found"
      action={
        <Button variant="default" onClick={onClear}>
          Show all sign-ins
        </Button>
      }
    >
      No sign-ins match these filters.
    </EmptyState>
  );
}
