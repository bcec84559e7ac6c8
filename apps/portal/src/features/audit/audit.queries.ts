import { PAGE_ROWS_MAX } from '@steward/contract/api/limits';
import { listAuditEvents } from '@steward/contract/audit';
import { call } from '#platform/api/api.ts';
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
