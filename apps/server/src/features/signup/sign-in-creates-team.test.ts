import assert from 'node:assert/strict';
import { cookieLogin, login, sendPasswordReset } from '@steward/contract/session';
import { getPasskeyOptions, loginWithPasskey } from '@steward/contract/session/passkey';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { passkey, toCode, totpFactor } from '#testing/factors/factors.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { extractMailToken } from '#testing/peers/inbox.ts';
import { type OidcPeer, startOidcPeer } from '#testing/peers/oidc-peer.ts';
import { connection, provedDomain, signInAtProvider } from '#testing/sso/sso.ts';
import { signIn as startSession, type TestUser, team, user } from '#testing/workspace/factories.ts';
import { checkLink, createSignUp, type TestSignUp } from '#testing/workspace/signup.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let other: TestApp;
let peer: OidcPeer;

beforeAll(async () => {
  node = await startApp({ pool: 8, env: { SSO_ALLOW_LOOPBACK: '1' } });
  other = await startApp({ beside: node, work: false, pool: 8 });
  peer = await startOidcPeer();
});

afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

const teamsNamed = (name: string) =>
  node.db.selectFrom('teams').select('id').where('display_name', '=', name).execute();
let networks = 0;
function signIn({ email, password }: TestUser, { app = node, token }: { app?: TestApp; token?: string } = {}) {
  networks += 1;
  return call(app, login, { body: { login_id: email, password, token }, from: `198.19.1.${networks}` });
}
/** Someone with an account has opened the link of their sign-up. */
async function opened(owner: TestUser, given: Partial<TestSignUp> = {}): Promise<TestSignUp> {
  const request = await createSignUp(node, { owner_email: owner.email, ...given });
  assert.equal((await checkLink(node, request.token)).body.mode, '1');
  return request;
}
const age = (email: string, interval: string) =>
  sql`update signups set expires_at = expires_at - ${interval}::interval where owner_email = ${email}`.execute(node.db);

describe('the next sign-in of an owner whose link was opened', () => {
  test('creates the team once, with its invitations, and the link says so from then on', async () => {
    const who = await user(node);
    const colleague = await user(node);
    const invitees = [`${newId()}@example.test`, colleague.email];
    const { token, team_name } = await opened(who, { invitees });
    const sibling = await opened(who, { team_name: team_name.toUpperCase() });
    const reply = await signIn(who);
    assert.equal(reply.status, 200);
    assert.ok(reply.body.roles.includes('team_owner'));
    const [created, ...others] = await teamsNamed(team_name);
    assert.ok(created && others.length === 0);
    assert.deepEqual(
      (await auditRows(node, 'signup.finished')).filter(({ team_id }) => team_id === created.id),
      [{ team_id: created.id, actor_id: who.id, target: who.id, details: { invited: 2 } }],
    );
    const { rows } = await sql<{ email: string; roles: string[] }>`select coalesce(m.email, p.email) as email, m.roles
      from memberships m left join people p on p.id = m.person_id where m.team_id = ${created.id}`.execute(node.db);
    const toRoles = new Map(rows.map(({ email, roles }) => [email, roles]));
    assert.deepEqual(toRoles.get(who.email), ['team_user', 'team_admin', 'team_owner']);
    for (const email of invitees) assert.deepEqual(toRoles.get(email), ['team_user']);
    await settled(node);
    for (const email of invitees) assert.equal(node.inbox.waiting(email).length, 1, email);

    const before = await snapshotTables(node);
    const again = (await checkLink(node, token)).body;
    assert.deepEqual([again.mode, again.sign_in_until, again.invitees], ['1', undefined, undefined]);
    assert.equal((await checkLink(node, sibling.token)).body.id, 'signup.link_invalid', 'a sign-up for the same team');
    assert.deepEqual(await snapshotTables(node), before);
    assert.equal((await signIn(who)).status, 200);
    assert.equal((await teamsNamed(team_name)).length, 1);
  });

  test('creates it once from two browsers at once, on two servers', async () => {
    for (let round = 0; round < 3; round += 1) {
      const who = await user(node);
      const invitee = `${newId()}@example.test`;
      const { team_name } = await opened(who, { invitees: [invitee] });
      const replies = await Promise.all([signIn(who), signIn(who, { app: other }), signIn(who), signIn(who)]);
      for (const reply of replies) assert.equal(reply.status, 200);
      assert.equal((await teamsNamed(team_name)).length, 1);
      await settled(node);
      assert.equal(node.inbox.waiting(invitee).length, 1);
    }
  });

  test('creates it with a second factor or a passkey, and not before', async () => {
    const who = await user(node);
    const { secret } = await totpFactor(node, who.id);
    const { team_name } = await opened(who);
    assert.equal((await signIn({ ...who, password: 'a wrong one' })).status, 401);
    assert.equal((await signIn(who)).body.id, 'mfa.required');
    assert.equal((await signIn(who, { token: '000000' })).body.id, 'mfa.wrong');
    assert.deepEqual(await teamsNamed(team_name), []);
    assert.equal((await signIn(who, { token: toCode(secret) })).status, 200);
    assert.equal((await teamsNamed(team_name)).length, 1);

    const { key } = await passkey(node, who.id, 'http://steward.test');
    const second = await opened(who);
    const { options } = (await call(node, getPasskeyOptions)).body;
    assert.equal((await call(node, loginWithPasskey, { body: { response: key.use(options) } })).status, 200);
    assert.equal((await teamsNamed(second.team_name)).length, 1);
  });

  test('creates every team of theirs', async () => {
    const who = await user(node);
    const requests = [await opened(who), await opened(who)];
    const unopened = await createSignUp(node, { owner_email: who.email });
    assert.equal((await signIn(who)).status, 200);
    for (const { team_name } of requests) assert.equal((await teamsNamed(team_name)).length, 1);
    assert.deepEqual(await teamsNamed(unopened.team_name), [], 'its link was not opened');
  });

  test('lets in who has no other team, or is deactivated in theirs, and a forgotten password can be reset', async () => {
    for (const options of [{ team: null }, { team: await team(node), deactivated: true }]) {
      const who = await user(node, options);
      const { team_name } = await opened(who);
      await call(node, sendPasswordReset, { body: { email: who.email } });
      assert.ok(extractMailToken(await node.inbox.next(who.email)));
      assert.equal((await signIn(who)).status, 200);
      assert.equal((await teamsNamed(team_name)).length, 1);
    }
  });

  test('is one with the account’s own proof: not an open session, nor one of a team’s provider', async () => {
    const teamId = await team(node);
    const who = await user(node, { team: teamId, email: `${newId()}@${await provedDomain(node, teamId)}` });
    const { team_name } = await opened(who);
    assert.equal((await call(node, cookieLogin, { as: await startSession(node, who) })).status, 200);
    const connectionId = await connection(node, teamId, peer);
    const claims = { sub: newId(), email: who.email, email_verified: true };
    assert.equal((await signInAtProvider({ node, peer, connectionId, claims })).status, 200);
    assert.deepEqual(await teamsNamed(team_name), []);
    assert.equal((await signIn(who)).status, 200);
    assert.equal((await teamsNamed(team_name)).length, 1);
  });
});

