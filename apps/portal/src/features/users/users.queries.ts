import { listUsers, saveUser, type User } from '@steward/contract/users';
import { type InfiniteData, keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api.ts';
import { type ListPage, mutationFor, pagesFor } from '#platform/queries.ts';
import { useCurrentTeam } from '#workspace/current-team.ts';
import { currentSession, holdSession } from '#workspace/session-state.ts';
import { type UsersSearch, usersQuery } from './filters.ts';
import { editedPerson } from './users.form.ts';

/** A list longer than this is mended in place: fetching it again would be as many calls as it has pages. */
const REFETCHED_PAGES = 5;

type Pages = InfiniteData<ListPage<User>, string | undefined>;

/** The list of people; the one before stays in view until the next has come. */
export function peopleOf(teamId: string, search: UsersSearch) {
  return {
    ...pagesFor(listUsers, { params: { teamId }, query: usersQuery(search) }),
    placeholderData: keepPreviousData,
    refetchOnMount: (query: { state: { data?: unknown } }) => pagesIn(query.state.data) <= REFETCHED_PAGES,
  };
}

/** One page for the file: as many people as a call gives. */
export function pageForFile(teamId: string, search: UsersSearch) {
  return (lastKey: string | undefined, signal: AbortSignal) => {
    const query = { ...usersQuery(search), limit: '2000', ...(lastKey === undefined ? {} : { last_key: lastKey }) };
    return call(listUsers, { params: { teamId }, query }, { signal });
  };
}

/** Adds a person, or saves the one who is edited, and brings the list up to date. */
export function useSaveUser(edited: User | null) {
  const { id: teamId } = useCurrentTeam();
  const client = useQueryClient();
  return useMutation({
    ...mutationFor(saveUser),
    onSuccess: (_answer, { body }) => {
      const mine = { predicate: isListOf(teamId) };
      if (edited !== null) {
        const person = editedPerson(edited, body);
        client.setQueriesData<Pages>(mine, (pages) => withPerson(pages, person));
        renameSelf(person);
      }
      const isShort = (data: unknown) => pagesIn(data) <= REFETCHED_PAGES;
      void client.invalidateQueries({ predicate: (query) => isListOf(teamId)(query) && isShort(query.state.data) });
    },
  });
}

/** Somebody who edits themselves sees it in the header too. */
function renameSelf(person: User): void {
  const session = currentSession();
  if (session?.user.id !== person.id) return;
  const { first_name, last_name } = person;
  holdSession({ ...session, user: { ...session.user, first_name, last_name } });
}

function isListOf(teamId: string) {
  return ({ queryKey: [name, , sent] }: { queryKey: readonly unknown[] }) =>
    name === listUsers.name && (sent as { params?: { teamId?: string } })?.params?.teamId === teamId;
}

function pagesIn(data: unknown): number {
  return (data as Pages | undefined)?.pages.length ?? 0;
}

function withPerson(pages: Pages | undefined, person: User): Pages | undefined {
  if (pages === undefined) return undefined;
  const replaced = (records: User[]) => records.map((record) => (record.id === person.id ? person : record));
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, records: replaced(page.records) })) };
}
