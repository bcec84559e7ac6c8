import { Button } from '@mantine/core';
import type { User } from '@steward/contract/users';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { DownloadCsv } from '#platform/files/csv-buttons.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Page } from '#platform/page/page.tsx';
import { productSlug } from '#platform/product/product.ts';
import { SearchBox } from '#platform/search/search-box.tsx';
import { type Column, DataTable, SkeletonBar } from '#platform/tables/data-table.tsx';
import { iteratePages } from '#platform/tables/iterate-pages.ts';
import { formatCount, ListLayout } from '#platform/tables/list-layout.tsx';
import { useSignedInUser } from '#workspace/session/use-session.ts';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import type { ActionName } from '../actions/actions.rules.ts';
import { UserActions } from '../actions/user-actions.tsx';
import { type DialogName, UserDialogs } from '../actions/user-dialogs.tsx';
import { FailedNotice } from '../invitations/failed-notice.tsx';
import { createExportPageFetcher } from '../users.queries.ts';
import { countFilters, readUsersSearch, type UsersSearch, withSearch } from './filters.ts';
import { useUsersList } from './use-users-list.ts';
import { KindCell, NameCell, NameSkeleton } from './user-cells.tsx';
import { UserFilters } from './user-filters.tsx';

export const Route = createFileRoute('/_protected/_shell/users/users')({
  validateSearch: readUsersSearch,
  component: UsersPage,
});

function UsersPage() {
  const team = useCurrentTeam();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const { list, failed } = useUsersList(team.id, search);
  const add = useRef<HTMLButtonElement>(null);
  const dialogs = useDialogState<DialogName, User>('add', add);
  const columns = useColumns(dialogs.open);
  const show = (wanted: UsersSearch) => void navigate({ search: wanted, replace: true, resetScroll: false });

  return (
    <Page
      title="Manage Users"
      description={`The people of ${team.display_name}: who they are, what they may do, and signing them out.`}
      actions={
        <Button
          ref={add}
          data-errand="add user"
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => dialogs.open('add')}
        >
          Add User
        </Button>
      }
    >
      <FailedNotice failed={failed} isListed={list.data !== undefined} onShow={() => dialogs.open('failed')} />
      <ListLayout
        search={
          <>
            <SearchBox
              label="Search people"
              placeholder="Search by name or email"
              value={search.search ?? ''}
              busy={list.isPlaceholderData}
              onSearch={(text) => show(withSearch(search, text))}
            />
            <UserFilters search={search} onChange={show} />
          </>
        }
        count={formatCount(list.data?.records.length, list.hasNextPage, { one: 'person', many: 'people' })}
        actions={<UsersDownload teamId={team.id} search={search} />}
      >
        <DataTable
          label="People"
          columns={columns}
          list={list}
          rowId={getId}
          place={`users ${team.id} ${JSON.stringify(search)}`}
          empty={<NoUsers search={search} onClear={() => show({})} />}
          end="End of list"
        />
      </ListLayout>
      <UserDialogs {...dialogs} />
    </Page>
  );
}

const getId = (person: User) => person.id;

function useColumns(open: (action: ActionName, person: User) => void): readonly Column<User>[] {
  const { id } = useSignedInUser();
  return useMemo(
    () => [
      {
        id: 'name',
        header: 'Name',
        width: 'minmax(0, 5fr)',
        cell: (person) => <NameCell person={person} isSelf={person.id === id} />,
        skeleton: <NameSkeleton />,
      },
      {
        id: 'kind',
        header: 'Account Type',
        width: 'minmax(0, 3fr)',
        cell: (person) => <KindCell person={person} />,
        skeleton: <SkeletonBar width="5.5rem" height="1.375rem" />,
      },
      {
        id: 'actions',
        header: 'Actions',
        headerHidden: true,
        width: '2.25rem',
        cell: (person) => <UserActions person={person} signedInId={id} onAction={open} />,
      },
    ],
    [id, open],
  );
}

function UsersDownload({ teamId, search }: { teamId: string; search: UsersSearch }) {
  return (
    <DownloadCsv
      command="download users"
      fileName={`${productSlug()}-users.csv`}
      noun="people"
      make={async (progress, signal) => {
        // No visit begins with a download.
        const { createUsersCsv } = await import('./users.csv.ts');
        let csv = createUsersCsv();
        let count = 0;
        for await (const page of iteratePages(createExportPageFetcher(teamId, search), signal)) {
          // The list was begun anew: what came before is not part of it any more (spec §3, list state).
          if (page.reset === true) [csv, count] = [createUsersCsv(), 0];
          csv.add(page.records);
          count += page.records.length;
          progress(count);
        }
        return csv.finish();
      }}
    />
  );
}

function NoUsers({ search, onClear }: { search: UsersSearch; onClear: () => void }) {
  if (search.search === undefined && countFilters(search) === 0) {
    return (
      <EmptyState icon="people" title="Nobody is in this team yet">
        Add the first person with Add User.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="search"
      title="Nobody found"
      action={
        <Button variant="default" onClick={onClear}>
          Show everyone
        </Button>
      }
    >
      {search.search === undefined ? (
        'Nobody in this team fits these filters.'
      ) : (
        <>
          Nobody in this team fits “<bdi>{search.search}</bdi>”{countFilters(search) > 0 && ' and these filters'}.
        </>
      )}
    </EmptyState>
  );
}
