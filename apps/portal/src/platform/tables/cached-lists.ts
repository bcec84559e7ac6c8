import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { type InfiniteData, keepPreviousData, type Query, type QueryClient } from '@tanstack/react-query';
import type { Sending } from '#platform/api/api.ts';
import { infiniteQueryOptionsFor, type ListPage } from '#platform/api/queries.ts';

/** A list longer than this is mended in place: fetching it again would be as many calls as it has pages. */
const REFETCHED_PAGES = 5;

/** All pages of a list that were loaded so far. */
export type Pages<Item> = InfiniteData<ListPage<Item>, string | undefined>;

/** The lists of one team that an endpoint answers, whatever they were searched for. */
export interface ListScope {
  endpoint: AnyEndpoint;
  teamId: string;
}

/** What a list is narrowed by. */
export interface ListFilter {
  search?: string;
}

/** Options for `useInfiniteQuery`: the list that was there before stays in view until the next one has come. */
export function listQueryOptionsFor<E extends AnyEndpoint>(endpoint: E, sent: Sending<E>) {
  return {
    ...infiniteQueryOptionsFor(endpoint, sent),
    placeholderData: keepPreviousData,
    refetchOnMount: (query: { state: { data?: unknown } }) => isShort(query.state.data),
  };
}

/** Shows a change in every list that holds it, and fetches short lists again; done once the lists are drawn. */
export async function updateCachedLists<Item>(
  client: QueryClient,
  lists: ListScope,
  mend: (pages: Pages<Item>, narrowed: ListFilter) => Pages<Item>,
): Promise<void> {
  // A page under way would put back the list as it was when it was asked for; the table asks again by itself.
  await client.cancelQueries({ predicate: (query) => isListQuery(query, lists) && query.state.data !== undefined });
  for (const { queryKey } of client.getQueryCache().findAll({ predicate: (query) => isListQuery(query, lists) })) {
    const narrowed = (queryKey[2] as { query?: ListFilter }).query ?? {};
    client.setQueryData<Pages<Item>>(queryKey, (pages) => pages && mend(pages, narrowed));
  }
  void client.invalidateQueries({ predicate: (query) => isListQuery(query, lists) && isShort(query.state.data) });
  await nextTask();
}

/** Fetches every list of the team again, long ones from their first page. */
export async function refetchListsFromStart(client: QueryClient, lists: ListScope): Promise<void> {
  const mine = { predicate: (query: Query) => isListQuery(query, lists) };
  await client.cancelQueries({ predicate: (query) => isListQuery(query, lists) && query.state.data !== undefined });
  client.setQueriesData<Pages<unknown>>(mine, (pages) => {
    if (pages === undefined || isShort(pages)) return pages;
    return { pages: pages.pages.slice(0, 1), pageParams: pages.pageParams.slice(0, 1) };
  });
  await client.invalidateQueries(mine);
}

function isListQuery({ queryKey: [name, , sent] }: Query, { endpoint, teamId }: ListScope): boolean {
  return name === endpoint.name && (sent as { params?: { teamId?: string } })?.params?.teamId === teamId;
}

function isShort(data: unknown): boolean {
  return ((data as Pages<unknown> | undefined)?.pages.length ?? 0) <= REFETCHED_PAGES;
}

/** The query client tells those who watch a query after the present task, in the order of the changes. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
