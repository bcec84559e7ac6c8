import { listUsers } from '@steward/contract/users';
import { keepPreviousData } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/api/queries.ts';

const OPTIONS_LIMIT = '20';

/**
 * The first users of a team that match a search, or the owners and admins if there is no text. Deactivated users are included,
 * because they are in the logs too.
 */
export function userOptionsQueryOptions(teamId: string, search: string) {
  const admins = { primary_owner: '1', workspace_admin: '1' } as const;
  const query = {
    limit: OPTIONS_LIMIT,
    deactivated_accounts: '1' as const,
    ...(search === '' ? admins : { search }),
  };
  return { ...queryOptionsFor(listUsers, { params: { teamId }, query }), placeholderData: keepPreviousData };
}
