import type { ErrorId } from '@steward/contract/api/errors';
import { authorizationCodeGrant, type Configuration, fetchUserInfo } from 'openid-client';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { listDeactivatedTeams } from '#workspace/access/accounts.store.ts';
import { describeDeactivation } from '#workspace/access/deactivated-account.actions.ts';
import { lockSession, sessionLimits } from '#workspace/access/sessions/sessions.store.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import {
  type Connection,
  findConnectionById,
  listProvedDomains,
} from '#workspace/users/identity-providers/connections.store.ts';
import { lockTeamShared } from '#workspace/users/teams.store.ts';
import { toClient } from '../connection/client-secret.ts';
import { lockConnection, saveTested } from '../connection/saved-connections.store.ts';
import { formatCauses, isUnknownKey, toErrorId } from '../provider/failure.ts';
import {
  type Claims,
  type IdToken,
  isFromFuture,
  isOutsideWorkspace,
  lacksClaims,
  readClaims,
} from '../users/claims.rules.ts';
import { type Arrival, resolveUser } from '../users/resolve-user.actions.ts';
import { type Entered, enter, recordRefusal, renewSession } from './enter.actions.ts';
import {
  describeSession,
  getReauthRequest,
  requireTester,
  restartSignIn,
  type SessionFacts,
  type SignInFeature,
  type StartedSignIn,
} from './start-sign-in.actions.ts';
import { addArrived, consumeTransaction, type Pending } from './transactions.store.ts';

export interface Response {
  connectionId: string;
  /** The complete requested URL as the browser sees it. */
  url: URL;
  /** From the sign-in cookie. */
  token: string | undefined;
  /** From the device cookie. */
  device: string | undefined;
  origin: Origin;
}

/** A response signs in, waits for a request with the browser's session, is sent to the provider again, or fails. */
export type Completed =
  | { kind: 'entered'; returnPath: string; session: Entered | null }
  | { kind: 'arrived'; token: string }
  | ({ kind: 'again' } & StartedSignIn)
  | { kind: 'failed'; id: ErrorId; isReauth: boolean; message?: string | undefined };

/** Consumes the transaction first, so that no response works twice. */
export async function complete(feature: SignInFeature, response: Response): Promise<Completed> {
  const { deps } = feature;
  const { token, connectionId, device, origin } = response;
  const pending = token === undefined ? undefined : await consumeTransaction(deps.db, deps.secrets, token);
  // A response for another connection could come from a different provider (a mix-up attack).
  if (pending === undefined || pending.connectionId !== connectionId)
    return fail(feature, response, { id: 'sso.expired' });
  const connection = await findConnectionById(deps.db, connectionId);
  const { isReauth, sessionId, returnPath, startedAt } = pending;
  if (connection === undefined) return fail(feature, response, { id: 'sso.off', isReauth });
  try {
    const claims = await exchange(feature, connection, { url: response.url, pending });
    if (sessionId !== null)
      return await arrive(feature, { connection, claims, returnPath, device, origin, sessionId, isReauth, startedAt });
    const arrived = { connectionId, returnPath, claims, startedAt };
    return { kind: 'arrived', token: await addArrived(deps.db, deps.secrets, arrived) };
  } catch (error) {
    if (isUnknownKey(error) && pending.restarts === 0)
      return { kind: 'again', ...(await restartSignIn(feature, connection, pending)) };
    const why = formatCauses(error, listSecrets(feature, connection, { response, pending }));
    return fail(feature, response, { id: toErrorId(error), why, isReauth });
  }
}

/** Secrets that the exchange sends or compares. */
function listSecrets(
  { deps }: SignInFeature,
  connection: Connection,
  { response: { url }, pending }: { response: Response; pending: Pending },
): string[] {
  const { secret } = toClient(deps.secrets, connection);
  return [secret, url.searchParams.get('code') ?? '', ...Object.values(pending.proof)];
}

interface Arriving {
  /** As it was when the provider's response was checked. */
  connection: Connection;
  claims: Claims;
  returnPath: string;
  device: string | undefined;
  origin: Origin;
  /** The session in which the sign-in started. It ends with the new one. */
  sessionId: string | null;
  /** Another session that ends with the new one. */
  replaced?: string | undefined;
  isReauth?: boolean;
  /** Milliseconds. */
  startedAt: number;
}

