import { useMemo, useState } from 'react';
import { billingSections } from '#features/billing/sections.ts';
import { tabStorage } from '#platform/storage/browser-storage.ts';
import { fullName } from '#workspace/people/initials.ts';
import { useProtectedSession } from '#workspace/session/use-session.ts';
import { actionChoices, type Choice, type Places, screenChoices, userChoices } from './choices.ts';
import { matching } from './match-items.ts';
import { KINDS, type Recent, readRecents, type SearchResult, toChoice, withRecent } from './search-results.ts';
import { useSearchResults } from './use-search-results.ts';

/** Choices under one heading. */
export interface ChoiceGroup {
  heading: string;
  choices: readonly Choice[];
  /** They are results for the previous text. */
  isStale: boolean;
}

/** The choices for the typed text, and a function that remembers the chosen one. */
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
            ...{ heading: KINDS[kind].heading, choices: those.map(toChoice), isStale },
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

/** Actions on the first user found; the last group, so that no row moves when it appears. */
function getUserGroup(found: readonly SearchResult[]): ChoiceGroup[] {
  const user = found.find((result) => result.user !== undefined)?.user;
  if (user === undefined) return [];
  return [{ heading: fullName(user), choices: userChoices(user), isStale: false }];
}

/** Recent choices of this tab; they end with the tab or with the session. */
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

/** The choices while nothing is typed: recent ones first, none listed twice. */
function atRest(recent: readonly Choice[], { actions, screens }: Record<'actions' | 'screens', Choice[]>) {
  const isNew = ({ id }: Choice) => !recent.some((choice) => choice.id === id);
  return [
    { heading: 'Recent', choices: recent, isStale: false },
    { heading: 'Screens', choices: screens.filter((choice) => isNew(choice) && !choice.isSubscreen), isStale: false },
    { heading: 'Actions', choices: actions.filter(isNew), isStale: false },
  ];
}

/** Puts the group with the better match first. */
function rankGroups(text: string, lists: Record<string, readonly Choice[]>): ChoiceGroup[] {
  const all = matching(text, Object.values(lists).flat());
  return Object.entries(lists)
    .map(([heading, list]) => ({ heading, choices: all.filter((choice) => list.includes(choice)), isStale: false }))
    .sort((one, other) => getBestIndex(one, all) - getBestIndex(other, all));
}

function getBestIndex({ choices: [best] }: ChoiceGroup, all: readonly Choice[]): number {
  return best === undefined ? all.length : all.indexOf(best);
}
