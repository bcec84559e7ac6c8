// Imports go one way: panel → list → actions, bulk, import → lifecycle, invitations, sessions → user-name, end-date-field.

import { Button } from '@mantine/core';
import { type ListedUser, listUsers, type User, type UserAction, type UserSort } from '@steward/contract/users';
import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Outlet } from '@tanstack/react-router';
import { memo, type RefObject, Suspense, useCallback, useRef } from 'react';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { DownloadCsv } from '#platform/files/csv-buttons.tsx';
import { lazyComponent } from '#platform/lazy-component.ts';
import { EmptyState, NothingFound } from '#platform/page/empty-state.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Page } from '#platform/page/page.tsx';
import { usePressByCommand } from '#platform/page/waiting-command.ts';
import { productSlug } from '#platform/product/product.ts';
import { SearchBox } from '#platform/search/search-box.tsx';
import { refetchListsFromStart } from '#platform/tables/cached-lists.ts';
import { DataTable } from '#platform/tables/data-table.tsx';
import { createPageFetcher } from '#platform/tables/iterate-pages.ts';
import { formatCount, ListLayout } from '#platform/tables/list-layout.tsx';
import type { Sorting } from '#platform/tables/sort-header.tsx';
import { UploadButton } from '#platform/upload/upload-button.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { LivesOn } from '#workspace/connections/lives-on.tsx';
import { currentSession } from '#workspace/session/session-state.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import type { DialogName } from '../actions/user-dialogs.tsx';
import { useWatchedJob } from '../bulk/bulk.queries.ts';
import type { BulkList } from '../bulk/bulk-bar.tsx';
import { isEmpty } from '../bulk/selection.ts';
import { useSelected, useSelectionStore } from '../bulk/use-selection.ts';
import { FailedNotice } from '../invitations/failed-notice.tsx';
import { countFilters, readUsersSearch, toggleOrder, type UsersSearch, usersQuery, withSearch } from './filters.ts';
import { useUserColumns } from './user-cells.tsx';
import { UserFilters } from './user-filters.tsx';
import { prefetchUsersList, useUsersList } from './users.queries.ts';

export const Route = createFileRoute('/_protected/_shell/users/users')({
  validateSearch: readUsersSearch,
  loader: ({ location }) => {
    const session = currentSession();
    if (session !== null) prefetchUsersList(session.currentTeam.id, readUsersSearch(location.search));
  },
  // The component loads another search of the open screen itself.
  shouldReload: false,
  component: UsersPage,
});

function UsersPage() {
  const team = useCurrentTeam();
  const search = Route.useSearch({ select: readUsersSearch, structuralSharing: true });
  const { list, failed } = useUsersList(team.id, search);
  const add = useRef<HTMLButtonElement>(null);
  const dialogs = useDialogState<DialogName, ListedUser>('add', add);
  const { act, show, openAdd } = useListActions(dialogs.open);
  const place = `users ${team.id} ${JSON.stringify(search)}`;
  const users = list.data?.records;
  const selection = useSelectionStore(place, users);
  const columns = useUserColumns({ selection, onAction: act, onOpen: useOpenPanel() });

  return (
    <Page
      title="Manage Users"
      description={`Manage members, roles, invitations and active sessions for ${team.display_name}.`}
      actions={<UsersActions add={add} onAdd={openAdd} />}
    >
      <FailedNotice failed={failed} isListed={list.data !== undefined} onShow={() => dialogs.open('failed')} />
      <ListLayout
        search={<UsersSearchBar search={search} isBusy={list.isPlaceholderData} onChange={show} />}
        count={formatCount(list.data, list.hasNextPage, { one: 'person', many: 'people' })}
        actions={<ListActions teamId={team.id} search={search} />}
      >
        <DataTable
          label="People"
          columns={columns}
          list={list}
          rowId={getId}
          sorting={toSorting(search, show)}
          cardsBelow={60}
          place={place}
          empty={<NoUsers search={search} onClear={() => show({})} />}
          end="End of list"
        />
        <BulkArea list={{ store: selection, users, filter: usersQuery(search), total: list.data?.total ?? null }} />
      </ListLayout>
      <Suspense fallback={null}>{dialogs.current.time > 0 && <UserDialogs {...dialogs} />}</Suspense>
      <Outlet />
    </Page>
  );
}

// No visit starts with a dialog.
const UserDialogs = lazyComponent(async () => (await import('../actions/user-dialogs.tsx')).UserDialogs);

const getId = (user: ListedUser) => user.id;

