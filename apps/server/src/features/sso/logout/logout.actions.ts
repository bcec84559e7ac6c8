import { createLocalJWKSet, errors, type JWTPayload, jwtVerify, type LocalJWKSet } from 'jose';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Origin } from '#platform/http/http.ts';
import { endConnectionSessions } from '#workspace/access/sessions/sessions.store.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { type Connection, findConnectionById } from '#workspace/users/identity-providers/connections.store.ts';
import { toClient } from '../connection/client-secret.ts';
import type { Providers } from '../provider/providers.client.ts';
import { findIdentity } from '../users/identities.store.ts';
import { addLogout } from './logouts.store.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Maximum age of a token, and maximum difference between clocks. */
const AGE_SECONDS = 600;
const CLOCK_SECONDS = 30;
/** Time for which keys are cached, and interval after which an unknown key or a failure causes another request; in milliseconds. */
const KEPT_MS = 300_000;
const AGAIN_MS = 30_000;
const MOST_KEPT = 1_000;

interface Keys {
  /** Also keeps the prepared keys. */
  set: Promise<LocalJWKSet>;
  at: number;
  isFailed: boolean;
}

export interface BackChannel {
  /** Ends the sessions that a token identifies; false for an invalid or repeated token. */
  logOut(connectionId: string, token: string, origin: Origin): Promise<boolean>;
}

/** Implements OpenID Connect Back-Channel Logout 1.0. */
export function createBackChannel(deps: Deps, providers: Providers): BackChannel {
  const kept = new Map<string, Keys>();

  /** Concurrent tokens share one request, which is repeated after `olderThan` milliseconds. */
  function readKeys(connection: Connection, olderThan: number): Promise<LocalJWKSet> {
    const known = kept.get(connection.id);
    const age = Date.now() - (known?.at ?? 0);
    if (known !== undefined && age < (known.isFailed ? AGAIN_MS : olderThan)) return known.set;
    const keys: Keys = { set: requestKeys(connection), at: Date.now(), isFailed: false };
    keys.set.catch(() => {
      keys.isFailed = true;
    });
    const [oldest] = kept.keys();
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(connection.id, keys);
    return keys.set;
  }

  async function requestKeys(connection: Connection): Promise<LocalJWKSet> {
    const config = await providers.open(toClient(deps.secrets, connection));
    return createLocalJWKSet(await providers.fetchKeys(config.serverMetadata().jwks_uri ?? ''));
  }

  async function verify(connection: Connection, token: string): Promise<JWTPayload> {
    const check = async (set: LocalJWKSet) =>
      (
        await jwtVerify(token, set, {
          issuer: connection.issuer,
          audience: connection.client_id,
          typ: 'logout+jwt',
          algorithms: ALGORITHMS,
          maxTokenAge: AGE_SECONDS,
          clockTolerance: CLOCK_SECONDS,
        })
      ).payload;
    try {
      return await check(await readKeys(connection, KEPT_MS));
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return check(await readKeys(connection, AGAIN_MS));
    }
  }

  return {
    async logOut(connectionId, token, origin) {
      const connection = await findConnectionById(deps.db, connectionId);
      if (!connection?.enabled) return false;
      const payload = await verify(connection, token).catch(noneIfInvalid);
      return payload !== undefined && isLogout(payload) && endSessions(deps, { connection, payload, origin });
    },
  };
}

/** An invalid token is the sender's fault. Any other error, such as unreadable keys, is temporary. */
function noneIfInvalid(error: unknown): undefined {
  if (!(error instanceof errors.JOSEError)) throw error;
}

/** Checks the rules specific to logout tokens (section 2.6). */
function isLogout({ events, nonce, sid, sub, jti }: JWTPayload): boolean {
  const event = (events as Record<string, unknown> | undefined)?.[EVENT];
  if (typeof event !== 'object' || event === null || nonce !== undefined) return false;
  return typeof jti === 'string' && jti !== '' && (typeof sid === 'string' || typeof sub === 'string');
}

async function endSessions(
  deps: Deps,
  { connection, payload, origin }: { connection: Connection; payload: JWTPayload; origin: Origin },
): Promise<boolean> {
  const { id: connectionId, team_id: teamId } = connection;
  return inTransaction(deps.db, async (trx) => {
    if (!(await addLogout(trx, connectionId, payload.jti ?? ''))) return false;
    const { sub: subject, sid } = payload as { sub?: string; sid?: string };
    const identity = { connectionId, issuer: connection.issuer, subject: subject ?? '' };
    const userId = subject === undefined ? undefined : await findIdentity(trx, identity);
    // An unlinked user has no session here.
    if (subject !== undefined && userId === undefined) return true;
    const which = { ...(sid !== undefined && { idpSid: sid }), ...(userId !== undefined && { userId }) };
    const sessions = await endConnectionSessions(trx, { connectionId, ...which });
    if (sessions === 0) return true;
    const event = { teamId, actorId: null, target: userId ?? null, details: { sessions } };
    await addAuditEvent(trx, deps, { action: 'sso.logged_out', ...event, origin });
    return true;
  });
}
