import type { AuthenticationResponse } from '@steward/contract/factors/webauthn';
import { type Credentials, cookieLogin, login, logout } from '@steward/contract/session';
import { loginWithPasskey } from '@steward/contract/session/passkey';
import { listTeamMembers, listTeams } from '@steward/contract/session/teams';
import type { User } from '@steward/contract/users';
import { call } from '#platform/api/api.ts';
import { Failure, UNREACHABLE } from '#platform/api/failure.ts';
import { addAlert, clearAlerts } from '#platform/feedback/alert-list.ts';
import { clearTabStorage, stored } from '#platform/storage/browser-storage.ts';
import { clearCachedData } from '#platform/storage/cached-data.ts';
import { chooseTeam, getAdminTeams, getStatus, type Status } from '#workspace/teams/teams.ts';
import { getEmailedToken, keepEmailedToken } from './emailed-token.ts';
import { type AdminTeam, currentSession, type Session, setSession } from './session-state.ts';

/** A sign-in is refused if the user has no team to manage. */
export type Entry = Session | 'refused';

const rememberedTeam = stored('team');
const signOutChannel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('steward.session');

export function canSignInWithCookie(): boolean {
  return readUserCookie(document.cookie) !== undefined;
}

let pendingSignIn: Promise<Entry> | undefined;

/** Signs in with the cookies of an earlier sign-in. Concurrent calls share one request. */
export function signInWithCookie(): Promise<Entry> {
  const signIn = (pendingSignIn ?? performCookieSignIn()).finally(() => {
    if (pendingSignIn === signIn) pendingSignIn = undefined;
  });
  pendingSignIn = signIn;
  return signIn;
}

async function performCookieSignIn(): Promise<Entry> {
  const user = await call(cookieLogin, {}).catch((thrown: unknown) => {
    throw toCookieFailure(thrown);
  });
  return establishSession(user, rememberedTeam.read());
}

/** Every refused cookie login has the same fixed text. */
function toCookieFailure(thrown: unknown): unknown {
  if (!(thrown instanceof Failure) || (thrown.id === UNREACHABLE && thrown.status_code === 0)) return thrown;
  return new Failure({ ...thrown, message: 'unexpected json returned' });
}

/** The first team becomes the current one. */
export async function signInWithPassword(credentials: Credentials): Promise<Entry> {
  const user = await call(login, { body: credentials });
  return establishSession(user, null);
}

export async function signInWithPasskey(response: AuthenticationResponse): Promise<Entry> {
  const user = await call(loginWithPasskey, { body: { response } });
  return establishSession(user, null);
}

/** `remembered` is the id of the team that was the current one in this browser. */
async function establishSession(user: User, remembered: string | null): Promise<Entry> {
  const teams = await readAdminTeams(user.id);
  const currentTeam = chooseTeam(teams, remembered);
  if (currentTeam === undefined) {
    // The user may have signed in to confirm a new address, which needs no team to manage.
    const token = getEmailedToken('email');
    forget();
    if (token !== null) keepEmailedToken('email', token);
    return 'refused';
  }
  if (remembered !== null && remembered !== currentTeam.id) showTeamChanged(currentTeam);
  rememberedTeam.write(currentTeam.id);
  const session = { user, teams, currentTeam, lastTeamId: currentTeam.id };
  setSession(session);
  return session;
}

async function readAdminTeams(userId: string): Promise<AdminTeam[]> {
  const params = { userId };
  const [teams, members] = await Promise.all([call(listTeams, { params }), call(listTeamMembers, { params })]);
  return getAdminTeams(members, new Map(teams.map(({ id, display_name }) => [id, display_name])));
}

