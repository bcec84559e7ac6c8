import { STATUS_POLL_MS } from '@steward/contract/api/limits';
import { listStatuses } from '@steward/contract/session';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { call, subscribeToCalls } from '#platform/api/api.ts';
import { connection, subscribeToConnection } from '#platform/api/connection.ts';
import { Failure } from '#platform/api/failure.ts';
import { queryClient } from '#platform/api/query-client.ts';
import { canSignInWithCookie, expire, forget, refreshTeams, subscribeToSignOut } from './session.ts';
import { currentSession, setSession } from './session-state.ts';
import { isPageVisible, startPoll } from './status-poll.ts';
import { withoutTeam } from './team-address.ts';

/** Interval of attempts while the server can't be reached, in milliseconds. */
const RECONNECT_MS = 5_000;

const SECOND_FACTOR = '/second_factor';
const TEAM_CLOSED = '/team_closed';

/** These refusals concern what the user entered or signed with, so the session continues. */
const WRONG_PROOFS: ReadonlySet<string> = new Set([
  'session.bad_credentials',
  'mfa.required',
  'mfa.wrong',
  'passkey.refused',
]);

/** Follows status, memberships, refusals and other tabs while a protected screen is open. */
export function useSessionWatch(): void {
  const router = useRouter();
  useEffect(() => {
    const refuse = () => void router.navigate({ to: '/permission_error', replace: true });
    const goToLogin = (notice?: string) => {
      const from = router.state.location.href;
      void router.navigate({ to: '/login', replace: true, state: notice === undefined ? {} : { from, notice } });
    };
    const requireFactor = () => {
      const { href: from, pathname } = router.state.location;
      // Several calls of a screen may be refused.
      if (pathname !== SECOND_FACTOR) void router.navigate({ to: SECOND_FACTOR, replace: true, state: { from } });
    };
    const closeTeam = (ssoUrl: string | undefined) => {
      const { href: from, pathname } = router.state.location;
      if (pathname === TEAM_CLOSED) return;
      const state = { from, ...(ssoUrl !== undefined && { ssoUrl }) };
      void router.navigate({ to: TEAM_CLOSED, replace: true, state });
    };
    const check = async () => {
      const status = await refreshTeams();
      if (status === 'refused') refuse();
      // The address of the screen names the team that was lost.
      if (status === 'moved')
        await router.navigate({ to: '.', search: withoutTeam, hash: true, replace: true, ignoreBlocker: true });
    };
    const poll = createPoll(check);
    const ends = [
      startPoll(STATUS_POLL_MS, poll),
      watchReconnection(poll),
      subscribeToCalls((outcome) => {
        if (outcome === 'answered' || currentSession() === null) return;
        if (outcome.status_code === 401 && !WRONG_PROOFS.has(outcome.id)) {
          expire();
          goToLogin('Your session has ended. Sign in again.');
        }
        if (outcome.id === 'mfa.enroll_required') requireFactor();
        if (outcome.id === 'sso.required' || outcome.id === 'security.network') closeTeam(outcome.sso_url);
        if (outcome.id === 'team.admin_required') void check().catch(() => undefined);
      }),
      subscribeToSignOut(() => {
        forget();
        goToLogin();
      }),
      subscribeToPageRestore(),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [router]);
}

/** Fetches the user's own status, which also says if the teams have to be fetched: the first time and after each change. */
function createPoll(fetchTeams: () => Promise<void>): () => Promise<void> {
  let fetchedVersion: string | undefined;
  return async () => {
    const userId = currentSession()?.user.id;
    if (userId === undefined) return;
    const [presence] = await call(listStatuses, { body: [userId] });
    const session = currentSession();
    if (session !== null && presence !== undefined && presence.status !== session.user.status) {
      setSession({ ...session, user: { ...session.user, status: presence.status } });
    }
    const version = presence?.teams_version;
    if (version !== undefined && version === fetchedVersion) return;
    await fetchTeams();
    fetchedVersion = version;
  };
}

/** Retries while there is no connection, and then fetches the data that had failed. */
function watchReconnection(retry: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const check = () => {
    if (connection() !== 'online') {
      timer ??= setInterval(() => {
        if (isPageVisible()) void retry().catch(() => undefined);
      }, RECONNECT_MS);
      return;
    }
    if (timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.error instanceof Failure });
  };
  const end = subscribeToConnection(check);
  return () => {
    end();
    clearInterval(timer);
  };
}

/** A page restored from the browser's cache must not show data after a sign-out. */
function subscribeToPageRestore(): () => void {
  const onRestore = ({ persisted }: PageTransitionEvent) => {
    if (persisted && !canSignInWithCookie()) location.reload();
  };
  addEventListener('pageshow', onRestore);
  return () => removeEventListener('pageshow', onRestore);
}
