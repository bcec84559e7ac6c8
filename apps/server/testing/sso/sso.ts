import assert from 'node:assert/strict';
import type { SsoSettings } from '@steward/contract/sso/connection';
import type { JWTPayload } from 'jose';
import { sql } from 'kysely';
import { sealSecret } from '#features/sso/connection/client-secret.ts';
import { addConnection, saveTested } from '#features/sso/connection/saved-connections.store.ts';
import { RECORD_PREFIX, toRecordValue } from '#features/sso/domains/domain.rules.ts';
import { toCookieId } from '#features/sso/signin/transaction-cookie.ts';
import { addArrived } from '#features/sso/signin/transactions.store.ts';
import { readClaims } from '#features/sso/users/claims.rules.ts';
import { addIdentity } from '#features/sso/users/identities.store.ts';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { type Reply, send } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { sharedDns } from '#testing/peers/dns-peer.ts';
import type { OidcPeer } from '#testing/peers/oidc-peer.ts';
import { user } from '#testing/workspace/factories.ts';
import { saveTeamSecurity } from '#workspace/access/team-security.store.ts';
import { findConnection } from '#workspace/users/identity-providers/connections.store.ts';

export async function provedDomain(node: TestApp, teamId: string, domain = `${newId()}.example`): Promise<string> {
  await sql`insert into sso_domains (team_id, id, domain, token, verified_at)
    values (${teamId}, ${newId()}, ${domain}, 'x', now())`.execute(node.db);
  return domain;
}

/** The DNS record exists, but the domain isn't verified yet. Returns its id. */
export async function provableDomain(node: TestApp, teamId: string): Promise<string> {
  const [id, domain, token] = [newId(), `${newId()}.example`, newId()];
  (await sharedDns()).texts.set(`${RECORD_PREFIX}.${domain}`, [toRecordValue(token)]);
  await sql`insert into sso_domains (team_id, id, domain, token)
    values (${teamId}, ${id}, ${domain}, ${token})`.execute(node.db);
  return id;
}

/** Replaces the team's connection by one to an unreachable provider. */
export async function replaceConnection(node: TestApp, teamId: string): Promise<string> {
  await sql`delete from sso_connections where team_id = ${teamId}`.execute(node.db);
  return connection(node, teamId, { issuer: 'https://127.0.0.1', clientId: 'a', secret: 'b' });
}

export async function linkedMember(node: TestApp, teamId: string): Promise<string> {
  const connectionId = await replaceConnection(node, teamId);
  const { id } = await user(node, { team: teamId });
  const subject = { issuer: 'https://127.0.0.1', subject: id, email: '' };
  await inTransaction(node.db, (trx) => addIdentity(trx, { teamId, userId: id, connectionId, ...subject }));
  return id;
}

/** A linked member who is back from the team's provider. Returns the id of the sign-in and the browser's cookie. */
export async function arrivedMember(node: TestApp, teamId: string): Promise<{ id: string; cookie: string }> {
  const sub = await linkedMember(node, teamId);
  const { id: connectionId, ...settings } = (await findConnection(node.db, teamId)) ?? assert.fail('no connection');
  const claims = readClaims({ iss: settings.issuer, sub }, settings);
  const arrived = { connectionId, returnPath: '/', claims, startedAt: Date.now() };
  const token = await addArrived(node.db, node.deps.secrets, arrived);
  const id = toCookieId(token);
  return { id, cookie: `steward_sso_arrived.${id}=${token}` };
}

/** The connection is on. Returns its id. */
export async function connection(
  node: TestApp,
  teamId: string,
  peer: Pick<OidcPeer, 'issuer' | 'clientId' | 'secret'>,
  changes: Partial<SsoSettings> = {},
): Promise<string> {
  return inTransaction(node.db, async (trx) => {
    const defaults = { name: 'IdP', enabled: true, required: false, jit: true, default_role: 'team_user' } as const;
    const { client_secret: _secret, ...settings } = { ...defaults, group_claim: '', group_roles: {}, ...changes };
    const row = { team_id: teamId, issuer: peer.issuer, client_id: peer.clientId, ...settings };
    const id = await addConnection(trx, { ...row, client_secret: sealSecret(node.deps.secrets, peer.secret) });
    if (row.enabled) await saveTested(trx, id);
    if (row.required) await saveTeamSecurity(trx, teamId, { required_connection_id: id });
    return id;
  });
}

interface Cookie {
  value: string;
  isLax: boolean;
}

interface Opening {
  /** By a link of this site, which is the default, or of another one. */
  from?: 'this site' | 'another site';
  headers?: Record<string, string>;
  isFollowed?: boolean;
}

export type TestBrowser = ReturnType<typeof browser>;

/** A browser that only supports cookies. */
export function browser(node: TestApp, as?: { cookie: string }) {
  const cookies = new Map<string, Cookie>();
  for (const pair of as?.cookie.split('; ') ?? []) {
    const [name = '', value = ''] = pair.split('=');
    cookies.set(name, { value, isLax: false });
  }
  const join = (only: (cookie: Cookie) => boolean) =>
    [...cookies].flatMap(([name, cookie]) => (only(cookie) ? [`${name}=${cookie.value}`] : [])).join('; ');
  return {
    cookies,
    /** All cookies, as same-site requests send them. */
    cookie: () => ({ cookie: join(() => true) }),
    /** Opens a URL, and the page to which an arrived sign-in leads on. */
    async open(path: string, { from = 'this site', headers = {}, isFollowed = true }: Opening = {}): Promise<Reply> {
      const cookie = join(({ isLax }) => isLax || from === 'this site');
      const reply = await send(node, {
        method: 'GET',
        url: path,
        headers: { cookie, 'user-agent': 'Firefox/1 (Linux)', ...headers },
      });
      for (const line of reply.setCookies) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/Max-Age=0|Expires=Thu, 01 Jan 1970/.test(line)) cookies.delete(name);
        else cookies.set(name, { value, isLax: /SameSite=Lax/.test(line) });
      }
      const next = CONTINUE.exec(reply.text)?.[1];
      return next === undefined || !isFollowed ? reply : this.open(next);
    },
  };
}

const CONTINUE = /url=(\/auth\/oidc\/continue\?id=[\w-]{22})"/;

export interface SsoJourney {
  node: TestApp;
  peer: OidcPeer;
  connectionId: string;
  claims: JWTPayload;
  from?: TestBrowser;
  query?: string;
}

export async function signInAtProvider(journey: SsoJourney): Promise<Reply & { browser: TestBrowser }> {
  const { node, peer, connectionId, claims, from = browser(node), query = '' } = journey;
  const started = await from.open(`/auth/oidc/${connectionId}/start${query}`);
  if (started.status !== 303 || !String(started.headers.location).startsWith(peer.issuer))
    return { ...started, browser: from };
  const back = peer.approve(String(started.headers.location), claims);
  const reply = await from.open(back.pathname + back.search, { from: 'another site' });
  return { ...reply, browser: from };
}

export function getError(reply: Reply): string | undefined {
  return /^\/login\?error=(.+)$/.exec(String(reply.headers.location ?? ''))?.[1];
}
