import assert from 'node:assert/strict';
import { getMe } from '@steward/contract/session';
import { sql } from 'kysely';
import { describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, type Reply } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import type { OidcPeer } from '#testing/peers/oidc-peer.ts';
import { browser, getError, type TestBrowser } from '#testing/sso/sso.ts';
import { useProvider } from '#testing/sso/use-provider.ts';
import { signedIn, signIn, user } from '#testing/workspace/factories.ts';

let node: TestApp;
let peer: OidcPeer;
let teamId: string;
let connectionId: string;
let claims: { sub: string; email: string; email_verified: boolean };

useProvider((given) => {
  ({ node, peer, teamId, connectionId } = given);
  claims = { sub: newId(), email: `${newId()}@${given.domain}`, email_verified: true };
});

/** Begins a sign-in in a tab, and returns the provider's response, which isn't opened yet. */
async function begin(from: TestBrowser, returnPath = '/'): Promise<string> {
  const started = await from.open(`/auth/oidc/${connectionId}/start?return=${returnPath}`);
  const back = peer.approve(String(started.headers.location), claims);
  return back.pathname + back.search;
}
const finish = (from: TestBrowser, path: string, options = {}) => from.open(path, { from: 'another site', ...options });
const leadsTo = (reply: Reply) => /url=([^"]+)"/.exec(reply.text)?.[1];
const me = async (from: TestBrowser) => (await call(node, getMe, { as: from.cookie() })).body.email;
const countCookies = ({ cookies }: TestBrowser) =>
  [...cookies.keys()].filter((name) => name.startsWith('steward_sso')).length;
const countSessions = async (email: string) =>
  (await sql`select from sessions s join people p on p.id = s.person_id where p.email = ${email}`.execute(node.db)).rows
    .length;

describe('two tabs of one browser that both start signing in', () => {
  for (const [order, first, second] of [
    ['in that order', 0, 1],
    ['in the other order', 1, 0],
  ] as const)
    test(`both end signed in, each on its own page, when they come back ${order}`, async () => {
      const tabs = browser(node);
      const pages = ['/users/users', '/account'];
      const paths = [await begin(tabs, pages[0]), await begin(tabs, pages[1])];
      for (const tab of [first, second]) {
        const reply = await finish(tabs, paths[tab] ?? '');
        assert.deepEqual([reply.status, leadsTo(reply)], [200, pages[tab]]);
        assert.equal(await me(tabs), claims.email);
      }
      assert.equal(countCookies(tabs), 0);
    });

  test('keep the session of the first, whose requests are on their way', async () => {
    const tabs = browser(node);
    const paths = [await begin(tabs), await begin(tabs)];
    await finish(tabs, paths[0] ?? '');
    const early = tabs.cookie();
    assert.equal((await finish(tabs, paths[1] ?? '')).status, 200);
    assert.equal((await call(node, getMe, { as: early })).status, 200);
    assert.equal(await countSessions(claims.email), 1);
    // A later sign-in is a new one.
    await finish(tabs, await begin(tabs));
    assert.equal((await call(node, getMe, { as: early })).status, 401);
    assert.equal(await me(tabs), claims.email);
  });

  test('both end signed in when the second page loads before the first one has led on', async () => {
    const tabs = browser(node);
    const paths = [await begin(tabs, '/users/users'), await begin(tabs, '/account')];
    const arrivals = [];
    for (const path of paths) arrivals.push(await finish(tabs, path, { isFollowed: false }));
    for (const [tab, page] of ['/users/users', '/account'].entries()) {
      const reply = await tabs.open(leadsTo(arrivals[tab] as Reply) ?? '');
      assert.deepEqual([reply.status, leadsTo(reply)], [200, page]);
    }
    assert.equal(await me(tabs), claims.email);
  });

  test('both end signed in when they started in a session with a password', async () => {
    const who = await signedIn(node, { team: teamId, email: claims.email });
    const tabs = browser(node, who);
    const paths = [await begin(tabs, '/users/users'), await begin(tabs, '/account')];
    for (const [tab, page] of ['/users/users', '/account'].entries()) {
      const reply = await finish(tabs, paths[tab] ?? '');
      assert.deepEqual([reply.status, leadsTo(reply)], [200, page], getError(reply));
    }
    assert.equal(await me(tabs), claims.email);
    assert.equal((await call(node, getMe, { as: who })).status, 401);
  });

  test('can’t link anyone with a session that the other tab has replaced', async () => {
    const who = await signedIn(node, { team: teamId, kind: 'admin', email: claims.email });
    const tabs = browser(node, who);
    const path = await begin(tabs);
    // The thief has the same session, and another user at the provider.
    const thief = browser(node, who);
    claims = { ...claims, sub: newId(), email: `thief-${claims.email}` };
    const stolen = await begin(thief);
    assert.equal((await finish(tabs, path)).status, 200);
    await finish(thief, stolen);
    const { rows } = await sql<{ person_id: string }>`select person_id from sso_identities
      where connection_id = ${connectionId} and subject = ${claims.sub}`.execute(node.db);
    assert.ok(rows.every(({ person_id }) => person_id !== who.id));
    assert.equal(await countSessions(who.email), 1);
  });
});

test('a browser keeps five sign-ins on their way; the oldest gives way', async () => {
  const tabs = browser(node);
  const paths = [];
  for (let i = 0; i < 7; i += 1) paths.push(await begin(tabs));
  assert.equal(countCookies(tabs), 5);
  assert.equal(getError(await finish(tabs, paths[1] ?? '')), 'sso.expired');
  for (const path of paths.slice(2)) assert.equal((await finish(tabs, path)).status, 200);
  assert.equal(await me(tabs), claims.email);
});

test('a malformed id of a sign-in is refused like an unknown one', async () => {
  const as = await signIn(node, await user(node));
  for (const id of ['', 'x', 'a;b=c', '%0d%0aSet-Cookie:x', 'é', '__proto__', 'a'.repeat(500)])
    assert.equal(getError(await browser(node, as).open(`/auth/oidc/continue?id=${id}`)), 'sso.expired', id);
});
