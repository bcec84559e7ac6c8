import type { Database, Trx } from '#platform/database/database.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Guard } from '#platform/http/http.ts';
import type { SignedIn } from './enter-team.ts';
import { hasFactor } from './factors/factors.store.ts';
import { isRecent } from './team-security.rules.ts';

/** Refuses a dangerous change unless the user proved their identity recently: they may have left their desk. */
export function requireRecentSignIn({ session }: Pick<SignedIn, 'session'>): void {
  if (!isRecent(session)) refuse('session.reauth_required');
}

/** Wraps the guard of calls that are always dangerous. */
export function recently<Who extends SignedIn>(guard: Guard<Who>): Guard<Who> {
  return async (request, trx) => {
    const who = await guard(request, trx);
    requireRecentSignIn(who);
    return who;
  };
}

/**
 * True for a session that was never confirmed with the second factor of its user, for example because it began before
 * there was one.
 */
export async function lacksOwnFactor(
  db: Database | Trx,
  { userId, session }: Pick<SignedIn, 'userId' | 'session'>,
): Promise<boolean> {
  return !session.has_second_factor && (await hasFactor(db, userId));
}
