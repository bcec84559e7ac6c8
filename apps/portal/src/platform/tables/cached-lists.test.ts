import assert from 'node:assert/strict';
import { type ListedUser, listUsers } from '@steward/contract/users';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { describe, it } from 'vitest';
import type { ListPage } from '#platform/api/queries.ts';
import { listQueryOptionsFor, type Pages, refetchListsFromStart, updateCachedLists } from './cached-lists.ts';

const TEAM = 'a'.repeat(26);
const LISTS = { endpoint: listUsers, teamId: TEAM };
const getKey = (teamId: string, search: string) =>
  listQueryOptionsFor(listUsers, { params: { teamId }, query: { search } }).queryKey;

function createPages(count: number): Pages<ListedUser> {
  const pages = Array.from(
    { length: count },
    (_, at): ListPage<ListedUser> => ({ records: [], last_key: `key ${at}` }),
  );
  return { pages, pageParams: pages.map((_, at) => (at === 0 ? undefined : `key ${at - 1}`)) };
}

const marked = (pages: Pages<ListedUser>): Pages<ListedUser> => ({ ...pages, pageParams: ['updated'] });

describe('updating cached lists', () => {
  it('updates every list of the team, with the search of each', async () => {
    const client = new QueryClient();
    for (const search of ['', 'ann']) client.setQueryData(getKey(TEAM, search), createPages(1));
    client.setQueryData(getKey('b'.repeat(26), ''), createPages(1));
    const searches: unknown[] = [];
    await updateCachedLists<ListedUser>(client, LISTS, (pages, { search }) => {
      searches.push(search);
      return marked(pages);
    });
    assert.deepEqual(searches.sort(), ['', 'ann']);
    assert.deepEqual(client.getQueryData<Pages<ListedUser>>(getKey('b'.repeat(26), ''))?.pageParams, [undefined]);
    client.clear();
  });

  it('fetches short lists again and only updates long ones in place', async () => {
    const client = new QueryClient();
    client.setQueryData(getKey(TEAM, 'short'), createPages(5));
    client.setQueryData(getKey(TEAM, 'long'), createPages(6));
    await updateCachedLists<ListedUser>(client, LISTS, marked);
    assert.equal(client.getQueryState(getKey(TEAM, 'short'))?.isInvalidated, true);
    assert.equal(client.getQueryState(getKey(TEAM, 'long'))?.isInvalidated, false);
    client.clear();
  });

  it('is not overwritten by a page that was loading', async () => {
    const client = new QueryClient();
    const queryKey = getKey(TEAM, '');
    client.setQueryData(queryKey, createPages(6));
    const answers: (() => void)[] = [];
    const observer = new InfiniteQueryObserver<
      ListPage<ListedUser>,
      Error,
      Pages<ListedUser>,
      typeof queryKey,
      string | undefined
    >(client, {
      queryKey,
      initialPageParam: undefined,
      staleTime: Number.POSITIVE_INFINITY,
      getNextPageParam: (page) => page.last_key ?? undefined,
      queryFn: () =>
        new Promise<ListPage<ListedUser>>((resolve) => answers.push(() => resolve({ records: [], last_key: null }))),
    });
    const end = observer.subscribe(() => undefined);
    void observer.fetchNextPage().catch(() => undefined);
    await updateCachedLists<ListedUser>(client, LISTS, marked);
    for (const answer of answers) answer();
    await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual(client.getQueryData<Pages<ListedUser>>(queryKey)?.pageParams, ['updated']);
    end();
    client.clear();
  });
});

describe('fetching lists from the start', () => {
  it('cuts a long list to its first page and fetches every list of the team again', async () => {
    const client = new QueryClient();
    client.setQueryData(getKey(TEAM, 'long'), createPages(6));
    client.setQueryData(getKey(TEAM, 'short'), createPages(2));
    await refetchListsFromStart(client, LISTS);
    assert.equal(client.getQueryData<Pages<ListedUser>>(getKey(TEAM, 'long'))?.pages.length, 1);
    assert.equal(client.getQueryData<Pages<ListedUser>>(getKey(TEAM, 'short'))?.pages.length, 2);
    for (const search of ['long', 'short'])
      assert.equal(client.getQueryState(getKey(TEAM, search))?.isInvalidated, true);
    client.clear();
  });
});
