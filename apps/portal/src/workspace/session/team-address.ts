import { currentSession } from './session-state.ts';

interface TeamSearch {
  team?: string;
}

/** The id of the team that an address is about. It is in links of emails, and in all addresses of a user with several teams. */
export function readTeam({ team }: Record<string, unknown>): TeamSearch {
  return typeof team === 'string' && team !== '' ? { team } : {};
}

/** Returns the id of the team that a path with its query names. */
export function findTeamId(path: string | undefined): string | undefined {
  return path === undefined
    ? undefined
    : readTeam(Object.fromEntries(new URL(path, 'http://own.invalid').searchParams)).team;
}

/**
 * Adds the team of this tab to every link of the portal, so that copied addresses and bookmarks lead to the same team. A user
 * with one team has no use for that.
 */
export function nameTeam({
  search,
  next,
}: {
  search: TeamSearch;
  next: (search: TeamSearch) => TeamSearch;
}): TeamSearch {
  const wanted = next(search);
  const session = currentSession();
  if (session === null || session.teams.length === 1 || wanted.team !== undefined) return wanted;
  return { ...wanted, team: session.currentTeam.id };
}

export function withoutTeam(search: object): object {
  return { ...search, team: undefined };
}
