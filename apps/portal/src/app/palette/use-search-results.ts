import { useDebouncedValue } from '@mantine/hooks';
import { listTeamChannels } from '@steward/contract/channels/defaults';
import { listEntries } from '@steward/contract/directory';
import { listUsers } from '@steward/contract/users';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#platform/api/api.ts';
import { cleanSearch } from '#platform/search/search-text.ts';
import { fullName } from '#workspace/people/initials.ts';
import type { SearchResult, SearchResultKind } from './search-results.ts';

/** A search runs this long after the last key. Milliseconds. */
const TYPING_MS = 150;
/** Of each kind so many are looked for. */
const MAX_RESULTS = '5';

interface Wanted {
  teamId: string;
  search: string;
}

const SEARCHES: Record<SearchResultKind, (wanted: Wanted & { signal: AbortSignal }) => Promise<SearchResult[]>> = {
  person: async ({ teamId, search, signal }) => {
    const { records } = await call(
      listUsers,
      { params: { teamId }, query: { search, limit: MAX_RESULTS } },
      { signal },
    );
    return records.map((user) => ({
      ...{ kind: 'person', id: user.id, label: fullName(user), user },
      ...{ detail: user.email, search: user.email },
    }));
  },
  entry: async ({ teamId, search, signal }) => {
    const { records } = await call(
      listEntries,
      { params: { teamId }, query: { search, limit: MAX_RESULTS } },
      { signal },
    );
    return records.map(({ id, name, phone_number, sms, email }) => ({
      ...{ kind: 'entry', id, label: name, detail: email || phone_number || sms, search: name },
    }));
  },
  channel: async ({ teamId, search, signal }) => {
    const query = { page: '0', per_page: MAX_RESULTS, search };
    const channels = await call(listTeamChannels, { params: { teamId }, query }, { signal });
    return channels.map(({ id, display_name, type }) => ({
      ...{ kind: 'channel', id, label: display_name, search: '' },
      detail: type === 'P' ? 'Private channel' : 'Public channel',
    }));
  },
};

const ORDER = Object.keys(SEARCHES) as SearchResultKind[];

/** Results of one kind that were found. */
export interface SearchResultGroup {
  kind: SearchResultKind;
  results: readonly SearchResult[];
  /** They were found for what was typed before. */
  isStale: boolean;
}

const NOTHING: readonly SearchResultGroup[] = [];

/**
 * What the server finds for the text. An answer to an earlier text never replaces a newer one; earlier results
 * stay until every search has answered, so that no row moves away under the pointer.
 */
export function useSearchResults(teamId: string, text: string) {
  const typed = cleanSearch(text);
  const [settled] = useDebouncedValue(typed, TYPING_MS);
  const search = typed === '' ? '' : settled;
  const wanted = { teamId, search };
  const answers = [useSearch('person', wanted), useSearch('entry', wanted), useSearch('channel', wanted)];
  const isDebouncing = typed !== search;
  // A group never comes above one that is shown already: each waits for those before it.
  const waiting = answers.findIndex(({ data, error }) => data === undefined && error === null);
  const answered = waiting < 0 ? answers : answers.slice(0, waiting);
  const now = answered.map(({ data = [] }, at) => ({
    kind: ORDER[at] ?? 'person',
    results: data,
    isStale: isDebouncing,
  }));

  const [held, hold] = useState({ search: '', found: NOTHING });
  if (held.search !== search && (search === '' || waiting < 0)) hold({ search, found: search === '' ? NOTHING : now });
  const isHeld = waiting >= 0 && held.found.length > 0;
  if (search === '') return { found: NOTHING, failed: [], isPending: false };
  return {
    found: isHeld ? held.found.map((group) => ({ ...group, isStale: true })) : now,
    failed: isDebouncing ? [] : ORDER.filter((_, at) => answers[at]?.error != null),
    isPending: isDebouncing || waiting >= 0,
  };
}

/** Of one kind. */
function useSearch(kind: SearchResultKind, wanted: Wanted) {
  return useQuery({
    queryKey: ['palette', kind, wanted],
    queryFn: ({ signal }) => SEARCHES[kind]({ ...wanted, signal }),
    enabled: wanted.search !== '',
    // A failure is shown at once, and the next key repeats the search.
    retry: false,
    networkMode: 'always',
    gcTime: 60_000,
  });
}
