import { PAGE_ROWS_MAX } from '@steward/contract/api/limits';
import { listAuditEvents } from '@steward/contract/audit';
import { listUsers } from '@steward/contract/users';
import { keepPreviousData } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import { queryOptionsFor } from '#platform/api/queries.ts';
import { listQueryOptionsFor } from '#platform/tables/cached-lists.ts';
import { type AuditSearch, auditQuery } from './log/audit-search.ts';

/** The audit log of a team, newest first. */
export function auditQueryOptions(teamId: string, search: AuditSearch) {
  return listQueryOptionsFor(listAuditEvents, { params: { teamId }, query: auditQuery(search) });
}

/** Fetches one page for the CSV, with as many rows as a call allows. */
export function createExportPageFetcher(teamId: string, search: AuditSearch) {
  return (lastKey: string | undefined, signal: AbortSignal) => {
    const limit = String(PAGE_ROWS_MAX);
    const query = { ...auditQuery(search), limit, ...(lastKey === undefined ? {} : { last_key: lastKey }) };
    return call(listAuditEvents, { params: { teamId }, query }, { signal });
  };
}

const ACTOR_OPTIONS_LIMIT = '20';

/**
 * The first users of a team that match a search; before anything is typed, the owners and admins. Includes deactivated
 * users, who may have made changes too.
 */
export function actorsQueryOptions(teamId: string, search: string) {
  const admins = { primary_owner: '1', workspace_admin: '1' } as const;
  const query = {
    limit: ACTOR_OPTIONS_LIMIT,
    deactivated_accounts: '1' as const,
    ...(search === '' ? admins : { search }),
  };
  return { ...queryOptionsFor(listUsers, { params: { teamId }, query }), placeholderData: keepPreviousData };
}
