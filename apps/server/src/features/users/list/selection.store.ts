import type { SortOrder, UserFilters, UserSort } from '@steward/contract/users';
import { type RawBuilder, sql } from 'kysely';
import { matchesSearch } from '#platform/database/search.ts';
import { type MemberQuery, matchesFilters, matchesNarrowing } from './member-pages.store.ts';

/** The users that a list shows, in its order, on all of its pages. */
export interface UserSelection extends Omit<MemberQuery, 'after'> {
  search: string;
}

export interface UserSearch extends UserSelection, Pick<MemberQuery, 'after'> {
  limit: number;
}

const DAY_MS = 86_400_000;

type Order = { sort?: UserSort | undefined; order?: SortOrder | undefined };

/** The selection of a call's filters; the order matters to lists only. */
export function toSelection(teamId: string, filters: UserFilters & Order): UserSelection {
  const { inactive_days, active_days, never_active, ending_days, invited_days } = filters;
  return {
    teamId,
    search: (filters.search ?? '').trim(),
    owners: filters.primary_owner === '1',
    admins: filters.workspace_admin === '1',
    members: filters.member === '1',
    pending: filters.pending === '1',
    deactivated: filters.deactivated_accounts === '1',
    inactiveSince: never_active === '1' ? 0 : inactive_days && Date.now() - inactive_days * DAY_MS,
    activeSince: active_days && Date.now() - active_days * DAY_MS,
    endingDays: ending_days,
    withoutFactor: filters.without_second_factor === '1',
    invitedBefore: invited_days && Date.now() - invited_days * DAY_MS,
    sort: filters.sort ?? 'name',
    descending: filters.order === 'desc',
  };
}

/** Condition for the `memberships m` that a list shows on any of its pages. */
export function matchesSelection(selection: UserSelection): RawBuilder<unknown> {
  const isFound = matchesSearch(sql`search`, selection.search);
  return sql`${matchesFilters(selection)} and ${matchesNarrowing(selection)} and ${isFound}`;
}
