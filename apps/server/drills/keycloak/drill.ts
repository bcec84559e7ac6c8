import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getMe } from '@steward/contract/session';
import { testSso } from '@steward/contract/sso/connection';
import { call } from '#testing/app/call.ts';
import { startApp } from '#testing/app/start-app.ts';
import { findFreePort, findMissing, startKeycloak } from '#testing/sso/keycloak.ts';
import { browser, connection, provedDomain } from '#testing/sso/sso.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';

const missing = await findMissing();
if (missing !== undefined) console.log(`Skipped: ${missing}.`);

test('a user of Keycloak signs in, and is signed out by it', { skip: missing ?? false }, async () => {
  await using node = await startApp({ work: false, listen: true, env: { SSO_ALLOW_LOOPBACK: '1' } });
  node.deps.env.publicUrl = node.url;
  const team = await createTeamWithMembers(node);
  const domain = await provedDomain(node, team.id);
  const port = await findFreePort();
  const client = { clientId: 'steward', secret: 'a secret of the client' };
  const id = await connection(node, team.id, { issuer: `http://127.0.0.1:${port}/realms/company`, ...client });
  const address = `${node.url}/auth/oidc/${id}`;
  const user = { email: `ada@${domain}`, password: 'correct horse battery' };
  const addresses = { redirectUri: `${address}/callback`, logoutUri: `${address}/logout` };
  await using keycloak = await startKeycloak({ ...client, ...addresses, ...user }, port);

  const { checks } = (await call(node, testSso, { as: team.owner, params: { teamId: team.id } })).body;
  assert.deepEqual(
    checks.filter(({ ok }: { ok: boolean }) => !ok),
    [],
  );

  const from = browser(node);
  const started = await from.open(`/auth/oidc/${id}/start?return=/account`);
  const back = await signInAtKeycloak(String(started.headers.location), user);
  const reply = await from.open(back.pathname + back.search, { from: 'another site' });
  assert.equal(reply.status, 200, String(reply.headers.location));
  const me = await call(node, getMe, { as: from.cookie() });
  assert.deepEqual([me.status, me.body.email, me.body.first_name], [200, user.email, 'Ada']);

  await keycloak.logOut();
  assert.equal((await call(node, getMe, { as: from.cookie() })).status, 401);
});

/** Fills the form of Keycloak's sign-in page; returns where it leads back to. */
async function signInAtKeycloak(
  location: string,
  { email, password }: { email: string; password: string },
): Promise<URL> {
  const page = await fetch(location, { redirect: 'manual' });
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const action = /action="([^"]+)"/.exec(await page.text())?.[1]?.replaceAll('&amp;', '&') ?? '';
  const body = new URLSearchParams({ username: email, password });
  const answer = await fetch(action, { method: 'POST', headers: { cookie }, body, redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? assert.fail(await answer.text()));
}
