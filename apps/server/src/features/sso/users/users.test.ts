import assert from 'node:assert/strict';
import { changePassword } from '@steward/contract/account';
import { answerInvitation } from '@steward/contract/account/memberships';
import { cookieLogin } from '@steward/contract/session';
import { listTeams } from '@steward/contract/session/teams';
import { listUsers } from '@steward/contract/users';
import type { JWTPayload } from 'jose';
import { sql } from 'kysely';
import { describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import type { OidcPeer } from '#testing/peers/oidc-peer.ts';
import { browser, connection, getError, provedDomain, type SsoJourney, signInAtProvider } from '#testing/sso/sso.ts';
import { useProvider } from '#testing/sso/use-provider.ts';
import {
  deactivate,
  invite,
  join,
  PASSWORD,
  signedIn,
  signIn,
  team,
  type UserOptions,
  user,
} from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { findAccount } from '#workspace/access/accounts.store.ts';
import { findMember } from '#workspace/users/members.store.ts';

let node: TestApp;
let peer: OidcPeer;
let teamId: string;
let domain: string;
let connectionId: string;

useProvider(
  (given) => {
    ({ node, peer, teamId, domain, connectionId } = given);
  },
  { work: false },
);

const member = (options: UserOptions = {}) => user(node, { team: teamId, email: `${newId()}@${domain}`, ...options });
const toClaims = (email: string, more: JWTPayload = {}): JWTPayload => ({
  sub: newId(),
  email,
  email_verified: true,
  ...more,
});
const arrive = (claims: JWTPayload, more: Partial<SsoJourney> = {}) =>
  signInAtProvider({ node, peer, connectionId, claims, ...more });
const linkedTo = async (userId: string) =>
  (await sql<{ subject: string }>`select subject from sso_identities where person_id = ${userId}`.execute(node.db))
    .rows;
const whoIs = async (email: string) => (await findAccount(node.db, email))?.id;
const getMember = (teamId: string, id: string) => inTransaction(node.db, (trx) => findMember(trx, teamId, id));

describe('a user who signs in for the first time', () => {
  test('is linked to their account by a verified address of a proved domain', async () => {
    const who = await member();
    const claims = toClaims(who.email);
    assert.equal((await arrive(claims)).status, 200);
    assert.deepEqual(await linkedTo(who.id), [{ subject: claims.sub }]);
    assert.ok(
      (await auditRows(node, 'sso.linked')).some(({ team_id, target }) => team_id === teamId && target === who.id),
    );
  });

  test('case 11: isn’t linked by an address that the provider hasn’t verified', async () => {
    const who = await member();
    for (const email_verified of [false, 'false', 'yes', undefined]) {
      assert.equal(getError(await arrive(toClaims(who.email, { email_verified }))), 'sso.unverified_email');
      assert.equal(getError(await arrive({ sub: newId(), email_verified: true })), 'sso.unverified_email');
    }
    assert.deepEqual(await linkedTo(who.id), []);
  });

  test('case 12: isn’t linked by an address of a domain that the team hasn’t proved', async () => {
    const who = await member({ email: `${newId()}@unproved.example` });
    assert.equal(getError(await arrive(toClaims(who.email))), 'sso.domain');
    const near = [`a@sub.${domain}`, `a@x${domain}`, `a@${domain}.evil.example`];
    for (const email of near) assert.equal(getError(await arrive(toClaims(email))), 'sso.domain', email);
    assert.deepEqual(await linkedTo(who.id), []);
  });

  test('keeps their first identity: another one with the same address is refused', async () => {
    const who = await member();
    await arrive(toClaims(who.email));
    assert.equal(getError(await arrive(toClaims(who.email))), 'sso.other_identity');
    const { rows } = await sql`select 1 from sign_ins where person_id = ${who.id} and outcome = 'sso_refused'
      and method = 'sso'`.execute(node.db);
    assert.equal(rows.length, 1, 'the sign-in log has it');
  });

  test('as an admin or owner has to link from a session with their password', async () => {
    for (const kind of ['admin', 'owner'] as const) {
      const who = await member({ kind });
      assert.equal(getError(await arrive(toClaims(who.email))), 'sso.link_first');
      const from = browser(node, await signIn(node, who));
      assert.equal((await arrive(toClaims(`other-${newId()}@${domain}`), { from })).status, 200);
      assert.equal((await linkedTo(who.id)).length, 1);
    }
  });

  test('with an old session can’t link with it', async () => {
    const who = await member({ kind: 'admin' });
    const session = await signIn(node, who);
    await sql`update sessions set auth_at = now() - interval '11 minutes' where person_id = ${who.id}`.execute(node.db);
    const from = browser(node, session);
    assert.equal(getError(await arrive(toClaims(who.email), { from })), 'sso.link_first');
  });

  test('never changes the account that the browser is signed in with', async () => {
    const [one, two] = [await member(), await member()];
    const claims = toClaims(two.email);
    await arrive(claims);
    const from = browser(node, await signIn(node, one));
    assert.equal(getError(await arrive(claims, { from })), 'sso.other_account');
    assert.equal((await call(node, cookieLogin, { as: from.cookie() })).body.id, one.id);
  });

  test('without an account joins the team with the default role, without a password', async () => {
    const email = `new@${domain}`;
    const reply = await arrive(toClaims(email, { given_name: 'Ada', family_name: 'Lovelace' }));
    assert.equal(reply.status, 200);
    const id = (await whoIs(email)) ?? '';
    const joined = await getMember(teamId, id);
    assert.partialDeepStrictEqual(joined, { first_name: 'Ada', last_name: 'Lovelace', roles: ['team_user'] });
    assert.equal((await findAccount(node.db, email))?.password_hash, null);
  });

  test('doesn’t join where the team doesn’t add users', async () => {
    const other = await team(node);
    const own = await provedDomain(node, other);
    const closed = await connection(node, other, peer, { jit: false });
    assert.equal(getError(await arrive(toClaims(`new@${own}`), { connectionId: closed })), 'sso.no_account');
    assert.equal(await whoIs(`new@${own}`), undefined);
  });

  test('who was invited without an account joins with the invitation, but not as an admin', async () => {
    const email = `invited@${domain}`;
    await invite(node, { teamId, email });
    assert.equal((await arrive(toClaims(email))).status, 200);
    assert.equal((await getMember(teamId, (await whoIs(email)) ?? ''))?.state, 'active');
    const admin = `admin@${domain}`;
    await invite(node, { teamId, email: admin, kind: 'admin' });
    assert.equal(getError(await arrive(toClaims(admin))), 'sso.accept_invitation');
    assert.equal(await whoIs(admin), undefined);
  });

  test('with an account of another team is invited, and accepting links them', async () => {
    const who = await signedIn(node, { email: `${newId()}@${domain}` });
    const claims = toClaims(who.email);
    for (const _ of ['once', 'again']) assert.equal(getError(await arrive(claims)), 'sso.accept_invitation');
    assert.equal(
      (await call(node, answerInvitation, { as: who, params: { teamId }, body: { accept: true } })).status,
      200,
    );
    assert.deepEqual(await linkedTo(who.id), [{ subject: claims.sub }]);
    assert.equal((await arrive(claims)).status, 200);
  });

  test('who is deactivated in the team is refused, and the page gets to know whom to ask', async () => {
    const { email } = await user(node, { team: teamId, kind: 'owner' });
    const who = await member();
    const claims = toClaims(who.email);
    await arrive(claims);
    await deactivate(node, teamId, who.id);
    const reply = await arrive(claims);
    assert.equal(getError(reply), 'sso.deactivated');
    const cookie = reply.setCookies.find((line) => line.startsWith('steward_refusal=')) ?? '';
    const message = decodeURIComponent(/^steward_refusal=([^;]+)/.exec(cookie)?.[1] ?? '');
    assert.match(message, new RegExp(`^Your account is deactivated in the team .*: ${email}\\.$`));
    assert.match(cookie, /; Max-Age=60; Path=\/; SameSite=Strict$/);
    assert.doesNotMatch(String(reply.headers.location), /owner|@/);
  });
});

describe('a session of single sign-on', () => {
  test('case 14: of a provider that names the owner of another team opens nothing of that team', async () => {
    const victim = await member();
    const other = await team(node);
    await join(node, other, victim.id, 'owner');
    const { browser: from } = await arrive(toClaims(victim.email));
    const as = from.cookie();
    const teams = (await call(node, listTeams, { as, params: { userId: victim.id } })).body;
    assert.deepEqual(
      teams.map(({ id }: { id: string }) => id),
      [teamId],
    );
    assert.equal((await call(node, listUsers, { as, params: { teamId: other } })).status, 403);
    const body = { current_password: PASSWORD, new_password: 'another long password' };
    assert.equal((await call(node, changePassword, { as, body })).status, 403);
    const outside = await user(node, { team: other, kind: 'owner', email: `${newId()}@${domain}` });
    const named = await arrive(toClaims(outside.email));
    assert.equal(getError(named), 'sso.accept_invitation', 'an owner who isn’t in this team is only invited');
    assert.deepEqual([named.browser.cookies.has('steward_token'), await linkedTo(outside.id)], [false, []]);
    // The owner also can't link an identity of the other team's provider.
    await provedDomain(node, other);
    const theirs = await connection(node, other, peer);
    const linking = await arrive(toClaims('mallory@evil.example'), { connectionId: theirs, from });
    assert.equal(getError(linking), 'sso.domain');
  });

  test('leaves no row in the sign-in logs of other teams', async () => {
    const who = await member();
    const other = await team(node);
    await join(node, other, who.id);
    await arrive(toClaims(who.email));
    await arrive(toClaims(who.email));
    const { rows } = await sql<{ team_id: string }>`select distinct team_id from sign_ins
      where person_id = ${who.id}`.execute(node.db);
    assert.deepEqual(rows, [{ team_id: teamId }]);
  });

  test('case 13: ends with the issuer: a new one is a new connection, and no user is linked', async () => {
    const who = await member();
    const claims = toClaims(who.email);
    const { browser: from } = await arrive(claims);
    assert.equal((await call(node, cookieLogin, { as: from.cookie() })).status, 200);
    await sql`delete from sso_connections where team_id = ${teamId}`.execute(node.db);
    connectionId = await connection(node, teamId, peer, { jit: false });
    assert.deepEqual(await linkedTo(who.id), []);
    assert.equal(getError(await arrive({ ...claims, email_verified: false })), 'sso.unverified_email');
  });

  test('is as old as the proof at the provider, if that says when it was', async () => {
    const who = await member();
    const claims = toClaims(who.email);
    const age = async () =>
      (
        await sql<{ s: number }>`select extract(epoch from now() - auth_at)::int as s from sessions
        where person_id = ${who.id} order by created_at desc limit 1`.execute(node.db)
      ).rows.map(({ s }) => Math.round(s / 60));
    const minutesAgo = (minutes: number) => ({ auth_time: Math.floor(Date.now() / 1_000) - minutes * 60 });
    await arrive({ ...claims, ...minutesAgo(60) });
    assert.deepEqual(await age(), [60]);
    for (const odd of [{}, minutesAgo(-60), { auth_time: 0 }]) {
      assert.equal((await arrive({ ...claims, ...odd })).status, 200);
      assert.deepEqual(await age(), [0], JSON.stringify(odd));
    }
  });

  test('is confirmed by the same user, who has to sign in at the provider again', async () => {
    const who = await member();
    const claims = toClaims(who.email);
    const { browser: from } = await arrive(claims);
    await sql`update sessions set auth_at = now() - interval '1 hour' where person_id = ${who.id}`.execute(node.db);
    const query = '?reauth=1&return=/account';
    const started = await from.open(`/auth/oidc/${connectionId}/start${query}`);
    const asked = new URL(String(started.headers.location)).searchParams;
    assert.deepEqual([asked.get('prompt'), asked.get('max_age')], ['login', '0']);
    const age = async () =>
      (
        await sql<{ s: number }>`select extract(epoch from now() - auth_at)::int as s from sessions
        where person_id = ${who.id}`.execute(node.db)
      ).rows.map(({ s }) => s > 600);
    const stale = await arrive({ ...claims, auth_time: Math.floor(Date.now() / 1_000) - 120 }, { from, query });
    assert.equal(stale.headers.location, '/identity_confirmed?error=sso.failed');
    const token = from.cookie();
    const another = await arrive(toClaims((await member()).email), { from, query });
    assert.equal(another.headers.location, '/identity_confirmed?error=sso.other_user');
    assert.deepEqual(await age(), [true]);
    assert.equal((await arrive(claims, { from, query })).status, 200);
    assert.deepEqual(await age(), [false]);
    assert.deepEqual(from.cookie(), token, 'the session is the same');
  });
});

describe('groups', () => {
  const groups = { group_claim: 'groups', group_roles: { admins: 'team_admin', staff: 'team_user' } } as const;

  test('case 15: give and take the admin role at each sign-in; unknown groups change nothing', async () => {
    const other = await team(node);
    const own = await provedDomain(node, other);
    const id = await connection(node, other, peer, groups);
    const email = `ada@${own}`;
    const claims = toClaims(email);
    const roles = async (more: JWTPayload) => {
      assert.equal((await arrive({ ...claims, ...more }, { connectionId: id })).status, 200);
      return (await getMember(other, (await whoIs(email)) ?? ''))?.roles.includes('team_admin');
    };
    assert.equal(await roles({ groups: ['admins'] }), true);
    const overage = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x.example' } } };
    assert.equal(await roles(overage), true);
    assert.equal(await roles({ hasgroups: true }), true);
    assert.equal(await roles({ groups: ['staff'] }), false);
    assert.equal(await roles({}), false);
    const rows = (await auditRows(node, 'sso.role_changed')).filter(({ team_id }) => team_id === other);
    assert.equal(rows.length, 1);
  });

  test('are named by the id of the provider, and by the name of the provisioned group with this id', async () => {
    const other = await team(node);
    const email = `grace@${await provedDomain(node, other)}`;
    const id = await connection(node, other, peer, groups);
    const group = { team_id: other, id: newId(), display_name: 'admins', external_id: newId() };
    await node.db.insertInto('scim_groups').values(group).execute();
    const arrived = await arrive({ ...toClaims(email), groups: [group.external_id] }, { connectionId: id });
    assert.equal(arrived.status, 200);
    assert.ok((await getMember(other, (await whoIs(email)) ?? ''))?.roles.includes('team_admin'));
  });

  test('never take ownership away or give it', async () => {
    const other = await team(node);
    const id = await connection(node, other, peer, groups);
    const owner = await user(node, { team: other, kind: 'owner' });
    const from = browser(node, await signIn(node, owner));
    assert.equal((await arrive(toClaims(owner.email, { groups: [] }), { connectionId: id, from })).status, 200);
    assert.ok((await getMember(other, owner.id))?.roles.includes('team_owner'));
  });
});
