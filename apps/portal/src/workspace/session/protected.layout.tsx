import { createFileRoute, type ErrorComponentProps, Outlet, redirect, useRouter } from '@tanstack/react-router';
import { Failure, UNREACHABLE } from '#platform/api/failure.ts';
import { Loading } from '#platform/feedback/loading.tsx';
import { CenteredMain, PageError } from '#platform/page/page.tsx';
import { canSignInWithCookie, expire, showTeam, signInWithCookie } from './session.ts';
import { currentSession, SessionContext, useSession } from './session-state.ts';
import { useSessionWatch } from './session-watch.ts';
import { nameTeam, readTeam } from './team-address.ts';

export const Route = createFileRoute('/_protected')({
  validateSearch: readTeam,
  search: { middlewares: [nameTeam] },
  beforeLoad: async ({ location, matches, preload, search }) => {
    // Everyone may see the fallback page of a path without a page, signed in or not.
    const isUnknown = matches.at(-1)?.routeId.endsWith('/$') ?? false;
    if (currentSession() === null) await enter(location.href, !isUnknown);
    if (!preload) await openTeam(search.team, location.href);
    return { isVisitor: currentSession() === null };
  },
  component: ProtectedLayout,
  pendingComponent: Loading,
  errorComponent: Unreachable,
});

/** The protected-route rule of the product reference, section 2.2. */
async function enter(from: string, required: boolean): Promise<void> {
  if (!canSignInWithCookie()) {
    if (required) throw redirect({ to: '/login', replace: true, state: { from } });
    return;
  }
  const entry = await signInWithCookie().catch((thrown: unknown) => {
    if (!isRefusal(thrown)) throw thrown;
    expire();
    if (required) throw redirect({ to: '/login', replace: true, state: { from, error: thrown.message } });
  });
  if (entry === 'refused') throw redirect({ to: '/permission_error', replace: true });
}

/** Opens the team that the address names. With several teams, every address names the one it is about. */
async function openTeam(teamId: string | undefined, href: string): Promise<void> {
  const session = currentSession();
  if (session === null || teamId === session.currentTeam.id) return;
  if (teamId === undefined) {
    if (session.teams.length === 1) return;
    throw redirect({ to: '.', search: true, hash: true, state: true, replace: true });
  }
  if (await showTeam(teamId)) return;
  if (currentSession() === null) throw redirect({ to: '/permission_error', replace: true });
  throw redirect({ to: '/team_closed', replace: true, state: { from: href, isUnknownTeam: true } });
}

/** True if the server refused this session. Other failures may be temporary and must not end it. */
function isRefusal(thrown: unknown): thrown is Failure {
  return (
    thrown instanceof Failure &&
    thrown.id !== UNREACHABLE &&
    thrown.status_code >= 400 &&
    thrown.status_code < 500 &&
    thrown.status_code !== 429
  );
}

function ProtectedLayout() {
  const session = useSession();
  const { isVisitor } = Route.useRouteContext();
  useSessionWatch();
  // The user has signed out and the redirect to the sign-in form is pending, so no team data may stay visible.
  if (session === null && !isVisitor) return null;
  return (
    // Nothing of a screen, such as what was typed, is kept for another team.
    <SessionContext key={session?.currentTeam.id ?? ''} value={session}>
      <Outlet />
    </SessionContext>
  );
}

function Unreachable({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <CenteredMain>
      <PageError failure={error} isWholeScreen onRetry={() => void router.invalidate()} />
    </CenteredMain>
  );
}
