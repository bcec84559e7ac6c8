import '@mantine/core/styles/Group.layer.css';
import '@mantine/core/styles/Text.layer.css';
import { Button, Group, NativeSelect, Text } from '@mantine/core';
import type { SignIn, SignInOutcome } from '@steward/contract/users/sign-ins';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { DownloadCsv } from '#platform/files/csv-buttons.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Page } from '#platform/page/page.tsx';
import { productSlug } from '#platform/product/product.ts';
import { type Column, DataTable, SkeletonBar } from '#platform/tables/data-table.tsx';
import { iteratePages } from '#platform/tables/iterate-pages.ts';
import { formatCount, ListLayout } from '#platform/tables/list-layout.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { fullName } from '#workspace/people/initials.ts';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { METHODS, OUTCOMES } from './sign-in-text.ts';
import classes from './sign-ins.module.css';
import {
  createExportPageFetcher,
  readSignInsSearch,
  type SignInsSearch,
  signInsQueryOptions,
} from './sign-ins.queries.ts';

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
  const show = (filters: SignInsSearch) => void navigate({ search: filters, replace: true, resetScroll: false });
  const first = list.isPlaceholderData ? undefined : list.data?.records[0];
  return (
    <Page
      title="Sign-in Log"
      description={`Sign-ins of users of ${team.display_name}, successful and refused. They are kept for 90 days.`}
    >
      <ListLayout
        search={<Filters search={search} first={first} onChange={show} />}
        count={formatCount(list.data, list.hasNextPage, { one: 'sign-in', many: 'sign-ins' })}
        actions={<SignInsDownload teamId={team.id} search={search} />}
      >
        <DataTable
          label="Sign-ins"
          columns={COLUMNS}
          list={list}
          rowId={getId}
          place={`sign-ins ${team.id} ${JSON.stringify(search)}`}
          empty={<NoSignIns isFiltered={Object.keys(search).length > 0} onClear={() => show({})} />}
          end="End of list"
          cardsBelow={70}
        />
      </ListLayout>
    </Page>
  );
}

const getId = ({ id }: SignIn) => id;

const COLUMNS: readonly Column<SignIn>[] = [
  {
    id: 'when',
    header: 'When',
    width: 'minmax(0, 2.6fr)',
    cell: ({ at }) => (
      <Text span display="block" truncate>
        <Timestamp at={at} />
      </Text>
    ),
    skeleton: <SkeletonBar width="9rem" />,
  },
  {
    id: 'who',
    header: 'Who',
    width: 'minmax(0, 3.4fr)',
    cell: (record) => <Who record={record} />,
    skeleton: <SkeletonBar width="8rem" />,
  },
  {
    id: 'result',
    header: 'Result',
    width: 'minmax(0, 2.2fr)',
    cell: ({ outcome }) => <StateBadge tone={outcome === 'ok' ? 'success' : 'warning'} word={OUTCOMES[outcome]} />,
    skeleton: <SkeletonBar width="6rem" height="1.375rem" />,
  },
  {
    id: 'method',
    header: 'Method',
    width: 'minmax(0, 1.2fr)',
    cell: ({ method }) => METHODS[method],
    skeleton: <SkeletonBar width="4rem" />,
  },
  {
    id: 'source',
    header: 'Device',
    width: 'minmax(0, 3fr)',
    cell: ({ device, address }) => (
      <div className={classes.lines}>
        <Text component="bdi" display="block" truncate title={device}>
          {device}
        </Text>
        <Text component="bdi" display="block" truncate c="dimmed" fz={13} title={address}>
          {address}
        </Text>
      </div>
    ),
    skeleton: <SkeletonBar width="8rem" />,
  },
];

function Who({ record }: { record: SignIn }) {
  const name = fullName(record);
  return (
    <div className={classes.lines}>
      <Text component="bdi" display="block" truncate fw={500} title={name}>
        {name}
      </Text>
      {name !== record.email && (
        <Text component="bdi" display="block" truncate c="dimmed" fz={13} title={record.email}>
          {record.email}
        </Text>
      )}
    </div>
  );
}

const RESULTS = [
  { value: '', label: 'All results' },
  ...(['ok', 'bad_password', 'throttled', 'deactivated'] as const).map((value) => ({ value, label: OUTCOMES[value] })),
];

interface FiltersProps {
  search: SignInsSearch;
  /** The first row, which has the name of the user in the address. */
  first: SignIn | undefined;
  onChange: (search: SignInsSearch) => void;
}

function Filters({ search, first, onChange }: FiltersProps) {
  const { outcome, user, ...rest } = search;
  return (
    <Group renderRoot={(props) => <fieldset {...props} />} aria-label="Filters" gap={8} m={0} p={0} bd={0}>
      <NativeSelect
        w="13.5rem"
        aria-label="Result"
        data={RESULTS}
        value={outcome ?? ''}
        rightSection={<Icon name="chevron" size={16} />}
        rightSectionPointerEvents="none"
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...rest, ...(user && { user }), ...(value !== '' && { outcome: value as SignInOutcome }) })
        }
      />
      {user !== undefined && (
        <Button
          variant="default"
          maw="20rem"
          fw={400}
          rightSection={<Icon name="close" size={14} />}
          aria-label="Remove the user filter"
          onClick={() => onChange({ ...rest, ...(outcome && { outcome }) })}
        >
          User:&nbsp;<bdi>{first === undefined ? user : fullName(first)}</bdi>
        </Button>
      )}
    </Group>
  );
}

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
        Sign-ins of users of this team will appear here.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="search"
      title="No sign-ins found"
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
