import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { cookieLogin } from '@steward/contract/session';
import { getSso, removeSso, saveSso, testSso } from '@steward/contract/sso/connection';
import { listUsers } from '@steward/contract/users';
import type { JWK } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { totpFactor } from '#testing/factors/factors.ts';
import { type OidcPeer, startOidcPeer } from '#testing/peers/oidc-peer.ts';
import { nameOwner } from '#testing/sessions/sessions.ts';
import { browser, getError, provedDomain, signInAtProvider } from '#testing/sso/sso.ts';
import { createTeamWithMembers, type SignedInUser, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { findConnection } from '#workspace/users/identity-providers/connections.store.ts';
import { toClient } from './client-secret.ts';

let node: TestApp;
let peer: OidcPeer;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false, env: { SSO_ALLOW_LOOPBACK: '1' } });
  peer = await startOidcPeer();
});
afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});
beforeEach(async () => {
  team = await createTeamWithMembers(node);
});

const settings = (changes: object = {}) => ({
  name: 'Keycloak',
  issuer: peer.issuer,
  client_id: peer.clientId,
  client_secret: peer.secret,
  ...changes,
});
const save = (body: object, as: SignedInUser = team.owner) =>
  call(node, saveSso, { as, params: { teamId: team.id }, body });
const read = async () => (await call(node, getSso, { as: team.owner, params: { teamId: team.id } })).body;
const tryIt = async (as: SignedInUser = team.owner) => {
  const connectionId = (await read()).id;
  const claims = { sub: `sub-${as.id}`, email: as.email, email_verified: true };
  const query = '?return=/dashboard/team_settings/sso';
  return signInAtProvider({ node, peer, connectionId, claims, from: browser(node, as), query });
};

