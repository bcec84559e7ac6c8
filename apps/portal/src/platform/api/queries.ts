import type { Answer, AnyEndpoint } from '@steward/contract/api/endpoint';
import { type InfiniteData, infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query';
import { call, type Sending } from './api.ts';
import type { Failure } from './failure.ts';

/** The query is cached under the endpoint's name and its input. */
export function queryOptionsFor<E extends AnyEndpoint>(endpoint: E, sent: Sending<E>) {
  return queryOptions<Answer<E>, Failure>({
    queryKey: [endpoint.name, 'one', sent],
    queryFn: ({ signal }) => call(endpoint, sent, { signal }),
  });
}

/** A `refetchInterval`: the query is repeated while its data says that something is in progress. */
export function pollWhile<Data>(isInProgress: (data: Data) => boolean, milliseconds: number) {
  return ({ state: { data } }: { state: { data?: Data | undefined } }): number | false =>
    data !== undefined && isInProgress(data) && milliseconds;
}

export interface ListPage<Item> {
  records: Item[];
  last_key: string | null;
  reset?: boolean | undefined;
  /** Number of all records, if the first page contains it; null if the server doesn't know. */
  total?: number | null | undefined;
}

type Records<E extends AnyEndpoint> = Answer<E> extends ListPage<infer Item> ? Item : never;

export interface Listed<Item> {
  records: Item[];
  /** Number of all records; null while it is unknown. */
  total: number | null;
}

/**
 * Options for `useInfiniteQuery`: `data.records` holds every record loaded so far; `fetchNextPage` follows `last_key`.
 * A page flagged `reset` replaces the pages before it.
 */
export function infiniteQueryOptionsFor<E extends AnyEndpoint>(endpoint: E, sent: Sending<E>) {
  type Page = ListPage<Records<E>>;
  return infiniteQueryOptions<Page, Failure, Listed<Records<E>>, readonly unknown[], string | undefined>({
    queryKey: [endpoint.name, 'pages', sent],
    initialPageParam: undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...(sent as { query?: object }).query, last_key: pageParam };
      return (await call(endpoint, { ...sent, query } as Sending<E>, { signal })) as Page;
    },
    getNextPageParam: nextKey,
    select: joinPages,
    // Comparing every loaded record at each new page would make a long list stutter during scrolling.
    structuralSharing: false,
    // A long list takes many calls, so it is fetched again after changes and not whenever the window gets the focus.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** Returns undefined at the end of the list, or if a server keeps answering with the key that it was sent. */
export function nextKey(page: ListPage<unknown>, _pages?: unknown, sentKey?: string): string | undefined {
  if (page.last_key === null || page.last_key === '' || page.records.length === 0) return undefined;
  return page.last_key === sentKey ? undefined : page.last_key;
}

/** Returns all records, starting with the last page that replaces the previous ones. */
export function joinPages<Item>(data: InfiniteData<ListPage<Item>, unknown>): Listed<Item> {
  const replacedAt = data.pages.findLastIndex((page) => page.reset === true);
  const pages = data.pages.slice(Math.max(replacedAt, 0));
  // concat copies whole pages. flatMap took 30 ms for a list of 100,000 at every new page.
  return { records: ([] as Item[]).concat(...pages.map((page) => page.records)), total: pages[0]?.total ?? null };
}

/** A change that may be repeated has a key. */
export type Change<E extends AnyEndpoint> = Sending<E> & { idempotencyKey?: string };

interface Effect {
  /** After a success, everything cached of these endpoints is fetched again. */
  refreshes?: readonly AnyEndpoint[];
  /** The change ends when these have been fetched again, also after a failure: another user may have made the change. */
  reloads?: readonly AnyEndpoint[];
}

export function mutationOptionsFor<E extends AnyEndpoint>(endpoint: E, { refreshes = [], reloads = [] }: Effect = {}) {
  return mutationOptions<Answer<E>, Failure, Change<E>>({
    mutationKey: [endpoint.name],
    // The call itself refreshes, so that a screen's own onSuccess cannot switch it off.
    mutationFn: async ({ idempotencyKey, ...sent }, { client }) => {
      const refetch = ({ name }: AnyEndpoint) => client.invalidateQueries({ queryKey: [name] });
      try {
        const answer = await call(endpoint, sent as unknown as Sending<E>, { idempotencyKey });
        for (const each of refreshes) void refetch(each);
        return answer;
      } finally {
        await Promise.all(reloads.map(refetch));
      }
    },
  });
}