/** Decides everything in one transaction: what was allowed when the sign-in started may no longer be. */
export async function arrive(feature: SignInFeature, arriving: Arriving): Promise<Completed> {
  const { deps } = feature;
  const { claims, origin, sessionId, replaced, device, startedAt, isReauth = false } = arriving;
  const { id: connectionId, team_id: teamId } = arriving.connection;
  const result = await inTransaction(deps.db, async (trx) => {
    // In the order in which changes of the connection lock them.
    await lockTeamShared(trx, teamId);
    await lockConnection(trx, connectionId);
    const connection = await findConnectionById(trx, connectionId);
    if (connection === undefined || !isSameClient(connection, arriving.connection))
      return { refusal: 'sso.off' } as const;
    const session = sessionId === null ? null : await lockSessionFacts(feature, trx, { teamId, sessionId, origin });
    const arrival: Arrival = { connection, claims, session, origin };
    if (isReauth && session !== null) return { session: await renewSession(trx, deps, { ...arrival, session }) };
    if (!connection.enabled) requireTester(session);
    const resolved = await resolveUser(trx, deps, arrival);
    if ('refusal' in resolved) return resolved;
    if (!connection.enabled) return { session: await recordTest(trx, deps, { ...arrival, userId: resolved.userId }) };
    const started = { userId: resolved.userId, sessionId: session?.id ?? replaced, device, startedAt };
    return { session: await enter(trx, deps, { ...arrival, ...started }) };
  });
  if (!('refusal' in result)) return { kind: 'entered', returnPath: arriving.returnPath, session: result.session };
  const { connection } = arriving;
  const { refusal: id } = result;
  const userId = 'userId' in result ? result.userId : undefined;
  await recordRefusal(deps, { connection, origin, userId });
  // The provider has said who the user is, so they may know whom to ask.
  const isDeactivated = id === 'sso.deactivated' && userId !== undefined;
  const teams = isDeactivated ? await listDeactivatedTeams(deps.db, userId, teamId) : [];
  const message = teams.length > 0 ? describeDeactivation(teams).message : undefined;
  return fail(feature, { connectionId, origin }, { id, isReauth, message });
}

/** A test of a client that was replaced in the meantime says nothing about the new one. */
function isSameClient(current: Connection, checked: Connection): boolean {
  return (
    current.enabled === checked.enabled &&
    current.client_id === checked.client_id &&
    current.client_secret === checked.client_secret
  );
}

/** A sign-in ends with the session in which it started. */
async function lockSessionFacts(
  { deps }: SignInFeature,
  trx: Trx,
  { teamId, sessionId, origin }: { teamId: string; sessionId: string; origin: Origin },
): Promise<SessionFacts> {
  const session = (await lockSession(trx, sessionId, sessionLimits(deps.env))) ?? refuse('sso.expired');
  return describeSession(trx, teamId, { ...session, sessionId, address: origin.address });
}

/** An owner has tested the connection while it is off: the owner is now linked, and their session is unchanged. */
async function recordTest(
  trx: Trx,
  deps: Deps,
  { connection, origin, userId }: Arrival & { userId: string },
): Promise<null> {
  await saveTested(trx, connection.id);
  const event = { teamId: connection.team_id, actorId: userId, target: connection.team_id };
  await addAuditEvent(trx, deps, { action: 'sso.tested', ...event, origin });
  return null;
}

export function fail(
  { deps }: SignInFeature,
  { origin, connectionId }: Pick<Response, 'origin'> & { connectionId?: string },
  {
    id,
    why,
    message,
    isReauth = false,
  }: { id: ErrorId; why?: string; message?: string | undefined; isReauth?: boolean },
): Completed {
  const line = { request_id: origin.requestId, address: origin.address, connection: connectionId, reason: id, why };
  deps.log.warn(line, 'single sign-on failed');
  return { kind: 'failed', id, isReauth, message };
}

/** Checks everything that the ID token says about itself. */
async function exchange(
  { deps, providers }: SignInFeature,
  connection: Connection,
  { url, pending }: { url: URL; pending: Pending },
): Promise<Claims> {
  const client = toClient(deps.secrets, connection);
  const config = await providers.open(client);
  if (config.serverMetadata().issuer !== connection.issuer) refuse('sso.failed');
  const { maxAge } = pending.isReauth ? getReauthRequest(connection.issuer) : {};
  const tokens = await authorizationCodeGrant(config, url, {
    expectedState: pending.proof.state,
    expectedNonce: pending.proof.nonce,
    pkceCodeVerifier: pending.proof.verifier,
    idTokenExpected: true,
    ...(maxAge !== undefined && { maxAge }),
  });
  providers.keepKeys(client, config);
  const token = tokens.claims() ?? refuse('sso.failed');
  if (isFromFuture(token, Date.now() / 1_000)) refuse('sso.failed');
  if (isOutsideWorkspace(connection.issuer, token, await listProvedDomains(deps.db, connection.team_id)))
    refuse('sso.domain');
  const isComplete = pending.isReauth || !lacksClaims(token, connection);
  const claims = readClaims(isComplete ? token : await addUserInfo(config, token, tokens.access_token), connection);
  if (claims.issuer !== connection.issuer || claims.subject === '') refuse('sso.failed');
  return claims;
}

/**
 * Adds claims of the UserInfo endpoint; the library checks that they are about the same user. Claims of the signed token take
 * precedence, but an address and its verification come from the same source.
 */
async function addUserInfo(config: Configuration, token: IdToken & { sub: string }, access: string): Promise<IdToken> {
  if (config.serverMetadata().userinfo_endpoint === undefined) return token;
  const info: IdToken = await fetchUserInfo(config, access, token.sub).catch(explainUserInfo);
  const { email, email_verified } = token.email_verified === undefined ? info : token;
  return { ...info, ...token, email, email_verified };
}

/** A response in a format that can't be read: encrypted, signed with a secret, or neither JSON nor a JWT. */
function explainUserInfo(thrown: unknown): never {
  if (/JWE|Invalid JWT|"alg"|content-type/.test(formatCauses(thrown))) refuse('sso.user_info');
  throw thrown;
}
