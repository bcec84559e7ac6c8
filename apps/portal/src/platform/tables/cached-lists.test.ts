import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ListedUser, listUsers } from '@steward/contract/users';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import type { ListPage } from '#platform/api/queries.ts';
import { listQueryOptionsFor, type Pages, refetchListsFromStart, updateCachedLists } from './cached-lists.ts';

const TEAM = 'a'.repeat(26);
const LISTS = { endpoint: listUsers, teamId: TEAM };
const keyOf = (teamId: string, search: string) =>
  listQueryOptionsFor(listUsers, { params: { teamId }, query: { search } }).queryKey;

function pagesOf(count: number): Pages<ListedUser> {
  const pages = Array.from(
    { length: count },
    (_, at): ListPage<ListedUser> => ({ records: [], last_key: `key ${at}` }),
  );
  return { pages, pageParams: pages.map((_, at) => (at === 0 ? undefined : `key ${at - 1}`)) };
}

const marked = (pages: Pages<ListedUser>): Pages<ListedUser> => ({ ...pages, pageParams: ['mended'] });

describe('mending lists', () => {
  it('mends every list of the team and is told what each was narrowed by', async () => {
    const client = new QueryClient();
    for (const search of ['', 'ann']) client.setQueryData(keyOf(TEAM, search), pagesOf(1));
    client.setQueryData(keyOf('b'.repeat(26), ''), pagesOf(1));
    const searches: unknown[] = [];
    await updateCachedLists<ListedUser>(client, LISTS, (pages, { search }) => {
      searches.push(search);
      return marked(pages);
    });
    assert.deepEqual(searches.sort(), ['', 'ann']);
    assert.deepEqual(client.getQueryData<Pages<ListedUser>>(keyOf('b'.repeat(26), ''))?.pageParams, [undefined]);
    client.clear();
  });

  it('asks for short lists again and leaves long ones as they were mended', async () => {
    const client = new QueryClient();
    client.setQueryData(keyOf(TEAM, 'short'), pagesOf(5));
    client.setQueryData(keyOf(TEAM, 'long'), pagesOf(6));
    await updateCachedLists<ListedUser>(client, LISTS, marked);
    assert.equal(client.getQueryState(keyOf(TEAM, 'short'))?.isInvalidated, true);
    assert.equal(client.getQueryState(keyOf(TEAM, 'long'))?.isInvalidated, false);
    client.clear();
  });

  it('is not undone by a page that was under way', async () => {
    const client = new QueryClient();
    const queryKey = keyOf(TEAM, '');
    client.setQueryData(queryKey, pagesOf(6));
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
    assert.deepEqual(client.getQueryData<Pages<ListedUser>>(queryKey)?.pageParams, ['mended']);
    end();
    client.clear();
  });
});

describe('beginning lists anew', () => {
  it('cuts a long list to its first page and asks for every list of the team again', async () => {
    const client = new QueryClient();
    client.setQueryData(keyOf(TEAM, 'long'), pagesOf(6));
    client.setQueryData(keyOf(TEAM, 'short'), pagesOf(2));
    await refetchListsFromStart(client, LISTS);
    assert.equal(client.getQueryData<Pages<ListedUser>>(keyOf(TEAM, 'long'))?.pages.length, 1);
    assert.equal(client.getQueryData<Pages<ListedUser>>(keyOf(TEAM, 'short'))?.pages.length, 2);
    for (const search of ['long', 'short'])
      assert.equal(client.getQueryState(keyOf(TEAM, search))?.isInvalidated, true);
    client.clear();
  });
});
