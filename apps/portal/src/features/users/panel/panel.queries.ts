import { listAuditEvents } from '@steward/contract/audit';
import { getUser } from '@steward/contract/users/panel';
import { listSessions } from '@steward/contract/users/sessions';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/api/queries.ts';
import type { SessionsResult } from '../sessions/session-list.tsx';
import { type Holder, sessionsQueryOptions } from '../sessions/sessions.queries.ts';

/** The panel shows this many changes; the audit log has the others. */
const SHOWN_CHANGES = '5';

/** The user is fetched each time the panel opens. */
export function userQueryOptions(holder: Holder) {
  return { ...queryOptionsFor(getUser, { params: holder }), staleTime: 0 };
}

export function userHistoryQueryOptions({ teamId, userId }: Holder) {
  const query = { target: userId, limit: SHOWN_CHANGES };
  return { ...queryOptionsFor(listAuditEvents, { params: { teamId }, query }), staleTime: 0 };
}

export function useSessions(holder: Holder): SessionsResult {
  const { data, error, isFetching, refetch } = useQuery(sessionsQueryOptions(holder));
  const isKnown = error === null;
  return {
    records: isKnown ? data?.records : undefined,
    failure: error,
    isFetching,
    retry: () => void refetch(),
  };
}

/** An action may have changed all of these. */
export function refreshPanel(client: QueryClient): void {
  for (const { name } of [getUser, listAuditEvents, listSessions]) void client.invalidateQueries({ queryKey: [name] });
}
