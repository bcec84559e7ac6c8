import type { Failure } from './failure.ts';
import type { ListPage } from './queries.ts';

/** What fetching one page takes: the key of the page before, and a signal that ends it. */
export type FetchPage<Item> = (lastKey: string | undefined, signal: AbortSignal) => Promise<ListPage<Item>>;

const RETRY_WAITS_MS = [500, 1_000, 2_000];

/**
 * Every page of a list, in order, until there is no key or no record (spec §7). The next page is under way while the
 * caller works on the last one; a call that did not reach the server is tried again, so that a blink of the network
 * does not cost a long file.
 */
export async function* eachPage<Item>(fetchPage: FetchPage<Item>, signal: AbortSignal): AsyncGenerator<ListPage<Item>> {
  let coming: Promise<ListPage<Item>> | null = persistent(fetchPage, undefined, signal);
  while (coming !== null) {
    const page: ListPage<Item> = await coming;
    const goesOn = page.last_key !== null && page.last_key !== '' && page.records.length > 0;
    coming = goesOn ? persistent(fetchPage, page.last_key ?? undefined, signal) : null;
    // Nobody listens yet, and perhaps never will; the refusal is still there for whoever awaits it.
    coming?.catch(() => undefined);
    yield page;
    signal.throwIfAborted();
  }
}

async function persistent<Item>(fetchPage: FetchPage<Item>, lastKey: string | undefined, signal: AbortSignal) {
  for (const wait of RETRY_WAITS_MS) {
    try {
      return await fetchPage(lastKey, signal);
    } catch (thrown) {
      if (signal.aborted || !isPassing(thrown)) throw thrown;
      await pause(wait, signal);
    }
  }
  return await fetchPage(lastKey, signal);
}

function isPassing(thrown: unknown): boolean {
  return [0, 429, 502, 503, 504].includes((thrown as Partial<Failure>).status_code ?? -1);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
