import { Button, NativeSelect, Text } from '@mantine/core';
import { SIGN_IN_DAYS } from '@steward/contract/api/limits';
import { fullName } from '@steward/contract/users/names';
import { listSignIns, type SignIn } from '@steward/contract/users/sign-ins';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type Ref, useRef } from 'react';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { DownloadCsv } from '#platform/files/csv-buttons.tsx';
import { DayFilter } from '#platform/filters/day-filter.tsx';
import { ListFilters } from '#platform/filters/list-filters.tsx';
import { EmptyState, NothingFound } from '#platform/page/empty-state.tsx';
import { Page } from '#platform/page/page.tsx';
import { productSlug } from '#platform/product/product.ts';
import { listQueryOptionsFor } from '#platform/tables/cached-lists.ts';
import { type Column, DataTable, SkeletonBar } from '#platform/tables/data-table.tsx';
import { createPageFetcher } from '#platform/tables/iterate-pages.ts';
import { formatCount, ListLayout } from '#platform/tables/list-layout.tsx';
import { CellLines, WHEN_COLUMN } from '#platform/tables/log-table.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { UserPicker } from '#workspace/users/user-picker.tsx';
import { METHODS, OUTCOMES } from './sign-in-text.ts';
import { readSignInsSearch, type SignInsSearch, signInsQuery, withFilter } from './sign-ins-search.ts';

export const Route = createFileRoute('/_protected/_shell/users/sign_ins')({
  // The screen parses the search, because a parser in the route would load with every other screen.
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
      fetchPage={createPageFetcher(listSignIns, { params: { teamId }, query: signInsQuery(search) })}
      loadCsv={async () => (await import('./sign-ins.csv.ts')).createSignInsCsv}
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
    <NothingFound clearLabel="Show all sign-ins" onClear={onClear}>
      No sign-ins match these filters.
    </NothingFound>
  );
}

/** An IPv6 address needs more width than the last cell of a card has. */
const SIGN_IN_COLUMNS: readonly Column<SignIn>[] = [
  WHEN_COLUMN,
  {
    id: 'user',
    header: 'User',
    width: 'minmax(0, 3.4fr)',
    cell: (record) => {
      const name = fullName(record);
      return <CellLines name={name} note={name === record.email ? '' : record.email} />;
    },
    skeleton: <SkeletonBar width="8rem" />,
  },
  {
    id: 'result',
    header: 'Result',
    width: 'minmax(0, 2.8fr)',
    cell: ({ outcome }) => <StateBadge tone={OUTCOMES[outcome].tone} word={OUTCOMES[outcome].label} />,
    skeleton: <SkeletonBar width="6rem" height="1.375rem" />,
  },
  {
    id: 'method',
    header: 'Method',
    width: 'minmax(0, 1.6fr)',
    cell: ({ method }) => (
      <Text span display="block" truncate>
        {METHODS[method]}
      </Text>
    ),
    skeleton: <SkeletonBar width="5rem" />,
  },
  {
    id: 'address',
    header: 'IP address',
    width: 'minmax(0, 2.2fr)',
    cell: ({ address }) => (
      <Text component="bdi" display="block" truncate className="figures" title={address}>
        {address}
      </Text>
    ),
    skeleton: <SkeletonBar width="6rem" />,
  },
  {
    id: 'device',
    header: 'Device',
    width: 'minmax(0, 2.4fr)',
    cell: ({ device }) => (
      <Text span display="block" truncate title={device}>
        {device}
      </Text>
    ),
    skeleton: <SkeletonBar width="8rem" />,
  },
];

interface SignInFiltersProps {
  ref: Ref<HTMLFieldSetElement>;
  teamId: string;
  search: SignInsSearch;
  /** The first matching row resolves the user id of the address to a name. */
  first: SignIn | undefined;
  onChange: (search: SignInsSearch) => void;
}

const RESULTS = [
  { value: '', label: 'All results' },
  ...Object.entries(OUTCOMES).map(([value, { label }]) => ({ value, label })),
];

/** Each filter applies immediately and is part of the address. */
function SignInFilters({ ref, teamId, search, first, onChange }: SignInFiltersProps) {
  const set = (name: keyof SignInsSearch) => (value: string) => onChange(withFilter(search, name, value));
  return (
    <ListFilters ref={ref}>
      <UserPicker
        teamId={teamId}
        label="User"
        userId={search.user ?? ''}
        knownName={first !== undefined && first.user_id === search.user ? fullName(first) : undefined}
        onPick={set('user')}
      />
      <NativeSelect
        w="13.5rem"
        aria-label="Result"
        data={RESULTS}
        value={search.result ?? ''}
        onChange={({ currentTarget }) => set('result')(currentTarget.value)}
      />
      <DayFilter label="From" day={search.from ?? ''} onPick={set('from')} />
      <DayFilter label="To" day={search.to ?? ''} onPick={set('to')} />
      {Object.keys(search).length > 0 && (
        <Button variant="subtle" onClick={() => onChange({})}>
          Reset
        </Button>
      )}
    </ListFilters>
  );
}

function signInsQueryOptions(teamId: string, search: SignInsSearch) {
  return listQueryOptionsFor(listSignIns, { params: { teamId }, query: signInsQuery(search) });
}
