import type { ListPage } from '#platform/api/queries.ts';
import { withRetry } from '#platform/api/with-retry.ts';

/** Fetches one page, after the key of the previous one. */
export type FetchPage<Item> = (lastKey: string | undefined, signal: AbortSignal) => Promise<ListPage<Item>>;

/**
 * Every page of a list, in order, until there is no key or no record. Each page is fetched while the caller processes
 * the previous one. A request that didn't reach the server is repeated, so that a short network failure doesn't end a
 * long download.
 */
export async function* iteratePages<Item>(
  fetchPage: FetchPage<Item>,
  signal: AbortSignal,
): AsyncGenerator<ListPage<Item>> {
  const fetched = (lastKey?: string) => withRetry(() => fetchPage(lastKey, signal), signal);
  let coming: Promise<ListPage<Item>> | null = fetched();
  while (coming !== null) {
    const page: ListPage<Item> = await coming;
    const hasMore = page.last_key !== null && page.last_key !== '' && page.records.length > 0;
    coming = hasMore ? fetched(page.last_key ?? undefined) : null;
    // Avoids an unhandled rejection while it isn't awaited yet; awaiting it still throws.
    coming?.catch(() => undefined);
    yield page;
    signal.throwIfAborted();
  }
}
