import { useMemo, useState } from 'react';
import { billingSections } from '#features/billing/sections.ts';
import { tabStorage } from '#platform/storage/browser-storage.ts';
import { useProtectedSession } from '#workspace/session/use-session.ts';
import { actionChoices, type Choice, type Places, screenChoices } from './choices.ts';
import { matching } from './match-items.ts';
import { type Recent, readRecents, withRecent } from './recent.ts';
import { KINDS, type SearchResult, toChoice } from './search-results.ts';
import { useSearchResults } from './use-search-results.ts';

/** Choices under one heading. */
export interface ChoiceGroup {
  heading: string;
  choices: readonly Choice[];
  /** They belong to what was typed before. */
  isStale: boolean;
}

/** What the palette offers for what is typed, and how a choice is remembered. */
export function useChoices(places: readonly Places[], text: string) {
  const { teams, currentTeam } = useProtectedSession();
  const things = useSearchResults(currentTeam.id, text);
  const hasTeams = teams.length > 1;
  const screens = useMemo(() => screenChoices(places, billingSections()), [places]);
  const actions = useMemo(() => actionChoices({ hasTeams }), [hasTeams]);
  const recents = useRecents(currentTeam.id);
  const known = new Map([...screens, ...actions].map((choice) => [choice.id, choice]));
  const found = things.found.flatMap((group) => group.things);
  const groups =
    text.trim() === ''
      ? atRest(getRecentChoices(recents.list, known), { actions, screens })
      : [
          ...rankGroups(text, { Screens: screens, Actions: actions }),
          ...things.found.map(({ kind, things: those, isStale }) => ({
            ...{ heading: KINDS[kind].heading, choices: those.map(toChoice), isStale },
          })),
        ];
  return {
    groups: groups.filter(({ choices }) => choices.length > 0),
    failed: things.failed.map((kind) => KINDS[kind].many),
    isPending: things.isPending,
    remember: ({ id }: Choice) => {
      const thing = [...found, ...recents.list.filter(isSearchResult)].find((one) => toChoice(one).id === id);
      recents.add(thing ?? id);
    },
  };
}

/** What was chosen lately in this tab; gone with the tab, and at the latest with the session. */
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

/** Nothing is typed: recent choices first, and nothing twice. */
function atRest(recent: readonly Choice[], { actions, screens }: Record<'actions' | 'screens', Choice[]>) {
  const isNew = ({ id }: Choice) => !recent.some((choice) => choice.id === id);
  return [
    { heading: 'Recent', choices: recent, isStale: false },
    { heading: 'Screens', choices: screens.filter((choice) => isNew(choice) && !choice.isSubscreen), isStale: false },
    { heading: 'Actions', choices: actions.filter(isNew), isStale: false },
  ];
}

/** The group with the better fit stands first. */
function rankGroups(text: string, lists: Record<string, readonly Choice[]>): ChoiceGroup[] {
  const all = matching(text, Object.values(lists).flat());
  return Object.entries(lists)
    .map(([heading, list]) => ({ heading, choices: all.filter((choice) => list.includes(choice)), isStale: false }))
    .sort((one, other) => placeOf(one, all) - placeOf(other, all));
}

function placeOf({ choices: [best] }: ChoiceGroup, all: readonly Choice[]): number {
  return best === undefined ? all.length : all.indexOf(best);
}
