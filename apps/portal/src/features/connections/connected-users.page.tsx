import { Button, Checkbox, Group, Paper, Stack, Text } from '@mantine/core';
import { CONNECTED_USERS_MAX } from '@steward/contract/api/limits';
import type { ConnectedUser, Connection } from '@steward/contract/connections';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Quiet } from '#platform/page/facts.tsx';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { SearchBox } from '#platform/search/search-box.tsx';
import { cleanSearch } from '#platform/search/search-text.ts';
import { formatCount, ListLayout } from '#platform/tables/list-layout.tsx';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { ShowMore } from '#platform/tables/show-more.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { LivesOn } from '#workspace/connections/lives-on.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { AskDialog, type AskDialogProps } from './ask-dialog.tsx';
import { ConnectedPage, NothingAccepted } from './connected-page.tsx';
import { createUserColumns } from './connected-user-columns.tsx';
import { type UsersFilter, useConnectedUsers } from './connected-users.queries.ts';
import { InviteDialog, UnlinkDialog } from './link-dialogs.tsx';

interface UsersSearch extends UsersFilter {
  connection?: string;
}

export const Route = createFileRoute('/_protected/_shell/users/connected_users')({
  validateSearch: ({ connection, search, ended }: Record<string, unknown>): UsersSearch => ({
    ...(typeof connection === 'string' && { connection }),
    ...(typeof search === 'string' && cleanSearch(search) !== '' && { search: cleanSearch(search) }),
    ...((ended === 1 || ended === '1') && { ended: 1 as const }),
  }),
  component: ConnectedUsersPage,
});

function ConnectedUsersPage() {
  const { connection: wanted } = Route.useSearch();
  return (
    <ConnectedPage
      title="Users"
      description="They can't sign in here, unless they are invited from here and accept. Their roles there give no right here."
      wanted={wanted}
      actions={(_accepted, chosen) => (
        <>
          <LivesOn chosen={chosen?.id} />
          <HistoryLink
            actions={[
              'connections.asked',
              'connections.work_ended',
              'users.invited_from_server',
              'users.unlinked_from_server',
            ]}
          />
        </>
      )}
      loading={<Skeletons rows={6} height={48} />}
      nothing={
        <NothingAccepted to="/users/users" link="Open Manage Users">
          Once an owner accepts a connected server, its users are listed here.
        </NothingAccepted>
      }
    >
      {(connection) => <Users key={connection.id} connection={connection} />}
    </ConnectedPage>
  );
}

function Users({ connection }: { connection: Connection }) {
  const { id: teamId } = useCurrentTeam();
  const place = { teamId, connectionId: connection.id };
  const { search = '', ended } = Route.useSearch();
  const list = useConnectedUsers(place, { search, ...(ended && { ended }) });
  const top = useRef<HTMLDivElement>(null);
  const { current, open, close } = useDialogState<UsersDialog, readonly ConnectedUser[]>('ask', top);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const users = list.data?.records;
  const chosen = useMemo(() => users?.filter(({ id }) => selected.has(id)) ?? [], [users, selected]);
  const columns = useMemo(
    () =>
      createUserColumns({
        selected,
        onSelect: (id) => setSelected((before) => toggled(before, id)),
        onAct: (user) => open('ask', [user]),
        onInvite: (user) => open('invite', [user]),
        onUnlink: (user) => open('unlink', [user]),
      }),
    [selected, open],
  );
  const count = formatCount(list.data, list.hasNextPage, { one: 'person', many: 'people' });
  return (
    <div ref={top} tabIndex={-1} style={{ outline: 'none', minWidth: 0 }}>
      <ListLayout
        search={<Search connectionId={connection.id} isBusy={list.isPlaceholderData} />}
        count={count}
        actions={null}
      >
        <Group gap="8px 24px">
          <SelectLoaded users={users ?? []} selected={selected} onChange={setSelected} />
          <EndedOnly connectionId={connection.id} />
        </Group>
        <SelectionBar users={chosen} onAct={() => open('ask', chosen)} onClear={() => setSelected(new Set())} />
        <UserTable list={list} columns={columns} server={connection.name} isSearch={search !== '' || ended === 1} />
      </ListLayout>
      {current.about !== null && (
        <Dialogs
          key={current.time}
          what={current.what}
          place={place}
          server={connection.name}
          users={current.about}
          opened={current.opened}
          onClose={close}
          onAsked={() => setSelected(new Set())}
        />
      )}
    </div>
  );
}

