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
import { startPoll } from './status-poll.ts';

/** While the server cannot be reached it is asked this often. Milliseconds. */
const RECONNECT_MS = 5_000;

/** Keeps the session true while a protected screen is open: status, memberships, refusals, other tabs (spec §4). */
export function useSessionWatch(): void {
  const router = useRouter();
  useEffect(() => {
    const refuse = () => void router.navigate({ to: '/permission_error', replace: true });
    const askForPassword = (notice?: string) => {
      const from = router.state.location.href;
      void router.navigate({ to: '/login', replace: true, state: notice === undefined ? {} : { from, notice } });
    };
    const ends = [
      startPoll(STATUS_POLL_MS, () => poll(refuse)),
      watchReconnection(() => poll(refuse)),
      subscribeToCalls((outcome) => {
        if (outcome === 'answered' || currentSession() === null) return;
        if (outcome.status_code === 401 && outcome.id !== 'session.bad_credentials') {
          expire();
          askForPassword('Your session has ended. Please sign in again.');
        }
        if (outcome.id === 'team.admin_required') void recheck(refuse).catch(() => undefined);
      }),
      subscribeToSignOut(() => {
        forget();
        askForPassword();
      }),
      subscribeToPageRestore(),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [router]);
}

async function poll(refuse: () => void): Promise<void> {
  const userId = currentSession()?.user.id;
  if (userId === undefined) return;
  const [presence] = await call(listStatuses, { body: [userId] });
  const session = currentSession();
  if (session !== null && presence !== undefined && presence.status !== session.user.status) {
    setSession({ ...session, user: { ...session.user, status: presence.status } });
  }
  await recheck(refuse);
}

async function recheck(refuse: () => void): Promise<void> {
  if ((await refreshTeams()) === 'refused') refuse();
}

/** While there is no connection, asks again and again; once there is, fetches what had failed. */
function watchReconnection(ask: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const look = () => {
    if (connection() !== 'online') {
      timer ??= setInterval(() => void ask().catch(() => undefined), RECONNECT_MS);
      return;
    }
    if (timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.error instanceof Failure });
  };
  const end = subscribeToConnection(look);
  return () => {
    end();
    clearInterval(timer);
  };
}

/** A page that the browser had put to sleep must not wake up showing what a sign-out took away. */
function subscribeToPageRestore(): () => void {
  const woken = ({ persisted }: PageTransitionEvent) => {
    if (persisted && !canSignInWithCookie()) location.reload();
  };
  addEventListener('pageshow', woken);
  return () => removeEventListener('pageshow', woken);
}
