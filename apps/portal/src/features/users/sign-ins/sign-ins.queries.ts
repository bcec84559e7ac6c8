import { PAGE_ROWS_MAX } from '@steward/contract/api/limits';
import { listSignIns, SignInOutcome } from '@steward/contract/users/sign-ins';
import { call } from '#platform/api/api.ts';
import { listQueryOptionsFor } from '#platform/tables/cached-lists.ts';

/** Search parameters of the page; a filter that is off is absent. */
export interface SignInsSearch {
  /** Id of a user. */
  user?: string;
  outcome?: SignInOutcome;
}

/** Reads search parameters that may have been typed by hand: invalid ones are ignored. */
export function readSignInsSearch(raw: Record<string, unknown>): SignInsSearch {
  const outcome = SignInOutcome.safeParse(raw.outcome);
  const { user } = raw;
  return {
    ...(typeof user === 'string' && /^[a-z0-9]{26}$/.test(user) && { user }),
    ...(outcome.success && { outcome: outcome.data }),
  };
}

function toQuery({ user, outcome }: SignInsSearch): Record<string, string> {
  return { ...(user !== undefined && { user_id: user }), ...(outcome !== undefined && { outcome }) };
}

/** The sign-in log of a team, newest first. */
export function signInsQueryOptions(teamId: string, search: SignInsSearch) {
  return listQueryOptionsFor(listSignIns, { params: { teamId }, query: toQuery(search) });
}

/** Fetches one page for the CSV, with as many rows as a call allows. */
export function createExportPageFetcher(teamId: string, search: SignInsSearch) {
  return (lastKey: string | undefined, signal: AbortSignal) => {
    const query = { ...toQuery(search), limit: String(PAGE_ROWS_MAX), ...(lastKey && { last_key: lastKey }) };
    return call(listSignIns, { params: { teamId }, query }, { signal });
  };
}
