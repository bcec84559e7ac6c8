import { findIssuerProblem, isGoogle } from '@steward/contract/sso/issuer';
import { isOwnerOfTeam } from '@steward/contract/users/roles';
import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ServerMetadata,
} from 'openid-client';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { opensTeam, type SignedIn } from '#workspace/access/enter-team.ts';
import { lacksOwnFactor } from '#workspace/access/step-up.ts';
import { findTeamRefusal, isRecent } from '#workspace/access/team-security.rules.ts';
import { findEntryRules } from '#workspace/access/team-security.store.ts';
import { type Connection, findConnectionById } from '#workspace/users/identity-providers/connections.store.ts';
import { findActiveRoles } from '#workspace/users/members.store.ts';
import { toClient } from '../connection/client-secret.ts';
import { toRedirectUri } from '../connection/connection-answer.ts';
import type { Providers } from '../provider/providers.client.ts';
import { toCookieId } from './transaction-cookie.ts';
import { addTransaction, type Transaction } from './transactions.store.ts';

export interface SignInFeature {
  deps: Deps;
  providers: Providers;
}

export interface SignInStart {
  connectionId: string;
  returnPath: string;
  /** True if the sign-in confirms an existing session. */
  isReauth: boolean;
  /** The browser's current session. */
  who: SignedIn | null;
}

/** The URL that the browser goes to, and the token and name of its cookie. */
export interface StartedSignIn {
  location: string;
  token: string;
  cookieId: string;
}

export async function startSignIn(feature: SignInFeature, start: SignInStart): Promise<StartedSignIn> {
  const { deps } = feature;
  const { connectionId, who, isReauth, returnPath } = start;
  const connection = (await findConnectionById(deps.db, connectionId)) ?? refuse('sso.off');
  if (!connection.enabled)
    requireTester(who && (await inTransaction(deps.db, (trx) => describeSession(trx, connection.team_id, who))));
  if (isReauth && who?.session.connection_id !== connectionId) refuse('sso.expired');
  // The provider's response arrives without the session cookie, because browsers don't send a same-site cookie from another
  // site; so the session is stored here.
  return send(feature, connection, {
    connectionId,
    returnPath,
    isReauth,
    restarts: 0,
    sessionId: who?.sessionId ?? null,
  });
}

/** Starts again after the provider has changed its keys. */
export async function restartSignIn(
  feature: SignInFeature,
  connection: Connection,
  earlier: Transaction,
): Promise<StartedSignIn> {
  feature.providers.forget(connection.id);
  return send(feature, connection, { ...earlier, restarts: earlier.restarts + 1 });
}

export interface SessionFacts {
  id: string;
  userId: string;
  canLink: boolean;
  isOwner: boolean;
}

/**
 * A session may link its user if it opens the team and was confirmed recently, with the second factor if there is one. That the
 * team requires single sign-on, or a factor, doesn't count: linking is how its members meet that.
 */
export async function describeSession(trx: Trx, teamId: string, who: SignedIn): Promise<SessionFacts> {
  const { userId, session } = who;
  const roles = opensTeam(who, teamId) ? ((await findActiveRoles(trx, teamId, userId)) ?? []) : [];
  const rules = await findEntryRules(trx, teamId, who);
  const limits = rules && { ...rules, required_connection_id: null, require_mfa: 'none' as const };
  const opens = roles.length > 0 && findTeamRefusal(limits, { ...who, roles }) === null;
  const isProved = isRecent(session) && !(await lacksOwnFactor(trx, who));
  return { id: who.sessionId, userId, canLink: opens && isProved, isOwner: isOwnerOfTeam(roles) };
}

/** While the connection is off, only an owner may sign in, to test it, and that links the owner. */
export function requireTester(session: SessionFacts | null): void {
  if (!session?.isOwner) refuse('sso.off');
  if (!session.canLink) refuse('sso.recent_sign_in');
}

async function send(
  { deps, providers }: SignInFeature,
  connection: Connection,
  transaction: Transaction,
): Promise<StartedSignIn> {
  // An earlier version accepted issuers that anyone can have an account at.
  const allowsLoopback = deps.env.SSO_ALLOW_LOOPBACK;
  if (findIssuerProblem(connection.issuer, { allowsLoopback }) !== undefined) refuse('sso.off');
  const client = toClient(deps.secrets, connection);
  if (client.clientId === '' || client.secret === '') refuse('sso.incomplete');
  const config = await providers.reach(client);
  const metadata = config.serverMetadata();
  // The library accepts some issuers that differ from the requested one.
  if (metadata.issuer !== connection.issuer) refuse('sso.failed');
  const proof = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
  const location = buildAuthorizationUrl(config, {
    redirect_uri: toRedirectUri(deps.env, connection.id),
    scope: getScope(connection, metadata),
    state: proof.state,
    nonce: proof.nonce,
    code_challenge: await calculatePKCECodeChallenge(proof.verifier),
    code_challenge_method: 'S256',
    ...(transaction.isReauth && getReauthRequest(connection.issuer).parameters),
  });
  if (!/^https?:$/.test(location.protocol)) refuse('sso.failed');
  const token = await addTransaction(deps.db, deps.secrets, { ...transaction, proof });
  return { location: location.href, token, cookieId: toCookieId(proof.state) };
}

function getScope({ group_claim }: Connection, { scopes_supported: scopes }: ServerMetadata): string {
  return `openid email profile${group_claim !== '' && scopes?.includes('groups') ? ' groups' : ''}`;
}

interface ReauthRequest {
  /** Parameters of the authorization request. */
  parameters: Record<string, string>;
  /** Maximum age of the sign-in in seconds; the ID token must then contain its time. Absent if the provider doesn't support it. */
  maxAge?: number;
}

/** Google documents neither `prompt=login` nor `max_age`, so its users can only be asked to choose an account. */
export function getReauthRequest(issuer: string): ReauthRequest {
  if (isGoogle(issuer)) return { parameters: { prompt: 'select_account' } };
  return { parameters: { prompt: 'login', max_age: '0' }, maxAge: 0 };
}