describe('a day after the link was opened', () => {
  test('no sign-in creates the team, and the link says that it has expired', async () => {
    const [late, soon] = [await user(node), await user(node)];
    const [gone, kept] = [await opened(late), await opened(soon)];
    await age(late.email, '24 hours 1 second');
    await age(soon.email, '23 hours 59 minutes');
    for (const who of [late, soon]) assert.equal((await signIn(who)).status, 200);
    assert.deepEqual(await teamsNamed(gone.team_name), []);
    assert.equal((await teamsNamed(kept.team_name)).length, 1);
    const reply = await checkLink(node, gone.token);
    assert.deepEqual(toComparable(reply), toComparable(await checkLink(node, 'A'.repeat(43))));
    assert.match(reply.body.message, /^This link has expired or was already used/);
  });

  test('who has no other team learns that', async () => {
    const who = await user(node, { team: null });
    const { team_name } = await opened(who);
    await age(who.email, '24 hours 1 second');
    const reply = await signIn(who);
    assert.deepEqual([reply.status, reply.body.id], [403, 'session.no_team']);
    assert.deepEqual(await teamsNamed(team_name), []);
  });

  test('the day begins when the link is opened, even in its last hour', async () => {
    const who = await user(node);
    const request = await createSignUp(node, { owner_email: who.email });
    await age(who.email, '23 hours');
    const { sign_in_until } = (await checkLink(node, request.token)).body;
    assert.ok(sign_in_until > Date.now() + 23.9 * 3_600_000);
    await age(who.email, '23 hours');
    assert.equal((await signIn(who)).status, 200);
    assert.equal((await teamsNamed(request.team_name)).length, 1);
  });
});

test('after sign-up was closed, no sign-in creates a team', async () => {
  await using closed = await startApp({ beside: node, work: false, env: { SIGNUP: 'off' } });
  const [member, free] = [await user(node), await user(node, { team: null })];
  const requests = [await opened(member), await opened(free)];
  assert.equal((await signIn(member, { app: closed })).status, 200);
  assert.equal((await signIn(free, { app: closed })).body.id, 'session.no_team');
  for (const { team_name } of requests) assert.deepEqual(await teamsNamed(team_name), []);
});
