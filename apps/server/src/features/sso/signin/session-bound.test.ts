import assert from 'node:assert/strict';
import { endOtherSessions } from '@steward/contract/account';
import { getMe, logout } from '@steward/contract/session';
import { listTeams } from '@steward/contract/session/teams';
import { saveSso } from '@steward/contract/sso/connection';
import { finishSignIn, getWaitingSignIn } from '@steward/contract/sso/continue';
import { revokeSessions } from '@steward/contract/users';
import { sql } from 'kysely';
import { describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, type Reply } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { totpFactor } from '#testing/factors/factors.ts';
import type { OidcPeer } from '#testing/peers/oidc-peer.ts';
import { browser, getError, type TestBrowser } from '#testing/sso/sso.ts';
import { useProvider } from '#testing/sso/use-provider.ts';
import { type SignedInUser, signedIn, signIn, user } from '#testing/workspace/factories.ts';

let node: TestApp;
let peer: OidcPeer;
let teamId: string;
let domain: string;
let connectionId: string;

useProvider((given) => {
  ({ node, peer, teamId, domain, connectionId } = given);
});

const claimsFor = (email: string) => ({ sub: newId(), email, email_verified: true });
const admin = () => signedIn(node, { team: teamId, kind: 'admin', email: `${newId()}@${domain}` });
const linksOf = async (userId: string) =>
  (await sql`select 1 from sso_identities where person_id = ${userId}`.execute(node.db)).rows.length;

/** Starts at this server and returns the provider's response, which isn't opened yet. */
async function begin(from: TestBrowser, claims: object, options?: Parameters<TestBrowser['open']>[1]): Promise<string> {
  const started = await from.open(`/auth/oidc/${connectionId}/start`, options);
  const back = peer.approve(String(started.headers.location), { ...claims });
  return back.pathname + back.search;
}
const finish = (from: TestBrowser, path: string) => from.open(path, { from: 'another site' });
/** The id of a sign-in that leads to the page which asks. */
function toAskedId({ status, headers }: Reply): string {
  assert.equal(status, 303);
  return /^\/continue_as\?id=([\w-]{22})$/.exec(String(headers.location))?.[1] ?? assert.fail(String(headers.location));
}

describe('a sign-in that started in a session', () => {
  const endings: Record<string, (victim: SignedInUser, own: SignedInUser) => Promise<unknown>> = {
    'is signed out': (_victim, own) => call(node, logout, { as: own }),
    'is ended from another device': (victim) => call(node, endOtherSessions, { as: victim }),
    'is revoked by an admin': async (victim) =>
      call(node, revokeSessions, { as: await admin(), params: { teamId, userId: victim.id } }),
  };
  for (const [ending, end] of Object.entries(endings))
    test(`case 29: links and signs in no one once the session ${ending}`, async () => {
      const victim = await admin();
      const stolen = await signIn(node, victim);
      const thief = browser(node, stolen);
      const path = await begin(thief, claimsFor(`thief@${domain}`));
      await end(victim, stolen);
      assert.equal(getError(await finish(thief, path)), 'sso.expired');
      assert.equal(await linksOf(victim.id), 0);
      assert.equal((await call(node, getMe, { as: thief.cookie() })).status, 401);
    });

  test('case 29: links only if that is still allowed when it ends', async () => {
    const changes: [string, (who: SignedInUser) => Promise<unknown>][] = [
      [
        'sso.link_first',
        ({ id }) =>
          sql`update sessions set auth_at = now() - interval '11 minutes'
        where person_id = ${id}`.execute(node.db),
      ],
      [
        'sso.link_first',
        async ({ id }) => {
          await totpFactor(node, id);
          await sql`update sessions set mfa_at = null where person_id = ${id}`.execute(node.db);
        },
      ],
      ['sso.off', () => sql`update sso_connections set enabled = false where id = ${connectionId}`.execute(node.db)],
    ];
    for (const [error, change] of changes) {
      const who = await admin();
      const from = browser(node, who);
      const path = await begin(from, claimsFor(who.email));
      await change(who);
      assert.equal(getError(await finish(from, path)), error);
      assert.equal(await linksOf(who.id), 0);
    }
  });

  test('case 29: links no address that the provider or the team hasn’t verified', async () => {
    const who = await admin();
    const attempts: [object, string][] = [
      [{ sub: newId(), email: `a@${domain}` }, 'sso.unverified_email'],
      [claimsFor('thief@elsewhere.example'), 'sso.domain'],
    ];
    for (const [claims, error] of attempts) {
      const from = browser(node, who);
      assert.equal(getError(await finish(from, await begin(from, claims))), error);
    }
    assert.equal(await linksOf(who.id), 0);
  });

  test('tests no client that the owner has replaced in the meantime', async () => {
    const owner = await signedIn(node, { team: teamId, kind: 'owner', email: `${newId()}@${domain}` });
    await sql`update sso_connections set enabled = false, tested_at = null where id = ${connectionId}`.execute(node.db);
    const from = browser(node, owner);
    const path = await begin(from, claimsFor(owner.email));
    const { sign } = peer;
    // The owner saves another client while the server talks to the provider.
    peer.sign = async (...token) => {
      const body = { name: 'IdP', issuer: peer.issuer, client_id: 'another' };
      assert.equal((await call(node, saveSso, { as: owner, params: { teamId }, body })).status, 200);
      return sign(...token);
    };
    assert.equal(getError(await finish(from, path)), 'sso.off');
    peer.sign = sign;
    const { rows } = await sql<{ tested_at: Date | null }>`select tested_at from sso_connections
      where id = ${connectionId}`.execute(node.db);
    assert.equal(rows[0]?.tested_at, null);
  });
});