/** A user who lost the current team is moved to another one, or refused. */
export async function refreshTeams(): Promise<Status> {
  const before = currentSession();
  if (before === null) return 'stays';
  const teams = await readAdminTeams(before.user.id);
  const session = currentSession();
  if (session === null) return 'stays';
  const change = getStatus(teams, session.currentTeam.id);
  const currentTeam = chooseTeam(teams, change === 'stays' ? session.currentTeam.id : session.lastTeamId);
  if (currentTeam === undefined) {
    forget();
    return 'refused';
  }
  if (change === 'moved') {
    clearCachedData();
    rememberedTeam.write(currentTeam.id);
    showTeamChanged(currentTeam);
  }
  if (JSON.stringify([teams, currentTeam]) !== JSON.stringify([session.teams, session.currentTeam])) {
    setSession({ ...session, teams, currentTeam, ...(change === 'moved' && { lastTeamId: currentTeam.id }) });
  }
  return change;
}

function showTeamChanged(team: AdminTeam): void {
  const text = `You're no longer an admin or owner of your previous team. Switched to ${team.display_name}.`;
  addAlert({ kind: 'error', text });
}

/** Takes effect when the page is reloaded. */
export function rememberTeam(teamId: string): void {
  rememberedTeam.write(teamId);
}

/**
 * Shows a team in this tab alone, as a link to it demands. False if the user doesn't manage it, which is also the answer about
 * a team that doesn't exist.
 */
export async function showTeam(teamId: string): Promise<boolean> {
  const find = () => currentSession()?.teams.find(({ id }) => id === teamId);
  // The user may have become an admin since the teams were fetched.
  if (find() === undefined) await refreshTeams();
  const [session, team] = [currentSession(), find()];
  if (session === null || team === undefined) return false;
  if (team.id === session.currentTeam.id) return true;
  clearCachedData();
  setSession({ ...session, currentTeam: team });
  return true;
}

/** The team of this tab also opens in new tabs and on the next visit. */
export function stayInTeam(): void {
  const session = currentSession();
  if (session === null) return;
  rememberTeam(session.currentTeam.id);
  setSession({ ...session, lastTeamId: session.currentTeam.id });
}

/** Ends the session on the server and in every tab. Resolves to the identity provider’s name if the user is still signed in there. */
export async function signOut(): Promise<string | undefined> {
  let provider: string | undefined;
  const failed = await call(logout, {}).then(
    ({ sso_provider }) => {
      provider = sso_provider;
    },
    (thrown: unknown) => thrown,
  );
  forget();
  removeUserCookie();
  signOutChannel?.postMessage('left');
  if (failed === undefined || (failed instanceof Failure && failed.status_code === 401)) return provider;
  addAlert({ kind: 'error', text: "We couldn't sign you out on the server. Sign in and sign out again." });
  return undefined;
}

/** Clears cached data, drafts, alerts, the current team and the session of this tab. */
export function forget(): void {
  clearCachedData();
  rememberedTeam.clear();
  clearTabStorage();
  clearAlerts();
  setSession(null);
}

/** Clears a session that the server no longer knows, including the readable cookie. */
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
export function subscribeToSignOut(watcher: () => void): () => void {
  signOutChannel?.addEventListener('message', watcher);
  return () => signOutChannel?.removeEventListener('message', watcher);
}

/** This readable cookie says that a session may exist. HTTPS uses the first name. */
const NAMES = ['__Host-steward_user', 'steward_user'] as const;

/** `cookies` has the format of `document.cookie`, whose content is not trusted. */
export function readUserCookie(cookies: string): string | undefined {
  const values = new Map(
    cookies.split(';').map((pair) => {
      const [name = '', value = ''] = pair.split('=', 2);
      return [name.trim(), value.trim()];
    }),
  );
  return NAMES.map((name) => values.get(name)).find((value) => value !== undefined);
}

/**
 * Assignments to `document.cookie` that remove the user-id cookie from this host and its parent domains. Scripts can't
 * access the session cookie; the server removes it.
 */
export function userCookieRemovals(hostname: string): string[] {
  const labels = hostname.split('.');
  const domains = labels.slice(0, -1).map((_, start) => labels.slice(start).join('.'));
  const gone = 'Max-Age=0; Path=/; SameSite=Lax';
  return [
    `${NAMES[0]}=; ${gone}; Secure`,
    `${NAMES[1]}=; ${gone}`,
    ...domains.map((domain) => `${NAMES[1]}=; ${gone}; Domain=${domain}`),
  ];
}
