import { type ListedUser, listUsers, pickProfile, saveUser } from '@steward/contract/users';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { type Pages, updateCachedLists } from '#platform/tables/cached-lists.ts';
import { currentSession, setSession } from '#workspace/session/session-state.ts';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { applyUserForm } from './users.form.ts';

/** Adds a user, or saves the edited one, and updates the cached lists. */
export function useSaveUser(edited: ListedUser | null) {
  const { id: teamId } = useCurrentTeam();
  const client = useQueryClient();
  return useMutation({
    ...mutationOptionsFor(saveUser),
    onSuccess: async (_answer, { body }) => {
      const person = edited === null ? null : applyUserForm(edited, body);
      if (person !== null) renameSelf(person);
      await updateCachedLists<ListedUser>(client, { endpoint: listUsers, teamId }, (pages) =>
        person === null ? pages : replaceUser(pages, person),
      );
    },
  });
}

/** Users who edit themselves see the change in the header too. */
function renameSelf(person: ListedUser): void {
  const session = currentSession();
  if (session?.user.id !== person.id) return;
  setSession({ ...session, user: { ...session.user, ...pickProfile(person) } });
}

function replaceUser(pages: Pages<ListedUser>, person: ListedUser): Pages<ListedUser> {
  const replace = (records: ListedUser[]) => records.map((record) => (record.id === person.id ? person : record));
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, records: replace(page.records) })) };
}