describe('a sign-in that another site opened', () => {
  test('case 30: asks before it replaces the session of another account', async () => {
    const victim = await signedIn(node, { first_name: 'Vera', last_name: 'Victim' });
    const from = browser(node, victim);
    const attacker = `mallory@${domain}`;
    const path = await begin(from, claimsFor(attacker), { from: 'another site' });
    const reply = await finish(from, path);
    const id = toAskedId(reply);
    assert.equal((await call(node, getMe, { as: from.cookie() })).body.id, victim.id, 'nothing happened yet');
    const waiting = (await call(node, getWaitingSignIn, { as: from.cookie(), query: { id } })).body;
    assert.partialDeepStrictEqual(waiting, {
      account: { email: attacker },
      current: { name: 'Vera Victim', email: victim.email },
      provider: 'IdP',
    });
    const body = { id: waiting.id };
    const crossSite = { 'sec-fetch-site': 'cross-site' };
    assert.equal((await call(node, finishSignIn, { as: from.cookie(), body, headers: crossSite })).status, 403);
    assert.equal((await call(node, finishSignIn, { as: from.cookie(), body: { id: 'x' } })).body.id, 'sso.expired');
    // Another site can't send the cookie of the sign-in that waits.
    const foreign = await from.open(`/auth/oidc/continue?id=${id}`, { from: 'another site' });
    assert.equal(getError(foreign), 'sso.expired');
    assert.equal((await call(node, getMe, { as: victim })).status, 200);
  });

  test('case 30: continues with a click, once, and ends the earlier session', async () => {
    const victim = await signedIn(node);
    const from = browser(node, victim);
    const path = await begin(from, claimsFor(`new@${domain}`), { from: 'another site' });
    const id = toAskedId(await finish(from, path));
    const { body: waiting } = await call(node, getWaitingSignIn, { as: from.cookie(), query: { id } });
    assert.equal(waiting.id, id);
    const done = await call(node, finishSignIn, { as: from.cookie(), body: { id: waiting.id } });
    assert.deepEqual(done.body, { status_code: 200, path: '/' });
    assert.equal((await call(node, getMe, { as: victim })).status, 401);
    const as = { cookie: done.setCookies.map((line) => line.split(';')[0]).join('; ') };
    assert.equal((await call(node, getMe, { as })).body.email, `new@${domain}`);
    assert.equal((await call(node, finishSignIn, { as: from.cookie(), body: { id: waiting.id } })).status, 400);
  });

  test('case 30: asks before it takes the same account into another team', async () => {
    const who = await user(node, { team: teamId, email: `${newId()}@${domain}` });
    const claims = claimsFor(who.email);
    const first = browser(node);
    await finish(first, await begin(first, claims));
    const withPassword = browser(node, await signIn(node, who));
    const path = await begin(withPassword, claims, { from: 'another site' });
    toAskedId(await finish(withPassword, path));
    const again = await finish(first, await begin(first, claims, { from: 'another site' }));
    assert.equal(again.status, 200, 'the same team needs no question');
    assert.equal((await call(node, listTeams, { as: first.cookie(), params: { userId: who.id } })).body.length, 1);
  });

  test('a start by another host of the same domain counts as another site', async () => {
    const victim = await signedIn(node, { team: teamId, email: `${newId()}@${domain}` });
    const from = browser(node, victim);
    const path = await begin(from, claimsFor(victim.email), { headers: { 'sec-fetch-site': 'same-site' } });
    toAskedId(await finish(from, path));
  });
});
