import { type HistoryState, Link, redirect } from '@tanstack/react-router';
import classes from '#workspace/page/card.module.css';
import { canSignInWithCookie, rememberTeam, showTeam, signInWithCookie } from '#workspace/session/session.ts';
import { currentSession, useSession } from '#workspace/session/session-state.ts';
import { findTeamId } from '#workspace/session/team-address.ts';

/** If a team can't be opened, the user can still open another team or sign out. */
export function ClosedFoot() {
  const session = useSession();
  const others = session?.teams.filter(({ id }) => id !== session.currentTeam.id) ?? [];
  return (
    <>
      {others.map(({ id, display_name }) => (
        <p key={id} className={classes.foot}>
          <button type="button" className={classes.link} onClick={() => openAnother(id)}>
            Open {display_name} instead
          </button>
        </p>
      ))}
      <p className={classes.foot}>
        <Link to="/logout" className={classes.link}>
          Sign out
        </Link>
      </p>
    </>
  );
}

export function openAnother(teamId: string): void {
  rememberTeam(teamId);
  location.replace('/');
}

/** The teams have to be known after a reload too. Without a session, this redirects to the sign-in page. */
export async function loadSession({ location }: { location: { state: HistoryState } }): Promise<void> {
  if (!canSignInWithCookie()) throw redirect({ to: '/login', replace: true });
  if (currentSession() !== null) return;
  await signInWithCookie().catch(() => undefined);
  const teamId = findTeamId(location.state.from);
  if (teamId !== undefined) await showTeam(teamId).catch(() => false);
}
