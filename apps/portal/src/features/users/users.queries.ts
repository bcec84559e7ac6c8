import { listUsers, saveUser, type User } from '@steward/contract/users';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { listQueryOptionsFor, type Pages, updateCachedLists } from '#platform/tables/cached-lists.ts';
import { currentSession, setSession } from '#workspace/session/session-state.ts';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { applyUserForm } from './actions/users.form.ts';
import { type UsersSearch, usersQuery } from './list/filters.ts';

/** The list of people. */
export function usersQueryOptions(teamId: string, search: UsersSearch) {
  return listQueryOptionsFor(listUsers, { params: { teamId }, query: usersQuery(search) });
}

/** One page for the file: as many people as a call gives. */
export function createExportPageFetcher(teamId: string, search: UsersSearch) {
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
    ...mutationOptionsFor(saveUser),
    onSuccess: async (_answer, { body }) => {
      const person = edited === null ? null : applyUserForm(edited, body);
      if (person !== null) renameSelf(person);
      await updateCachedLists<User>(client, { endpoint: listUsers, teamId }, (pages) =>
        person === null ? pages : withPerson(pages, person),
      );
    },
  });
}

/** Somebody who edits themselves sees it in the header too. */
function renameSelf(person: User): void {
  const session = currentSession();
  if (session?.user.id !== person.id) return;
  const { first_name, last_name } = person;
  setSession({ ...session, user: { ...session.user, first_name, last_name } });
}

function withPerson(pages: Pages<User>, person: User): Pages<User> {
  const replaced = (records: User[]) => records.map((record) => (record.id === person.id ? person : record));
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, records: replaced(page.records) })) };
}
