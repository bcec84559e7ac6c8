import type { Answer } from '@steward/contract/api/endpoint';
import type { getWaitingSignIn } from '@steward/contract/sso/continue';
import type { Database } from '#platform/database/database.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import type { SignedIn } from '#workspace/access/enter-team.ts';
import { type Connection, findConnectionById } from '#workspace/users/identity-providers/connections.store.ts';
import { getTeamName } from '#workspace/users/teams.store.ts';
import { findUser } from '#workspace/users/users.store.ts';
import { formatCauses, toErrorId } from '../provider/failure.ts';
import { findIdentity } from '../users/identities.store.ts';
import { arrive, type Completed, fail } from './complete.actions.ts';
import type { SignInFeature } from './start-sign-in.actions.ts';
import { toCookieId } from './transaction-cookie.ts';
import { type Arrived, consumeArrived, findArrived } from './transactions.store.ts';

// The provider's response and a link of another site come without the session cookie, so only this second request, which a
// page of this site makes, knows the session that the sign-in would replace.

export interface Visit {
  /** From the cookie of the arrived sign-in. */
  token: string | undefined;
  /** The browser's current session. */
  who: SignedIn | null;
  /** From the device cookie. */
  device: string | undefined;
  origin: Origin;
}

interface Waiting extends Arrived {
  token: string;
  connection: Connection;
  /** The linked account; undefined for a user who isn't linked yet. */
  userId: string | undefined;
}

async function findWaiting({ deps }: SignInFeature, { token }: Visit): Promise<Waiting> {
  const arrived = token === undefined ? undefined : await findArrived(deps.db, deps.secrets, token);
  if (token === undefined || arrived === undefined) refuse('sso.expired');
  const connection = (await findConnectionById(deps.db, arrived.connectionId)) ?? refuse('sso.off');
  const userId = await findIdentity(deps.db, { connectionId: connection.id, ...arrived.claims });
  return { ...arrived, token, connection, userId };
}

/** Finishes a sign-in, unless it would replace a session of another account or for other teams: then the user is asked. */
export async function goOn(feature: SignInFeature, visit: Visit): Promise<Completed | { kind: 'asks' }> {
  try {
    const waiting = await findWaiting(feature, visit);
    return mustAsk(waiting, visit) ? { kind: 'asks' } : await finish(feature, visit, waiting);
  } catch (error) {
    return fail(feature, visit, { id: toErrorId(error), why: formatCauses(error) });
  }
}

function mustAsk({ userId, connection }: Waiting, { who }: Visit): boolean {
  return who !== null && !(who.userId === userId && who.session.only_team_id === connection.team_id);
}

async function finish(feature: SignInFeature, visit: Visit, waiting: Waiting): Promise<Completed> {
  const { connection, claims, returnPath, startedAt, token } = waiting;
  if (!(await consumeArrived(feature.deps.db, token))) refuse('sso.expired');
  const { who, device, origin } = visit;
  const begun = { returnPath, startedAt, sessionId: null, replaced: who?.sessionId };
  return arrive(feature, { connection, claims, device, origin, ...begun });
}

export async function describeWaiting(feature: SignInFeature, visit: Visit): Promise<Answer<typeof getWaitingSignIn>> {
  const { db } = feature.deps;
  const waiting = await findWaiting(feature, visit);
  const { token, connection, userId, claims } = waiting;
  const linked = userId === undefined ? undefined : await findAccountName(db, userId);
  const name = `${claims.first_name} ${claims.last_name}`.trim();
  return {
    id: toCookieId(token),
    account: linked ?? { name, email: claims.email ?? '' },
    team_name: await getTeamName(db, connection.team_id),
    provider: connection.name,
    current: visit.who === null ? null : ((await findAccountName(db, visit.who.userId)) ?? null),
  };
}

async function findAccountName(db: Database, userId: string): Promise<{ name: string; email: string } | undefined> {
  const user = await findUser(db, userId);
  return user && { name: `${user.first_name} ${user.last_name}`.trim(), email: user.email };
}

/** The user agreed to the sign-in that the page has shown. */
export async function finishWaiting(
  feature: SignInFeature,
  visit: Visit,
): Promise<Extract<Completed, { kind: 'entered' }>> {
  const waiting = await findWaiting(feature, visit);
  const completed = await finish(feature, visit, waiting);
  if (completed.kind === 'entered') return completed;
  if (completed.kind === 'failed') refuse(completed.id, completed.message);
  refuse('sso.failed');
}