describe('the connection of a team', () => {
  test('is empty at first, and never answers its secret', async () => {
    assert.partialDeepStrictEqual(await read(), {
      id: null,
      name: '',
      enabled: false,
      has_secret: false,
      tested_at: null,
    });
    const saved = await save(settings());
    const { id } = saved.body;
    assert.partialDeepStrictEqual(saved.body, {
      has_secret: true,
      enabled: false,
      redirect_uri: `http://steward.test/auth/oidc/${id}/callback`,
      logout_uri: `http://steward.test/auth/oidc/${id}/logout`,
    });
    assert.ok(!(saved.text + JSON.stringify(await read())).includes(peer.secret));
    const { rows } = await sql<{ row: string }>`select to_json(c)::text as row from sso_connections c`.execute(node.db);
    assert.ok(!JSON.stringify(rows).includes(peer.secret), 'it is encrypted');
    const rowsOfLog = (await auditRows(node, 'sso.saved')).filter(({ team_id }) => team_id === team.id);
    assert.equal(rowsOfLog.length, 1);
    assert.ok(!JSON.stringify(rowsOfLog).includes(peer.secret));
    const { client_secret: _, ...rest } = settings({ name: 'Okta' });
    await save(rest);
    const stored = await findConnection(node.db, team.id);
    assert.equal(stored && toClient(node.deps.secrets, stored).secret, peer.secret, 'an absent secret is kept');
  });

  test('gets the id and the addresses for the provider before it has a client', async () => {
    const draft = await save({ name: 'Entra', issuer: peer.issuer });
    assert.equal(draft.status, 200);
    assert.match(draft.body.redirect_uri, /callback$/);
    assert.equal((await save({ name: 'Entra', issuer: peer.issuer, enabled: true })).body.id, 'sso.incomplete');
    assert.equal(getError(await tryIt()), 'sso.incomplete');
  });

  test('can be on only after a test sign-in by an owner, which links them and keeps their session', async () => {
    await save(settings());
    assert.equal((await save(settings({ enabled: true }))).body.id, 'sso.not_tested');
    for (const as of [team.admin, team.member]) assert.equal(getError(await tryIt(as)), 'sso.off');
    const tried = await tryIt();
    assert.match(tried.text, /url=\/dashboard\/team_settings\/sso"/);
    assert.equal(tried.browser.cookie().cookie, team.owner.cookie);
    assert.equal((await call(node, cookieLogin, { as: team.owner })).status, 200);
    assert.ok((await read()).tested_at > 0);
    assert.equal((await save(settings({ enabled: true }))).status, 200);
    assert.equal((await auditRows(node, 'sso.tested')).filter(({ team_id }) => team_id === team.id).length, 1);
  });

  test('must be tested again with another client or secret', async () => {
    await save(settings());
    await tryIt();
    for (const change of [{ client_id: 'another' }, { client_secret: 'another' }]) {
      const refused = await save(settings({ enabled: true, ...change }));
      assert.deepEqual([refused.status, refused.body.id], [409, 'sso.not_tested']);
    }
    assert.equal((await save(settings({ client_secret: 'another' }))).body.tested_at, null);
  });

  test('case 13: is another one with another issuer: off, and no user is linked', async () => {
    await save(settings());
    await tryIt();
    const before = (await save(settings({ enabled: true }))).body;
    await using other = await startOidcPeer();
    const after = (await save(settings({ issuer: other.issuer, enabled: true }))).body;
    assert.notEqual(after.id, before.id);
    assert.partialDeepStrictEqual(after, { enabled: false, required: false, tested_at: null });
    const { rows } = await sql`select 1 from sso_identities where team_id = ${team.id}`.execute(node.db);
    assert.deepEqual(rows, []);
    assert.equal(getError(await browser(node).open(`/auth/oidc/${before.id}/start`)), 'sso.off');
  });

  test('can be required once it is on and an owner with a second factor is named, and then shuts other sessions out', async () => {
    await save(settings());
    assert.equal((await save(settings({ required: true }))).body.id, 'sso.no_break_glass');
    await tryIt();
    assert.equal((await save(settings({ enabled: true, required: true }))).body.id, 'sso.no_break_glass');
    await totpFactor(node, team.owner.id);
    assert.equal((await save(settings({ enabled: true, required: true }))).body.id, 'sso.no_break_glass');
    await nameOwner(node, team.id, team.owner.id);
    const saved = await save(settings({ enabled: true, required: true }));
    assert.equal(saved.status, 200, saved.text);
    const list = (as: SignedInUser) => call(node, listUsers, { as, params: { teamId: team.id } });
    const refused = await list(team.admin);
    assert.deepEqual([refused.status, refused.body.id], [403, 'sso.required']);
    assert.equal(refused.body.sso_url, `/auth/oidc/${saved.body.id}/start`);
    await sql`update sessions set mfa_at = now() where person_id = ${team.owner.id}`.execute(node.db);
    assert.equal((await list(team.owner)).status, 200, 'an owner with a second factor can always enter');
    const domain = await provedDomain(node, team.id);
    const claims = { sub: 'x', email: `x@${domain}`, email_verified: true };
    await save(settings({ enabled: true, required: true, jit: true, default_role: 'team_admin' }));
    const { browser: from } = await signInAtProvider({ node, peer, connectionId: saved.body.id, claims });
    assert.equal((await list({ ...team.admin, ...from.cookie() })).status, 200, 'single sign-on opens it');
    assert.equal((await save(settings({ enabled: false }))).status, 200);
    assert.equal((await list(team.admin)).status, 200);
    assert.equal((await list({ ...team.admin, ...from.cookie() })).status, 401, 'its sessions have ended');
  });

  test('can be removed, with its sessions', async () => {
    await save(settings());
    const remove = () => call(node, removeSso, { as: team.owner, params: { teamId: team.id } });
    assert.equal((await remove()).status, 200);
    assert.equal((await remove()).status, 404);
    assert.equal((await read()).id, null);
  });

  test('refuses issuers that aren’t one provider’s, and roles that make owners', async () => {
    const guid = '11111111-2222-3333-4444-555555555555';
    const issuers = [
      'x',
      'http://id.steward.example',
      'https://id.steward.example/.well-known/openid-configuration',
      'https://a:b@id.steward.example',
      'https://id.steward.example?x=1',
      'https://login.microsoftonline.com/common/v2.0',
      'https://login.microsoftonline.com/organizations/v2.0',
      'https://login.microsoftonline.com/consumers/v2.0',
      'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
      'https://login.microsoftonline.com/9188040D-6C67-4C5B-B112-36A304B66DAD/v2.0',
      'https://login.microsoftonline.com./common/v2.0',
      'https://sts.windows.net/9188040d-6c67-4c5b-b112-36a304b66dad/',
      'https://login.microsoftonline.us/common/v2.0',
      'https://login.microsoft.com/consumers/v2.0',
      'https://login.live.com',
      `https://login.microsoftonline.com/${guid}`,
      'javascript:alert(1)',
      'file:///etc/passwd',
    ];
    for (const issuer of issuers) assert.equal((await save(settings({ issuer }))).status, 400, issuer);
    for (const change of [{ default_role: 'team_owner' }, { group_roles: { a: 'team_owner' } }, { name: '' }])
      assert.equal((await save(settings(change))).status, 400, JSON.stringify(change));
    assert.equal((await save(settings({ issuer: `https://login.microsoftonline.com/${guid}/v2.0` }))).status, 200);
  });
});

describe('the check of a provider', () => {
  const check = async () => {
    const { body } = await call(node, testSso, { as: team.owner, params: { teamId: team.id } });
    return body.checks.filter(({ ok }: { ok: boolean }) => !ok) as { name: string; message: string }[];
  };

  test('finds nothing wrong with a good one', async () => {
    await save(settings());
    assert.deepEqual(await check(), []);
  });

  test('says what is wrong', async () => {
    await save(settings());
    const faults: [Record<string, unknown>, string, RegExp][] = [
      [{ issuer: 'https://other.example' }, 'Discovery', /Copy the issuer exactly/],
      [{ token_endpoint: undefined }, 'Endpoints', /token_endpoint/],
      [{ token_endpoint: 'http://id.steward.example/token' }, 'Endpoints', /token_endpoint/],
      [{ token_endpoint: 'https://10.1.2.3/token' }, 'Endpoints', /public address for: token_endpoint/],
      [{ userinfo_endpoint: 'https://[fd00::1]/userinfo' }, 'Endpoints', /userinfo_endpoint/],
      [{ jwks_uri: `${peer.issuer}/nothing` }, 'Keys', /can't be read/],
      [{ response_types_supported: ['id_token'] }, 'Sign-in flow', /authorization code/],
      [{ code_challenge_methods_supported: ['plain'] }, 'PKCE', /S256/],
      [{ id_token_signing_alg_values_supported: ['HS256'] }, 'Signatures', /key pair/],
      [
        { userinfo_endpoint: `${peer.issuer}/userinfo`, userinfo_signing_alg_values_supported: ['HS256'] },
        'UserInfo',
        /JSON, or with a JWT that is signed with a key pair/,
      ],
    ];
    for (const [metadata, name, message] of faults) {
      peer.metadata = metadata;
      const [first, ...others] = await check();
      assert.deepEqual([first?.name, others.length], [name, 0], JSON.stringify(metadata));
      assert.match(first?.message ?? '', message);
    }
    peer.metadata = {};
  });

  test('says which claims the provider has to send, without calling it a fault', async () => {
    await save(settings());
    const all = ['email', 'email_verified', 'given_name', 'family_name'];
    const advice: [string[] | undefined, RegExp][] = [
      [all, /lists all claims/],
      [all.slice(0, 2), /doesn't list given_name and family_name\. Make sure that it sends them/],
      [all.slice(0, 3), /doesn't list family_name\. Make sure that it sends it/],
      [undefined, /Make sure that the provider sends email, email_verified, given_name, and family_name/],
    ];
    for (const [claims_supported, message] of advice) {
      peer.metadata = { claims_supported };
      const { body } = await call(node, testSso, { as: team.owner, params: { teamId: team.id } });
      const claims = body.checks.find(({ name }: { name: string }) => name === 'Claims');
      assert.equal(claims.ok, true);
      assert.match(claims.message, message);
    }
    peer.metadata = {};
  });

  test('refuses private addresses of keys, and says if there are too many keys', async () => {
    await save(settings());
    peer.metadata = { jwks_uri: 'https://192.168.0.1/jwks' };
    assert.deepEqual(
      (await check()).map(({ name }) => name),
      ['Endpoints', 'Keys'],
    );
    peer.metadata = {};
    const tooLarge: ((keys: JWK[]) => JWK[])[] = [
      ([key = { kty: '' }]) => Array.from({ length: 21 }, () => key),
      ([key = { kty: '' }]) => [{ ...key, x5c: ['x'.repeat(64 * 1024)] }],
    ];
    for (const publishKeys of tooLarge) {
      peer.publishKeys = publishKeys;
      const [keys] = await check();
      assert.match(keys?.message ?? '', /too large: at most 20 keys and 64 KiB/);
    }
    peer.publishKeys = (keys) => keys;
  });

  test('says the same about a closed port, one that hangs up and one that speaks something else', async () => {
    const listeners: ((socket: Socket) => void)[] = [
      (socket) => socket.destroy(),
      (socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
    ];
    const servers = listeners.map((onConnection) => createServer(onConnection));
    for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const ports = servers.map((server) => (server.address() as AddressInfo).port);
    const messages = new Set<string | undefined>();
    for (const port of [9, ...ports]) {
      await save(settings({ issuer: `http://127.0.0.1:${port}` }));
      const [discovery] = await check();
      messages.add(discovery?.message.replace(`:${port}`, ''));
    }
    for (const server of servers) server.close();
    assert.equal(messages.size, 1, JSON.stringify([...messages]));
  });
});
