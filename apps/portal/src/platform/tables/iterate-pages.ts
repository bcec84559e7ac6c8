import type { ListPage } from '#platform/api/queries.ts';
import { withRetry } from '#platform/api/with-retry.ts';

/** What fetching one page takes: the key of the page before, and a signal that ends it. */
export type FetchPage<Item> = (lastKey: string | undefined, signal: AbortSignal) => Promise<ListPage<Item>>;

/**
 * Every page of a list, in order, until there is no key or no record. The next page is under way while the
 * caller works on the last one; a call that did not reach the server is tried again, so that a blink of the network
 * does not cost a long file.
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
    // Nobody listens yet, and perhaps never will; the refusal is still there for whoever awaits it.
    coming?.catch(() => undefined);
    yield page;
    signal.throwIfAborted();
  }
}
