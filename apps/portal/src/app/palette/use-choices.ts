import { useDebouncedValue } from '@mantine/hooks';
import { listTeamChannels } from '@steward/contract/channels/defaults';
import { listEntries } from '@steward/contract/directory';
import { listUsers } from '@steward/contract/users';
import { fullName } from '@steward/contract/users/names';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { billingSections } from '#features/billing/sections.ts';
import { call } from '#platform/api/api.ts';
import { cleanSearch } from '#platform/search/search-text.ts';
import { tabStorage } from '#platform/storage/browser-storage.ts';
import { useProtectedSession } from '#workspace/session/session-state.ts';
import { actionChoices, type Choice, type Places, screenChoices, userChoices } from './choices.ts';
import { matching } from './match-items.ts';
import {
  KINDS,
  type Recent,
  readRecents,
  type SearchResult,
  type SearchResultKind,
  toChoice,
  withRecent,
} from './search-results.ts';

export interface ChoiceGroup {
  heading: string;
  choices: readonly Choice[];
  /** These are results for the previous text. */
  isStale: boolean;
}

/** Returns the choices for the typed text, and a function that remembers the chosen one. */
export function useChoices(places: readonly Places[], text: string) {
  const { teams, currentTeam } = useProtectedSession();
  const results = useSearchResults(currentTeam.id, text);
  const hasTeams = teams.length > 1;
  const screens = useMemo(() => screenChoices(places, billingSections()), [places]);
  const actions = useMemo(() => actionChoices({ hasTeams }), [hasTeams]);
  const recents = useRecents(currentTeam.id);
  const known = new Map([...screens, ...actions].map((choice) => [choice.id, choice]));
  const found = results.found.flatMap((group) => group.results);
  const groups =
    text.trim() === ''
      ? atRest(getRecentChoices(recents.list, known), { actions, screens })
      : [
          ...rankGroups(text, { Screens: screens, Actions: actions }),
          ...results.found.map(({ kind, results: those, isStale }) => ({
            heading: KINDS[kind].heading,
            choices: those.map(toChoice),
            isStale,
          })),
          ...(results.isPending ? [] : getUserGroup(found)),
        ];
  return {
    groups: groups.filter(({ choices }) => choices.length > 0),
    failed: results.failed.map((kind) => KINDS[kind].many),
    isPending: results.isPending,
    remember: ({ id }: Choice) => {
      const result = [...found, ...recents.list.filter(isSearchResult)].find((one) => toChoice(one).id === id);
      if (result === undefined) return void recents.add(id);
      const { user: _forgotten, ...kept } = result;
      recents.add(kept);
    },
  };
}

/** This group comes last, so that no row moves when it appears. */
function getUserGroup(found: readonly SearchResult[]): ChoiceGroup[] {
  const user = found.find((result) => result.user !== undefined)?.user;
  if (user === undefined) return [];
  return [{ heading: fullName(user), choices: userChoices(user), isStale: false }];
}

/** Recent choices are kept until the tab is closed or the session ends. */
function useRecents(teamId: string) {
  const kept = tabStorage(`palette.${teamId}`);
  const [list, setList] = useState(() => readRecents(kept.read()));
  const add = (recent: Recent) => {
    const now = withRecent(list, recent);
    setList(now);
    kept.write(JSON.stringify(now));
  };
  return { list, add };
}

function isSearchResult(recent: Recent): recent is SearchResult {
  return typeof recent !== 'string';
}

function getRecentChoices(recents: readonly Recent[], known: ReadonlyMap<string, Choice>): Choice[] {
  const choices = recents.map((recent) => (isSearchResult(recent) ? toChoice(recent) : known.get(recent)));
  return choices.filter((choice) => choice !== undefined);
}

/** Without text, recent choices come first, and none is listed twice. */
function atRest(recent: readonly Choice[], { actions, screens }: Record<'actions' | 'screens', Choice[]>) {
  const isNew = ({ id }: Choice) => !recent.some((choice) => choice.id === id);
  return [
    { heading: 'Recent', choices: recent, isStale: false },
    { heading: 'Screens', choices: screens.filter((choice) => isNew(choice) && !choice.isSubscreen), isStale: false },
    { heading: 'Actions', choices: actions.filter(isNew), isStale: false },
  ];
}

/** The group with the better match comes first. */
function rankGroups(text: string, lists: Record<string, readonly Choice[]>): ChoiceGroup[] {
  const all = matching(text, Object.values(lists).flat());
  return Object.entries(lists)
    .map(([heading, list]) => ({ heading, choices: all.filter((choice) => list.includes(choice)), isStale: false }))
    .sort((one, other) => getBestIndex(one, all) - getBestIndex(other, all));
}

function getBestIndex({ choices: [best] }: ChoiceGroup, all: readonly Choice[]): number {
  return best === undefined ? all.length : all.indexOf(best);
}

/** Delay of the search after the last keystroke, in milliseconds. */
const TYPING_MS = 150;
/** Maximum number of results of each kind. */
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
      kind: 'person',
      id: user.id,
      label: fullName(user),
      user,
      detail: user.email,
      search: user.email,
    }));
  },
  entry: async ({ teamId, search, signal }) => {
    const { records } = await call(
      listEntries,
      { params: { teamId }, query: { search, limit: MAX_RESULTS } },
      { signal },
    );
    return records.map(({ id, name, phone_number, sms, email }) => ({
      kind: 'entry',
      id,
      label: name,
      detail: email || phone_number || sms,
      search: name,
    }));
  },
  channel: async ({ teamId, search, signal }) => {
    const query = { page: '0', per_page: MAX_RESULTS, search };
    const channels = await call(listTeamChannels, { params: { teamId }, query }, { signal });
    return channels.map(({ id, display_name, type }) => ({
      kind: 'channel',
      id,
      label: display_name,
      search: '',
      detail: type === 'P' ? 'Private channel' : 'Public channel',
    }));
  },
};

const ORDER = Object.keys(SEARCHES) as SearchResultKind[];

interface SearchResultGroup {
  kind: SearchResultKind;
  results: readonly SearchResult[];
  /** These are results for the previous text. */
  isStale: boolean;
}

const NOTHING: readonly SearchResultGroup[] = [];

/**
 * A response for an earlier text never replaces a newer one. Earlier results stay until every search has finished, so that no
 * row moves away under the pointer.
 */
function useSearchResults(teamId: string, text: string) {
  const typed = cleanSearch(text);
  const [settled] = useDebouncedValue(typed, TYPING_MS);
  const search = typed === '' ? '' : settled;
  const wanted = { teamId, search };
  const answers = [useSearch('person', wanted), useSearch('entry', wanted), useSearch('channel', wanted)];
  const isDebouncing = typed !== search;
  // A group never appears above one that is already shown, so each waits for those before it.
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

function useSearch(kind: SearchResultKind, wanted: Wanted) {
  return useQuery({
    queryKey: ['palette', kind, wanted],
    queryFn: ({ signal }) => SEARCHES[kind]({ ...wanted, signal }),
    enabled: wanted.search !== '',
    // A failure is shown immediately, and the next keystroke repeats the search.
    retry: false,
    networkMode: 'always',
    gcTime: 60_000,
  });
}
