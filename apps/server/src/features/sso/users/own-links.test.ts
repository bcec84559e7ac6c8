import assert from 'node:assert/strict';
import { linkOwnAccount, listOwnLinks } from '@steward/contract/sso/identities';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { totpFactor } from '#testing/factors/factors.ts';
import { type OidcPeer, startOidcPeer } from '#testing/peers/oidc-peer.ts';
import { browser, connection, provedDomain } from '#testing/sso/sso.ts';
import { deactivate, join, signIn, team, user } from '#testing/workspace/factories.ts';

let node: TestApp;
let peer: OidcPeer;
let teamId: string;

beforeAll(async () => {
  node = await startApp({ work: false, env: { SSO_ALLOW_LOOPBACK: '1' } });
  peer = await startOidcPeer();
});
afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});
beforeEach(async () => {
  teamId = await team(node);
});

const listFor = async (as: { cookie: string }) => (await call(node, listOwnLinks, { as })).body.records;

describe('linking single sign-on to the own account', () => {
  test('an admin links from a session with their password, and the list says so', async () => {
    await connection(node, teamId, peer, { name: 'Company ID' });
    const domain = await provedDomain(node, teamId);
    const who = await user(node, { team: teamId, kind: 'admin', email: `${newId()}@${domain}` });
    const as = await signIn(node, who);
    const [link] = await listFor(as);
    assert.deepEqual([link.team_id, link.provider, link.is_linked], [teamId, 'Company ID', false]);

    const { body } = await call(node, linkOwnAccount, { as, params: { teamId } });
    const from = browser(node, as);
    const started = await from.open(body.sso_url);
    const back = peer.approve(String(started.headers.location), {
      sub: newId(),
      email: `a@${domain}`,
      email_verified: true,
    });
    assert.equal((await from.open(back.pathname + back.search, { from: 'another site' })).status, 200);
    const again = await signIn(node, who);
    assert.deepEqual(
      (await listFor(again)).map((own: { is_linked: boolean }) => own.is_linked),
      [true],
    );
  });

  test('only teams that the user is in, and whose single sign-on is on, are listed and can be linked', async () => {
    const [off, left, foreign] = [await team(node), await team(node), await team(node)];
    for (const id of [teamId, left, foreign]) await connection(node, id, peer);
    await connection(node, off, peer, { enabled: false });
    const who = await user(node, { team: teamId });
    for (const id of [off, left]) await join(node, id, who.id);
    const as = await signIn(node, who);
    await deactivate(node, left, who.id);
    assert.deepEqual(
      (await listFor(as)).map((own: { team_id: string }) => own.team_id),
      [teamId],
    );
    for (const id of [off, left, foreign, newId()])
      assert.equal((await call(node, linkOwnAccount, { as, params: { teamId: id } })).status, 404);
  });

  test('needs the second factor of someone who has one, also with a recent session', async () => {
    await connection(node, teamId, peer);
    const who = await user(node, { team: teamId, kind: 'admin' });
    const as = await signIn(node, who);
    await totpFactor(node, who.id);
    // The session started before the factor was set up.
    await sql`update sessions set mfa_at = null where person_id = ${who.id}`.execute(node.db);
    const reply = await call(node, linkOwnAccount, { as, params: { teamId } });
    assert.deepEqual([reply.status, reply.body.id], [403, 'session.reauth_required']);
  });
});
