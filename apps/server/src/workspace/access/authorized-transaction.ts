import { type Database, inTransaction, RepeatTransaction, type Trx } from '#platform/database/database.ts';
import type { Authorize } from '#platform/http/http.ts';
import type { Service, TeamAdmin } from './access.ts';
import type { SignedIn } from './enter-team.ts';
import { lockRights } from './sessions/sessions.store.ts';
import { lockActiveToken } from './tokens.store.ts';

type Caller = SignedIn | TeamAdmin | Service;

interface Authorization<Who> {
  db: Database;
  authorize: Authorize<Who>;
  mayEndOwnSession?: boolean | undefined;
}

/**
 * A transaction for a caller who still has the right to it when it is committed. The guard decides first, by the stored rights. At
 * the end these rights are locked until the commit: the session and the membership, or the token. A transaction that revokes one
 * of them waits for that commit, or this one is repeated and the guard refuses. The rights are locked last, so that a long change
 * doesn't delay a revocation, and two admins who remove each other don't deadlock.
 *
 * A change that may end the caller's own session locks first, because afterwards the session isn't there.
 */
export async function inAuthorizedTransaction<Who extends Caller, T>(
  { db, authorize, mayEndOwnSession = false }: Authorization<Who>,
  work: (trx: Trx, who: Who) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (trx) => {
    const who = await authorize(trx);
    if (mayEndOwnSession) await lockRightsOf(trx, who);
    const result = await work(trx, who);
    if (!mayEndOwnSession) await lockRightsOf(trx, who);
    return result;
  });
}

async function lockRightsOf(trx: Trx, who: Caller): Promise<void> {
  const isCurrent = await (isService(who) ? lockActiveToken(trx, who.teamId, who.tokenId) : hasSameRights(trx, who));
  // When the transaction is repeated, the guard sees what has changed.
  if (!isCurrent) throw new RepeatTransaction();
}

const isService = (who: Caller): who is Service => 'tokenId' in who;

async function hasSameRights(trx: Trx, who: SignedIn | TeamAdmin): Promise<boolean> {
  const { sessionId } = who;
  const [teamId, roles] = 'roles' in who ? [who.teamId, who.roles] : [undefined, null];
  const rights = await lockRights(trx, { sessionId, teamId });
  return rights !== undefined && rights.roles?.join() === roles?.join();
}