type UsersDialog = 'ask' | 'invite' | 'unlink';

interface DialogsProps extends AskDialogProps {
  what: UsersDialog;
}

function Dialogs({ what, users, onAsked, ...rest }: DialogsProps) {
  const [user] = users;
  if (what === 'ask' || user === undefined) return <AskDialog users={users} onAsked={onAsked} {...rest} />;
  return what === 'invite' ? <InviteDialog user={user} {...rest} /> : <UnlinkDialog user={user} {...rest} />;
}

function Search({ connectionId, isBusy }: { connectionId: string; isBusy: boolean }) {
  const { search = '', ended } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <SearchBox
      label="Search people"
      placeholder="Search by name or email"
      value={search}
      busy={isBusy}
      onSearch={(text) =>
        void navigate({
          search: { connection: connectionId, ...(ended && { ended }), ...(text !== '' && { search: text }) },
          replace: true,
        })
      }
    />
  );
}

/** Home leads to this filter. */
function EndedOnly({ connectionId }: { connectionId: string }) {
  const { search, ended } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Checkbox
      label="Only people whose access here ended"
      checked={ended === 1}
      onChange={({ currentTarget }) =>
        void navigate({
          search: {
            connection: connectionId,
            ...(search !== undefined && { search }),
            ...(currentTarget.checked && { ended: 1 as const }),
          },
          replace: true,
        })
      }
    />
  );
}

interface UserTableProps {
  list: ReturnType<typeof useConnectedUsers>;
  columns: readonly PlainColumn<ConnectedUser>[];
  server: string;
  isSearch: boolean;
}

function UserTable({ list, columns, server, isSearch }: UserTableProps) {
  const users = list.data?.records;
  if (users === undefined && list.error === null) return <Skeletons rows={6} height={48} />;
  if (users === undefined) return <PageError failure={list.error} onRetry={() => void list.refetch()} />;
  if (users.length === 0) return <NoUsers server={server} isSearch={isSearch} />;
  return (
    <>
      <PlainTable
        label={`Users on ${server}`}
        columns={columns}
        rows={users}
        rowId={({ id }) => id}
        isStale={list.isPlaceholderData}
      />
      {list.isFetchNextPageError && (
        <div role="alert">
          <Quiet>Couldn't load more users: {getFailureMessage(list.error)}</Quiet>
        </div>
      )}
      <Group justify="center">
        <ShowMore list={list} />
      </Group>
    </>
  );
}

function NoUsers({ server, isSearch }: Pick<UserTableProps, 'server' | 'isSearch'>) {
  return (
    <EmptyState icon="people" title={isSearch ? 'No users found' : 'No users yet'}>
      {isSearch
        ? `No user of ${server} matches this search and filter.`
        : 'Users appear here as soon as the bridge has listed them.'}
    </EmptyState>
  );
}

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(id)) after.add(id);
  return after;
}

interface SelectLoadedProps {
  users: readonly ConnectedUser[];
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
}

function SelectLoaded({ users, selected, onChange }: SelectLoadedProps) {
  if (users.length === 0) return null;
  const all = users.every(({ id }) => selected.has(id));
  return (
    <Checkbox
      label="Select all loaded"
      checked={all}
      indeterminate={!all && selected.size > 0}
      onChange={() => onChange(new Set(all ? [] : users.map(({ id }) => id)))}
    />
  );
}

interface SelectionBarProps {
  users: readonly ConnectedUser[];
  onAct: () => void;
  onClear: () => void;
}

/** One call takes a limited number of users. */
function SelectionBar({ users, onAct, onClear }: SelectionBarProps) {
  const isTooMany = users.length > CONNECTED_USERS_MAX;
  if (users.length === 0) return null;
  return (
    <Paper role="region" aria-label="Selection" withBorder px="md" py="xs" bg="var(--surface-quiet)">
      <Group gap="sm" justify="space-between">
        <Stack gap={0}>
          <Text fw={500} role="status">
            {users.length} selected
          </Text>
          {isTooMany && <Quiet>Choose at most {CONNECTED_USERS_MAX} at a time.</Quiet>}
        </Stack>
        <Group gap="sm">
          <Button variant="default" onClick={onClear}>
            Clear
          </Button>
          <Button disabled={isTooMany} onClick={onAct}>
            Actions
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