/** The functions are the same at each render, so that memoized children don't render again. */
function useListActions(open: (name: DialogName, user?: ListedUser) => void) {
  const navigate = Route.useNavigate();
  const act = useCallback(
    (action: UserAction, user: ListedUser) => {
      if (action === 'view_sign_ins') void navigate({ to: '/users/sign_ins', search: { user: user.id } });
      else open(action, user);
    },
    [navigate, open],
  );
  const show = useCallback(
    (wanted: UsersSearch) => void navigate({ search: wanted, replace: true, resetScroll: false }),
    [navigate],
  );
  const openAdd = useCallback(() => open('add'), [open]);
  return { act, show, openAdd };
}

function useOpenPanel(): (user: User) => void {
  const navigate = Route.useNavigate();
  return useCallback(
    ({ id: userId }) => {
      const state = { isOverList: true };
      void navigate({ to: '/users/users/$userId', params: { userId }, search: true, state, resetScroll: false });
    },
    [navigate],
  );
}

function toSorting(search: UsersSearch, show: (wanted: UsersSearch) => void): Sorting {
  return {
    by: search.sort ?? 'name',
    descending: search.order === 'desc',
    onSort: (by) => show(toggleOrder(search, by as UserSort)),
  };
}

interface UsersActionsProps {
  add: RefObject<HTMLButtonElement | null>;
  onAdd: () => void;
}

// Scrolling loads pages, and each one renders the screen again. Memoization skips the parts that don't depend on the rows.
const UsersActions = memo(function UsersActions({ add, onAdd }: UsersActionsProps) {
  usePressByCommand('add user', add);
  return (
    <>
      <LivesOn chosen={undefined} />
      <HistoryLink actions={['users']} />
      <Button ref={add} leftSection={<Icon name="plus" size={16} />} onClick={onAdd}>
        Add User
      </Button>
    </>
  );
});

interface UsersSearchBarProps {
  search: UsersSearch;
  isBusy: boolean;
  onChange: (search: UsersSearch) => void;
}

const UsersSearchBar = memo(function UsersSearchBar({ search, isBusy, onChange }: UsersSearchBarProps) {
  return (
    <>
      <SearchBox
        label="Search people"
        placeholder="Search by name or email"
        value={search.search ?? ''}
        busy={isBusy}
        onSearch={(text) => onChange(withSearch(search, text))}
      />
      <UserFilters search={search} onChange={onChange} />
    </>
  );
});

interface ListActionsProps {
  teamId: string;
  search: UsersSearch;
}

const ListActions = memo(function ListActions({ teamId, search }: ListActionsProps) {
  return (
    <>
      <ImportUsers teamId={teamId} />
      <UsersDownload teamId={teamId} search={search} />
    </>
  );
});

function UsersDownload({ teamId, search }: ListActionsProps) {
  return (
    <DownloadCsv
      command="download users"
      fileName={`${productSlug()}-users.csv`}
      noun="people"
      fetchPage={createPageFetcher(listUsers, { params: { teamId }, query: usersQuery(search) })}
      loadCsv={async () => (await import('./users.csv.ts')).createUsersCsv}
    />
  );
}

function NoUsers({ search, onClear }: { search: UsersSearch; onClear: () => void }) {
  if (search.search === undefined && countFilters(search) === 0) {
    return (
      <EmptyState icon="people" title="No users yet">
        Use Add User to invite the first one.
      </EmptyState>
    );
  }
  return (
    <NothingFound title="No users found" clearLabel="Show all users" onClear={onClear}>
      {search.search === undefined ? (
        'No users match these filters.'
      ) : (
        <>
          No users match “<bdi>{search.search}</bdi>”{countFilters(search) > 0 && ' and these filters'}.
        </>
      )}
    </NothingFound>
  );
}

const ImportDialog = lazyComponent(async () => (await import('../import/import-dialog.tsx')).ImportDialog);

function ImportUsers({ teamId }: { teamId: string }) {
  const client = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <UploadButton
      ref={button}
      label="Import CSV"
      isIconOnPhone
      command="import users"
      dialog={ImportDialog}
      teamId={teamId}
      onChanged={() => void refetchListsFromStart(client, { endpoint: listUsers, teamId })}
    />
  );
}

// Most visits select no one, so this is loaded on demand.
const BulkBar = lazyComponent(async () => (await import('../bulk/bulk-bar.tsx')).BulkBar);
const BulkProgress = lazyComponent(async () => (await import('../bulk/bulk-bar.tsx')).BulkProgress);

function BulkArea({ list }: { list: BulkList }) {
  const isIdle = useSelected(list.store, isEmpty);
  const { jobId, watch } = useWatchedJob();
  if (jobId === null && isIdle) return null;
  return (
    <Suspense fallback={null}>
      {jobId === null ? (
        <BulkBar list={list} onStarted={watch} />
      ) : (
        <BulkProgress key={jobId} jobId={jobId} onEnd={() => watch(null)} />
      )}
    </Suspense>
  );
}
