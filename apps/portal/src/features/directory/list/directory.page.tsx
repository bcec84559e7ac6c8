import { Box, Button, Group } from '@mantine/core';
import { type Entry, listEntries } from '@steward/contract/directory';
import { type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type RefObject, Suspense, useMemo, useRef } from 'react';
import { type DialogState, useDialogState } from '#platform/dialogs/dialog-state.ts';
import { DownloadCsv } from '#platform/files/csv-buttons.tsx';
import { lazyComponent } from '#platform/lazy-component.ts';
import { EmptyState, NothingFound } from '#platform/page/empty-state.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Page } from '#platform/page/page.tsx';
import { usePressByCommand } from '#platform/page/waiting-command.ts';
import { productSlug } from '#platform/product/product.ts';
import { SearchBox } from '#platform/search/search-box.tsx';
import { listQueryOptionsFor, refetchListsFromStart } from '#platform/tables/cached-lists.ts';
import { type Column, DataTable, SkeletonBar } from '#platform/tables/data-table.tsx';
import { createPageFetcher } from '#platform/tables/iterate-pages.ts';
import { formatCount, ListLayout } from '#platform/tables/list-layout.tsx';
import { UploadButton } from '#platform/upload/upload-button.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import {
  EmailCell,
  type EntryAction,
  EntryActions,
  NameCell,
  NameSkeleton,
  NumberCell,
} from '../entry/entry-cells.tsx';
import { type DirectorySearch, readDirectorySearch, searchFor } from './directory-search.ts';

const UploadDialog = lazyComponent(async () => (await import('../import/upload-dialog.tsx')).UploadDialog);

export const Route = createFileRoute('/_protected/_shell/users/company_directory')({
  validateSearch: readDirectorySearch,
  component: DirectoryPage,
});

function DirectoryPage() {
  const team = useCurrentTeam();
  const search = Route.useSearch({ select: readDirectorySearch, structuralSharing: true });
  const navigate = Route.useNavigate();
  const list = useInfiniteQuery(entriesQueryOptions(team.id, search));
  const add = useRef<HTMLButtonElement>(null);
  const upload = useRef<HTMLButtonElement>(null);
  const dialogs = useDialogState<EntryAction | 'add', Entry>('add', add);
  const columns = useColumns(dialogs.open);
  const onAdd = () => dialogs.open('add');
  const show = (text: string) => void navigate({ search: searchFor(text), replace: true, resetScroll: false });

  return (
    <Page
      title="Company Directory"
      description={`Names, phone numbers and email addresses that everyone in ${team.display_name} can look up.`}
      actions={<PageActions add={add} onAdd={onAdd} />}
    >
      <ListLayout
        search={
          <SearchBox
            label="Search directory"
            placeholder="Search by name, number or email"
            value={search.search ?? ''}
            busy={list.isPlaceholderData}
            onSearch={show}
          />
        }
        count={formatCount(list.data, list.hasNextPage, { one: 'entry', many: 'entries' })}
        actions={<ListActions upload={upload} teamId={team.id} search={search} />}
      >
        <DataTable
          label="Directory"
          columns={columns}
          list={list}
          rowId={getId}
          place={`directory ${team.id} ${JSON.stringify(search)}`}
          empty={<NoEntries search={search} onClear={() => show('')} onAdd={onAdd} upload={upload} />}
          end="End of list"
          cardsBelow={70}
        />
      </ListLayout>
      <EntryDialogs {...dialogs} />
    </Page>
  );
}

const getId = (entry: Entry) => entry.id;

function PageActions({ add, onAdd }: { add: RefObject<HTMLButtonElement | null>; onAdd: () => void }) {
  usePressByCommand('add entry', add);
  return (
    <>
      <Box visibleFrom="sm">
        <HistoryLink actions={['directory']} />
      </Box>
      <Button ref={add} leftSection={<Icon name="plus" size={16} />} onClick={onAdd}>
        Add Entry
      </Button>
    </>
  );
}

