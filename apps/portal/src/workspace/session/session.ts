import { type Credentials, cookieLogin, login, logout } from '@steward/contract/session';
import { listTeamMembers, listTeams } from '@steward/contract/session/teams';
import type { User } from '@steward/contract/users';
import { call } from '#platform/api/api.ts';
import { Failure, UNREACHABLE } from '#platform/api/failure.ts';
import { queryClient } from '#platform/api/query-client.ts';
import { addAlert, clearAlerts } from '#platform/feedback/alert-list.ts';
import { forgetTab, stored } from '#platform/storage/stored.ts';
import { adminTeamsOf, chooseTeam, standingOf } from '#workspace/teams/teams.ts';
import { type AdminTeam, currentSession, holdSession, type Session } from './session-state.ts';
import { hasUserCookie, userCookieRemovals } from './user-cookie.ts';

/** How a sign-in ended when no call failed: inside, or without a team to manage (spec §4). */
export type Entry = Session | 'refused';

const rememberedTeam = stored('team');
const farewell = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('steward.session');

/** Whether a cookie says that a sign-in may still be there. */
export function maySignInByCookie(): boolean {
  return hasUserCookie(document.cookie);
}

let entering: Promise<Entry> | undefined;

/** Signs in with the cookies of an earlier sign-in; asked twice at once, it runs once. */
export function enterByCookie(): Promise<Entry> {
  entering ??= byCookie().finally(() => {
    entering = undefined;
  });
  return entering;
}

async function byCookie(): Promise<Entry> {
  const user = await call(cookieLogin, {}).catch((thrown: unknown) => {
    throw asCookieFailure(thrown);
  });
  return establish(user, rememberedTeam.read());
}

/** The spec has one text for every cookie login that the server did not grant (spec §8). */
function asCookieFailure(thrown: unknown): unknown {
  if (!(thrown instanceof Failure) || (thrown.id === UNREACHABLE && thrown.status_code === 0)) return thrown;
  return new Failure({ ...thrown, message: 'unexpected json returned' });
}

/** Signs in with email and password; the first team becomes the current one (spec §4). */
export async function enterByPassword(credentials: Credentials): Promise<Entry> {
  const user = await call(login, { body: credentials });
  return establish(user, null);
}

async function establish(user: User, remembered: string | null): Promise<Entry> {
  const teams = await readAdminTeams(user.id);
  const currentTeam = chooseTeam(teams, remembered);
  if (currentTeam === undefined) {
    forget();
    return 'refused';
  }
  if (remembered !== null && remembered !== currentTeam.id) sayMoved(currentTeam);
  rememberedTeam.write(currentTeam.id);
  const session = { user, teams, currentTeam };
  holdSession(session);
  return session;
}

async function readAdminTeams(userId: string): Promise<AdminTeam[]> {
  const params = { userId };
  const [teams, members] = await Promise.all([call(listTeams, { params }), call(listTeamMembers, { params })]);
  return adminTeamsOf(members, new Map(teams.map(({ id, display_name }) => [id, display_name])));
}

/** Reads the memberships again; somebody who lost the current team is moved to another, or refused. */
export async function recheckTeams(): Promise<'stays' | 'refused'> {
  const before = currentSession();
  if (before === null) return 'stays';
  const teams = await readAdminTeams(before.user.id);
  const session = currentSession();
  if (session === null) return 'stays';
  const standing = standingOf(teams, session.currentTeam.id);
  const currentTeam = chooseTeam(teams, session.currentTeam.id);
  if (currentTeam === undefined) {
    forget();
    return 'refused';
  }
  if (standing === 'moved') {
    queryClient.clear();
    rememberedTeam.write(currentTeam.id);
    sayMoved(currentTeam);
  }
  if (JSON.stringify([teams, currentTeam]) !== JSON.stringify([session.teams, session.currentTeam])) {
    holdSession({ ...session, teams, currentTeam });
  }
  return 'stays';
}

function sayMoved(team: AdminTeam): void {
  const text = `You are not an admin or owner of the team you chose before. This is ${team.display_name}.`;
  addAlert({ kind: 'error', text });
}

/** Makes another team the current one; it takes effect when the page is loaded again (spec §2). */
export function rememberTeam(teamId: string): void {
  rememberedTeam.write(teamId);
}

/** Ends the session on the server and here, in every tab (spec §4, logout). */
export async function signOut(): Promise<void> {
  const failed = await call(logout, {}).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  forget();
  removeUserCookie();
  farewell?.postMessage('left');
  if (failed === undefined || (failed instanceof Failure && failed.status_code === 401)) return;
  addAlert({ kind: 'error', text: 'The session could not be ended on the server. Sign in and out again to end it.' });
}

/** The global reset (spec §3): everything fetched, typed or followed, the current team and the login are gone from this tab. */
export function forget(): void {
  void queryClient.cancelQueries();
  queryClient.clear();
  rememberedTeam.clear();
  forgetTab();
  clearAlerts();
  holdSession(null);
}

/** A session that the server no longer knows: forgets it, the readable cookie included. */
export function expire(): void {
  forget();
  removeUserCookie();
}

function removeUserCookie(): void {
  for (const removal of userCookieRemovals(location.hostname)) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http
    document.cookie = removal;
  }
}

/** Calls `watcher` when another tab signs out, until the returned function is called. */
export function watchFarewell(watcher: () => void): () => void {
  farewell?.addEventListener('message', watcher);
  return () => farewell?.removeEventListener('message', watcher);
}
