import { listUsers } from '@steward/contract/users';
import { saveUsers } from '@steward/contract/users/multi';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { refetchListsFromStart } from '#platform/tables/cached-lists.ts';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';

/** Adds many users and fetches the lists again. */
export function useSaveUsers() {
  const { id: teamId } = useCurrentTeam();
  const client = useQueryClient();
  return useMutation({
    ...mutationOptionsFor(saveUsers),
    onSuccess: () => refetchListsFromStart(client, { endpoint: listUsers, teamId }),
  });
}
