import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { type InfiniteData, keepPreviousData, type Query, type QueryClient } from '@tanstack/react-query';
import type { Sending } from '#platform/api/api.ts';
import { infiniteQueryOptionsFor, type ListPage } from '#platform/api/queries.ts';

/** A longer list is only updated in place, because fetching it again would take one request per page. */
const REFETCHED_PAGES = 5;

export type Pages<Item> = InfiniteData<ListPage<Item>, string | undefined>;

/** The lists of one team from one endpoint, with any search and filters. */
export interface ListScope {
  endpoint: AnyEndpoint;
  teamId: string;
}

export interface ListFilter {
  search?: string;
}

/** The previous list stays visible until the next one has loaded. */
export function listQueryOptionsFor<E extends AnyEndpoint>(endpoint: E, sent: Sending<E>) {
  return {
    ...infiniteQueryOptionsFor(endpoint, sent),
    placeholderData: keepPreviousData,
    refetchOnMount: (query: { state: { data?: unknown } }) => isShort(query.state.data),
  };
}

/** Updates every cached list and fetches short lists again. Resolves once the lists have rendered. */
export async function updateCachedLists<Item>(
  client: QueryClient,
  lists: ListScope,
  update: (pages: Pages<Item>, filter: ListFilter) => Pages<Item>,
): Promise<void> {
  // A page that is still loading would overwrite the change; the table requests it again.
  await client.cancelQueries({ predicate: (query) => isListQuery(query, lists) && query.state.data !== undefined });
  for (const { queryKey } of client.getQueryCache().findAll({ predicate: (query) => isListQuery(query, lists) })) {
    const filter = (queryKey[2] as { query?: ListFilter }).query ?? {};
    client.setQueryData<Pages<Item>>(queryKey, (pages) => pages && update(pages, filter));
  }
  void client.invalidateQueries({ predicate: (query) => isListQuery(query, lists) && isShort(query.state.data) });
  await nextTask();
}

/** Long lists are fetched from their first page. */
export async function refetchListsFromStart(client: QueryClient, lists: ListScope): Promise<void> {
  const ofTeam = { predicate: (query: Query) => isListQuery(query, lists) };
  await client.cancelQueries({ predicate: (query) => isListQuery(query, lists) && query.state.data !== undefined });
  client.setQueriesData<Pages<unknown>>(ofTeam, (pages) => {
    if (pages === undefined || isShort(pages)) return pages;
    return { pages: pages.pages.slice(0, 1), pageParams: pages.pageParams.slice(0, 1) };
  });
  await client.invalidateQueries(ofTeam);
}

function isListQuery({ queryKey: [name, , sent] }: Query, { endpoint, teamId }: ListScope): boolean {
  return name === endpoint.name && (sent as { params?: { teamId?: string } })?.params?.teamId === teamId;
}

function isShort(data: unknown): boolean {
  return ((data as Pages<unknown> | undefined)?.pages.length ?? 0) <= REFETCHED_PAGES;
}

/** The query client notifies observers after the current task, in the order of the changes. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
