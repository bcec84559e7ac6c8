import type { Answer, AnyEndpoint } from '@steward/contract/api/endpoint';
import { PAGE_ROWS_MAX } from '@steward/contract/api/limits';
import { call, type Sending } from '#platform/api/api.ts';
import type { ListPage } from '#platform/api/queries.ts';
import { withRetry } from '#platform/api/with-retry.ts';

/** Fetches one page, after the key of the previous one. */
export type FetchPage<Item> = (lastKey: string | undefined, signal: AbortSignal) => Promise<ListPage<Item>>;

/** Fetches pages with as many rows as a call allows. */
export function createPageFetcher<E extends AnyEndpoint>(endpoint: E, sent: Sending<E>) {
  return (lastKey: string | undefined, signal: AbortSignal): Promise<Answer<E>> => {
    const { query } = sent as { query?: object };
    const page = { limit: String(PAGE_ROWS_MAX), ...(lastKey === undefined ? {} : { last_key: lastKey }) };
    return call(endpoint, { ...sent, query: { ...query, ...page } }, { signal });
  };
}

/**
 * Fetches every page of a list, in order, until there is no key or no record. A request that didn't reach the server is
 * repeated, so that a short network failure doesn't end a long download.
 */
export async function* iteratePages<Item>(
  fetchPage: FetchPage<Item>,
  signal: AbortSignal,
): AsyncGenerator<ListPage<Item>> {
  let lastKey: string | undefined;
  do {
    const page = await withRetry(() => fetchPage(lastKey, signal), signal);
    yield page;
    signal.throwIfAborted();
    lastKey = page.records.length > 0 ? (page.last_key ?? undefined) : undefined;
  } while (lastKey !== undefined && lastKey !== '');
}
