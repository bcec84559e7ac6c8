import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as toText } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { listen } from './listen.ts';

interface Grant {
  claims: JWTPayload;
  challenge: string;
  redirectUri: string;
}

async function newKey() {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const kid = randomUUID();
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}

export type OidcPeer = Awaited<ReturnType<typeof startOidcPeer>>;

/** An identity provider whose tokens a test can modify. */
export async function startOidcPeer() {
  let key = await newKey();
  const grants = new Map<string, Grant>();
  const accesses = new Set<string>();
  const server = await listen(createServer((request, response) => void answer(request, response)));
  const issuer = server.url;

  const peer = {
    issuer,
    clientId: 'steward',
    secret: 'a secret: with+signs',
    requests: [] as string[],
    /** Secrets on the wire: codes and verifiers received, tokens sent. */
    secrets: [] as string[],
    /** True if a refused exchange repeats the whole request, including the client's secret. */
    isTalkative: false,
    metadata: {} as Record<string, unknown>,
    publishKeys: (keys: JWK[]): JWK[] => keys,
    spoil: (claims: JWTPayload): JWTPayload => claims,
    kid: undefined as string | undefined,
    /** Claims of the UserInfo endpoint in place of those of ID tokens, with the user's id; undefined without that endpoint. */
    userInfo: undefined as JWTPayload | undefined,
    /** Answers the claims of the UserInfo endpoint as this JWT; undefined for JSON. */
    toUserInfoJwt: undefined as ((claims: JWTPayload) => Promise<string>) | undefined,
    hangs: false,
    /** Signs in a user. Returns the redirect of the provider for the browser that requested `location`. */
    approve(location: string, claims: JWTPayload) {
      const query = Object.fromEntries(new URL(location).searchParams);
      const { redirect_uri: redirectUri = '', nonce = '', code_challenge: challenge = '', state = '', max_age } = query;
      const code = randomUUID();
      const fresh = max_age === '0' ? { auth_time: Math.floor(Date.now() / 1_000) } : {};
      grants.set(code, { claims: { nonce, ...fresh, ...claims }, challenge, redirectUri });
      const back = new URL(redirectUri);
      back.search = new URLSearchParams({ code, state, iss: issuer }).toString();
      return back;
    },
    /** Replaces the key. The previous one is no longer published. */
    async rotateKey() {
      key = await newKey();
    },
    sign: (claims: JWTPayload, header: Record<string, unknown> = {}): Promise<string> =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: peer.kid ?? key.kid, ...header })
        .sign(key.privateKey),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', issuer);
    peer.requests.push(`${request.method} ${pathname}`);
    if (peer.hangs) return;
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (pathname === '/.well-known/openid-configuration') return void json(publish(peer));
    if (pathname === '/jwks') return void json({ keys: peer.publishKeys([key.jwk]) });
    if (pathname === '/userinfo') {
      const isAllowed = accesses.has(request.headers.authorization ?? '');
      if (!isAllowed || peer.toUserInfoJwt === undefined) return void json(peer.userInfo, isAllowed ? 200 : 401);
      const jwt = await peer.toUserInfoJwt(peer.userInfo ?? {});
      return void response.writeHead(200, { 'content-type': 'application/jwt; charset=utf-8' }).end(jwt);
    }
    if (pathname !== '/token') return void json({}, 404);
    const text = await toText(request);
    const form = new URLSearchParams(text);
    peer.secrets.push(form.get('code') ?? '', form.get('code_verifier') ?? '');
    const grant = takeGrant(peer, grants, request, form);
    const error_description = `${peer.secret} ${text}`;
    if (grant === undefined)
      return void json({ error: 'invalid_grant', ...(peer.isTalkative && { error_description }) }, 400);
    const now = Math.floor(Date.now() / 1_000);
    const claims = peer.spoil({ iss: issuer, aud: peer.clientId, iat: now, exp: now + 300, ...grant.claims });
    const [access_token, id_token] = [randomUUID(), await peer.sign(claims)];
    accesses.add(`Bearer ${access_token}`);
    peer.secrets.push(access_token, id_token);
    json({ access_token, token_type: 'Bearer', id_token });
  }
  return peer;
}

function publish({ issuer, userInfo, metadata }: OidcPeer) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    scopes_supported: ['openid', 'email', 'profile'],
    code_challenge_methods_supported: ['S256'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
    ...(userInfo && { userinfo_endpoint: `${issuer}/userinfo` }),
    ...metadata,
  };
}

/** A code works once, with its redirect URI, its verifier and the client's secret. */
function takeGrant(
  { clientId, secret }: OidcPeer,
  grants: Map<string, Grant>,
  { headers }: IncomingMessage,
  body: URLSearchParams,
): Grant | undefined {
  const { code = '', code_verifier = '', redirect_uri } = Object.fromEntries(body);
  const grant = grants.get(code);
  grants.delete(code);
  const verifier = createHash('sha256').update(code_verifier).digest('base64url');
  const given = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
  const [id, password] = given.split(':').map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
  const isClient = id === clientId && password === secret;
  const isFor = grant?.redirectUri === redirect_uri && grant?.challenge === verifier;
  return isClient && isFor ? grant : undefined;
}