function useColumns(open: (action: EntryAction, entry: Entry) => void): readonly Column<Entry>[] {
  return useMemo(
    () => [
      {
        id: 'name',
        header: 'Name',
        width: 'minmax(0, 3.6fr)',
        cell: (entry) => <NameCell entry={entry} />,
        skeleton: <NameSkeleton />,
      },
      {
        id: 'phone_number',
        header: 'Phone Number',
        width: 'minmax(0, 2.3fr)',
        cell: ({ phone_number }) => <NumberCell number={phone_number} scheme="tel" />,
        skeleton: <SkeletonBar width="7rem" />,
      },
      {
        id: 'sms',
        header: 'SMS Number',
        width: 'minmax(0, 2.3fr)',
        cell: ({ sms }) => <NumberCell number={sms} scheme="sms" />,
        skeleton: <SkeletonBar width="7rem" />,
      },
      {
        id: 'email',
        header: 'Email Address',
        width: 'minmax(0, 4.8fr)',
        cell: ({ email }) => <EmailCell email={email} />,
        skeleton: <SkeletonBar width="11rem" />,
      },
      {
        id: 'actions',
        header: 'ACTIONS',
        width: '4.5rem',
        cell: (entry) => <EntryActions entry={entry} onAction={open} />,
      },
    ],
    [open],
  );
}

interface ListActionsProps {
  upload: RefObject<HTMLButtonElement | null>;
  teamId: string;
  search: DirectorySearch;
}

function ListActions({ upload, teamId, search }: ListActionsProps) {
  const client = useQueryClient();
  return (
    <>
      <UploadButton
        ref={upload}
        label="Upload CSV"
        command="upload entries"
        dialog={UploadDialog}
        teamId={teamId}
        onChanged={() => void refreshEntries(client, teamId)}
      />
      <DirectoryDownload teamId={teamId} search={search} />
      {/* A phone has no space for this beside the title. */}
      <Box hiddenFrom="sm">
        <HistoryLink actions={['directory']} />
      </Box>
    </>
  );
}

function DirectoryDownload({ teamId, search }: { teamId: string; search: DirectorySearch }) {
  return (
    <DownloadCsv
      command="download entries"
      fileName={`${productSlug()}-compdir.csv`}
      noun="entries"
      fetchPage={createPageFetcher(listEntries, { params: { teamId }, query: search })}
      loadCsv={async () => (await import('../import/directory.csv.ts')).createDirectoryCsv}
    />
  );
}

interface NoEntriesProps {
  search: DirectorySearch;
  onClear: () => void;
  onAdd: () => void;
  upload: RefObject<HTMLButtonElement | null>;
}

function NoEntries({ search, onClear, onAdd, upload }: NoEntriesProps) {
  if (search.search === undefined) {
    return (
      <EmptyState
        icon="book"
        title="The directory is empty"
        action={
          <Group gap={8} justify="center">
            <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={onAdd}>
              Add your first entry
            </Button>
            <Button
              variant="default"
              leftSection={<Icon name="upload" size={16} />}
              onClick={() => upload.current?.click()}
            >
              Upload a CSV file
            </Button>
          </Group>
        }
      >
        Add entries one at a time, or import many from a spreadsheet.
      </EmptyState>
    );
  }
  return (
    <NothingFound clearLabel="Show all entries" onClear={onClear}>
      No entries match “<bdi>{search.search}</bdi>”.
    </NothingFound>
  );
}

function entriesQueryOptions(teamId: string, search: DirectorySearch) {
  return listQueryOptionsFor(listEntries, { params: { teamId }, query: search });
}

/** Shows changes by an upload or another user. A long list starts again at its first page. */
function refreshEntries(client: QueryClient, teamId: string): Promise<void> {
  return refetchListsFromStart(client, { endpoint: listEntries, teamId });
}

// The dialogs are loaded on demand because no visit starts with one.
const EntryDialog = lazyComponent(async () => (await import('../entry/entry-dialog.tsx')).EntryDialog);
const DeleteDialog = lazyComponent(async () => (await import('../entry/delete-dialog.tsx')).DeleteDialog);

function EntryDialogs({ current, close }: DialogState<EntryAction | 'add', Entry>) {
  const { what, about: entry, opened, time } = current;
  if (time === 0) return null;
  const dialog = { opened, onClose: close };
  return (
    <Suspense fallback={null}>
      {entry !== null && what === 'delete' ? (
        <DeleteDialog key={time} entry={entry} {...dialog} />
      ) : (
        <EntryDialog key={time} entry={entry} {...dialog} />
      )}
    </Suspense>
  );
}
