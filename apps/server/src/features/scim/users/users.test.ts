import assert from 'node:assert/strict';
import { listScimLog } from '@steward/contract/scim';
import { getMe } from '@steward/contract/session';
import { deactivateUser, reactivateUser, removeUser } from '@steward/contract/users/lifecycle';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { buildUser, type ScimSending, scim, scimToken, type TestProvisioner, toPatch } from '#testing/peers/scim.ts';
import { provedDomain } from '#testing/sso/sso.ts';
import {
  createTeamWithMembers,
  join,
  type SignedInUser,
  signedIn,
  signIn,
  type TestTeam,
  user,
} from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { acceptInvitation } from '#workspace/access/memberships/invitations.actions.ts';

let node: TestApp;
let team: TestTeam;
let idp: TestProvisioner;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  team = await createTeamWithMembers(node);
  idp = await scimToken(node, team.id, team.owner.id);
});

const send = (request: string, sending?: ScimSending, by = idp) => scim(node, by, request, sending);
const patch = (id: string, ...operations: object[]) => send(`PATCH /Users/${id}`, { body: toPatch(...operations) });
const setActive = (id: string, value: unknown) => patch(id, { op: 'replace', value: { active: value } });
const address = (domain = `${newId()}.test`) => `${newId()}@${domain}`;
const findByName = async (userName: string) =>
  (await send('GET /Users', { query: { filter: `userName eq "${userName}"` } })).body;

async function provedAddress(): Promise<string> {
  return address(await provedDomain(node, team.id));
}

async function add(
  email: string,
  more: object = {},
): Promise<{ id: string; status: number; body: Record<string, unknown> }> {
  const { status, body } = await send('POST /Users', { body: buildUser(email, more) });
  return { status, body, id: String(body.id) };
}

const membership = (userId: string, teamId = team.id) =>
  node.db
    .selectFrom('memberships')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('person_id', '=', userId)
    .executeTakeFirst();
const account = (email: string) =>
  node.db.selectFrom('people').selectAll().where('email', '=', email).executeTakeFirst();
const invitation = (email: string) =>
  node.db
    .selectFrom('memberships')
    .selectAll()
    .where('team_id', '=', team.id)
    .where('email', '=', email)
    .executeTakeFirst();
const lastEffect = async (as: SignedInUser = team.owner) =>
  (await call(node, listScimLog, { as, params: { teamId: team.id } })).body.records[0];

/** A refusal is logged. */
const LOGGED = { except: ['scim_log'] };

describe('who is shown', () => {
  test('every member and invitee but users of integrations, under the address until a user name is set', async () => {
    const { body } = await send('GET /Users');
    const names = body.Resources.map(({ userName }: { userName: string }) => userName).sort();
    const expected = [team.owner, team.admin, team.member, team.pending].map(({ email }) => email).sort();
    assert.deepEqual(names, expected);
    assert.deepEqual([body.totalResults, body.startIndex, body.itemsPerPage], [4, 1, 4]);
    assert.equal((await findByName(team.zendesk.email)).totalResults, 0);
    const [found] = (await findByName(team.member.email.toUpperCase())).Resources;
    assert.deepEqual(found.emails, [{ type: 'work', value: team.member.email, primary: true }]);
  });

  test('one who is not there is an empty list', async () => {
    const { body } = await send('GET /Users', { query: { filter: 'userName eq "nobody@example.test"' } });
    assert.deepEqual([body.totalResults, body.Resources], [0, []]);
  });

  test('the id of an invitee lasts when the invitation is accepted', async () => {
    const [{ id }] = (await findByName(team.pending.email)).Resources;
    const who = await user(node, { team: null, email: team.pending.email });
    await inTransaction(node.db, (trx) =>
      acceptInvitation(trx, node.deps, { teamId: team.id, userId: who.id, email: who.email }),
    );
    assert.equal((await send(`GET /Users/${id}`)).body.userName, who.email);
    assert.equal((await findByName(who.email)).Resources[0].id, id);
    assert.equal((await send(`GET /Users/${who.id}`)).status, 404);
  });

  test('no user of another team, by id, name or token (case 19)', async () => {
    const other = await createTeamWithMembers(node);
    const theirs = await scimToken(node, other.id, other.owner.id);
    for (const request of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const body = { PUT: buildUser(other.member.email), PATCH: toPatch({ op: 'replace', value: { active: false } }) }[
        request
      ];
      const reply = await send(`${request} /Users/${other.member.id}`, body === undefined ? {} : { body });
      assert.equal(reply.status, 404, request);
    }
    assert.equal((await findByName(other.member.email)).totalResults, 0);
    assert.equal((await send(`GET /Users/${other.member.id}`, {}, theirs)).status, 200);
  });
});

describe('adding a user', () => {
  test('of a domain that the team has not verified invites the address, with and without an account alike', async () => {
    const known = (await user(node, { email: address() })).email;
    for (const email of [address(), known]) {
      const { status, id } = await add(email);
      assert.equal(status, 201);
      const row = await invitation(email);
      assert.equal(row?.person_id, id);
      assert.deepEqual([row?.first_name, row?.last_name, row?.roles], ['Ada', 'Lovelace', ['team_user']]);
      assert.match((await lastEffect()).effect, /^Invited /);
    }
    const mails = await node.db.selectFrom('mails').select('recipient').where('team_id', '=', team.id).execute();
    assert.equal(mails.length, 2);
  });

  test('of a verified domain creates the account, and invites one that was there before', async () => {
    const email = await provedAddress();
    const { id } = await add(email);
    const created = await account(email);
    assert.deepEqual([created?.first_name, created?.password_hash], ['Ada', null]);
    assert.ok(await membership(created?.id ?? ''));
    assert.notEqual(id, created?.id, 'the id of the account is not the one that the provider knows');
    const other = await createTeamWithMembers(node);
    const known = await user(node, {
      team: other.id,
      email: await provedAddress(),
      first_name: 'Grace',
      last_name: 'Hopper',
    });
    const { status, body, id: invitedId } = await add(known.email);
    assert.deepEqual(
      [status, body.active],
      [201, true],
      'the assignment is in effect, and the person has yet to accept',
    );
    assert.equal(await membership(known.id), undefined);
    assert.equal((await invitation(known.email))?.person_id, invitedId);
    assert.match((await lastEffect()).effect, /^Invited .* there was an account before/);
    assert.equal((await account(known.email))?.first_name, 'Grace', 'other teams see the name, too');
    await setActive(invitedId, false);
    assert.equal(await invitation(known.email), undefined);
    assert.equal((await setActive(invitedId, true)).body.active, true);
    assert.ok(await invitation(known.email));
    assert.equal(await membership(known.id), undefined, 'also when the provider activates them again');
    await inTransaction(node.db, (trx) =>
      acceptInvitation(trx, node.deps, { teamId: team.id, userId: known.id, email: known.email }),
    );
    assert.equal((await send(`GET /Users/${invitedId}`)).body.active, true);
    assert.ok(await membership(known.id));
    const rows = (await auditRows(node, 'scim.user_added')).filter(({ team_id }) => team_id === team.id);
    assert.deepEqual(
      rows.map(({ details }) => (details as Record<string, unknown>).joined_as),
      ['created', 'invited', 'invited'],
    );
  });

  test('of a domain that another team has verified invites', async () => {
    const email = address(await provedDomain(node, (await createTeamWithMembers(node)).id));
    await add(email);
    assert.ok(await invitation(email));
    assert.equal(await account(email), undefined);
  });

  test('twice is a conflict, whatever the case of the name, and changes nothing', async () => {
    const email = address();
    await add(email);
    const before = await snapshotTables(node, LOGGED);
    for (const body of [buildUser(email), buildUser(email.toUpperCase()), buildUser(email, { userName: 'other' })]) {
      const reply = await send('POST /Users', { body });
      assert.deepEqual([reply.status, reply.body.scimType], [409, 'uniqueness']);
    }
    assert.deepEqual(await snapshotTables(node, LOGGED), before);
  });

  test('takes over a member with the address who is not managed yet', async () => {
    const { status, body } = await send('POST /Users', {
      body: buildUser(team.member.email, { userName: 'grace', externalId: 'g1' }),
    });
    assert.deepEqual([status, body.id, body.userName, body.externalId], [201, team.member.id, 'grace', 'g1']);
    assert.equal((await findByName(team.member.email)).totalResults, 0);
    assert.equal((await findByName('Grace')).totalResults, 1);
  });

  test('who is inactive adds no member until they are active', async () => {
    const email = address();
    const { id, body } = await add(email, { active: 'False' });
    assert.equal(body.active, false);
    assert.equal(await invitation(email), undefined);
    assert.equal((await send(`GET /Users/${id}`)).body.active, false);
    assert.equal((await findByName(email)).Resources[0].id, id);
    assert.equal((await setActive(id, 'True')).body.active, true);
    assert.ok(await invitation(email));
    assert.equal((await findByName(email)).Resources[0].id, id);
  });

  test('needs a user name, and an address that is one', async () => {
    const email = address();
    const wrong: [object, string][] = [
      [{ ...buildUser(email), userName: '' }, 'invalidValue'],
      [{ ...buildUser(email), schemas: undefined }, 'invalidSyntax'],
      [{ ...buildUser(email), userName: 'ada', emails: undefined }, 'invalidValue'],
      [{ ...buildUser(email), emails: [{ value: 'not an address' }] }, 'invalidValue'],
      [{ ...buildUser(email), active: 'maybe' }, 'invalidValue'],
      [{ ...buildUser(email), name: { givenName: 'x'.repeat(101) } }, 'invalidValue'],
      [{ ...buildUser(email), externalId: 'a\0b' }, 'invalidValue'],
    ];
    const before = await snapshotTables(node, LOGGED);
    for (const [body, scimType] of wrong) {
      const reply = await send('POST /Users', { body });
      assert.deepEqual([reply.status, reply.body.scimType], [400, scimType], JSON.stringify(body));
      assert.equal(reply.body.status, '400');
    }
    assert.deepEqual(await snapshotTables(node, LOGGED), before);
  });

  test('ignores the password, which is kept nowhere', async () => {
    const email = await provedAddress();
    await add(email, { password: 'Sup3r-secret-word', nickName: 'Ada' });
    assert.equal((await account(email))?.password_hash, null);
    assert.ok(!(await lastEffect()).request.includes('Sup3r'));
  });
});

describe('an inactive user', () => {
  test('loses access with the next request, and comes back with the same roles', async () => {
    assert.equal((await call(node, getMe, { as: team.admin })).status, 200);
    const { body } = await setActive(team.admin.id, false);
    assert.equal(body.active, false);
    assert.equal((await call(node, getMe, { as: team.admin })).status, 401);
    assert.equal((await setActive(team.admin.id, true)).body.active, true);
    const row = await membership(team.admin.id);
    assert.deepEqual([row?.deactivated, row?.roles], [false, ['team_user', 'team_admin']]);
    const again = await signIn(node, team.admin);
    assert.equal((await call(node, getMe, { as: again })).status, 200);
  });

  test('whom an admin deactivated stays so, also if the provider had done it before', async () => {
    const params = { teamId: team.id, userId: team.member.id };
    await setActive(team.member.id, false);
    await call(node, reactivateUser, { as: team.owner, params });
    await call(node, deactivateUser, { as: team.owner, params });
    assert.equal((await setActive(team.member.id, true)).body.active, false);
    assert.equal((await membership(team.member.id))?.deactivated, true);
    assert.match((await lastEffect()).effect, /an admin did that/);
  });

  test('who was invited loses the invitation, and is invited again', async () => {
    const [{ id }] = (await findByName(team.pending.email)).Resources;
    await setActive(id, false);
    assert.equal(await invitation(team.pending.email), undefined);
    assert.equal((await send(`GET /Users/${id}`)).body.active, false);
    await setActive(id, true);
    assert.ok(await invitation(team.pending.email));
    assert.equal((await send(`GET /Users/${id}`)).body.active, true);
  });

  test('cannot be the last owner (case 20), also when owners are deactivated concurrently', async () => {
    for (const request of ['PATCH', 'DELETE']) {
      const body = request === 'PATCH' ? { body: toPatch({ op: 'Replace', path: 'active', value: 'False' }) } : {};
      const reply = await send(`${request} /Users/${team.owner.id}`, body);
      assert.deepEqual([reply.status, reply.body.status, reply.body.scimType], [403, '403', undefined]);
    }
    const second = await signedIn(node, { team: team.id, kind: 'owner' });
    // A deactivated owner's token stops, so each owner has their own.
    const theirs = await scimToken(node, team.id, second.id);
    const off = { body: toPatch({ op: 'replace', value: { active: false } }) };
    const replies = await Promise.all([
      send(`PATCH /Users/${team.owner.id}`, off),
      send(`PATCH /Users/${second.id}`, off, theirs),
      call(node, deactivateUser, { as: second, params: { teamId: team.id, userId: team.owner.id } }),
      call(node, removeUser, { as: team.owner, params: { teamId: team.id, userId: second.id } }),
    ]);
    const owners = await Promise.all([membership(team.owner.id), membership(second.id)]);
    assert.equal(owners.filter((row) => row && !row.deactivated).length, 1, replies.map(({ status }) => status).join());
  });

  test('stops the tokens that they created, for good', async () => {
    const second = await signedIn(node, { team: team.id, kind: 'owner' });
    const theirs = await scimToken(node, team.id, second.id);
    assert.equal((await setActive(second.id, false)).status, 200);
    assert.equal((await send('GET /Users', {}, theirs)).status, 401);
    await setActive(second.id, true);
    assert.equal((await send('GET /Users', {}, theirs)).status, 401);
  });
});

describe('changing a user', () => {
  test('keeps what the provider sent, and renames the account if it has no other team', async () => {
    const operations = [
      { op: 'Replace', path: 'name.givenName', value: 'Grace' },
      { op: 'Add', path: 'externalId', value: 'x-1' },
      { op: 'Replace', path: 'displayName', value: 'Grace H.' },
    ];
    const { body } = await patch(team.member.id, ...operations);
    assert.deepEqual([body.name.givenName, body.externalId, body.displayName], ['Grace', 'x-1', 'Grace H.']);
    assert.equal((await account(team.member.email))?.first_name, 'Grace');
    const other = await createTeamWithMembers(node);
    await join(node, other.id, team.admin.id);
    assert.equal((await patch(team.admin.id, ...operations)).body.name.givenName, 'Grace');
    assert.equal((await account(team.admin.email))?.first_name, 'Some');
  });

  test('by PUT clears omitted attributes, but omitting "active" reactivates no user', async () => {
    await patch(
      team.member.id,
      { op: 'add', path: 'externalId', value: 'x-1' },
      { op: 'add', path: 'displayName', value: 'G' },
    );
    await setActive(team.member.id, false);
    const { active: _active, ...body } = buildUser(team.member.email);
    const reply = await send(`PUT /Users/${team.member.id}`, { body });
    assert.equal(reply.status, 200);
    assert.deepEqual([reply.body.externalId, reply.body.displayName, reply.body.active], [undefined, undefined, false]);
  });

  test('that changes nothing writes no audit row', async () => {
    await add(address('same.test'), { userName: 'same' });
    const [{ id }] = (await findByName('same')).Resources;
    const count = async () => (await auditRows(node, 'scim.user_changed')).length;
    const before = await count();
    await setActive(id, true);
    await patch(id, { op: 'replace', path: 'name.givenName', value: 'Ada' });
    assert.equal(await count(), before);
    assert.equal((await lastEffect()).effect, 'Nothing changed.');
  });

  test('to a user name of someone else is a conflict', async () => {
    for (const userName of [team.admin.email, team.admin.email.toUpperCase()]) {
      const reply = await patch(team.member.id, { op: 'replace', path: 'userName', value: userName });
      assert.deepEqual([reply.status, reply.body.scimType], [409, 'uniqueness']);
    }
  });

  test('that is not all valid changes nothing', async () => {
    const wrong: [object, string][] = [
      [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
      [{ op: 'replace', path: 'groups', value: [] }, 'mutability'],
      [{ op: 'replace', path: '__proto__.polluted', value: 1 }, 'invalidPath'],
      [{ op: 'replace', path: 'emails[', value: 1 }, 'invalidPath'],
      [{ op: 'replace', path: 'emails[type eq "fax"].value', value: 'a@b.test' }, 'noTarget'],
      [{ op: 'remove' }, 'noTarget'],
      [{ op: 'remove', path: 'userName' }, 'invalidValue'],
      [{ op: 'remove', path: 'active' }, 'invalidValue'],
      [{ op: 'move', path: 'active' }, 'invalidSyntax'],
    ];
    for (const [operation, scimType] of wrong) {
      const reply = await patch(team.member.id, { op: 'replace', path: 'displayName', value: 'Changed' }, operation);
      assert.deepEqual([reply.status, reply.body.scimType], [400, scimType], JSON.stringify(operation));
    }
    assert.equal((await send(`GET /Users/${team.member.id}`)).body.displayName, undefined);
  });

  test('ignores attributes that are not stored, by path as in POST', async () => {
    const unknown = ['shoeSize', 'constructor.prototype', 'name.nickname', 'emails[type eq "work"].x'];
    const operations = ['add', 'replace', 'remove'].flatMap((op) => unknown.map((path) => ({ op, path, value: 'x' })));
    const name = { op: 'replace', path: 'displayName', value: 'Changed' };
    const { status, body } = await patch(team.member.id, ...operations, name);
    assert.deepEqual([status, body.displayName, body.shoeSize], [200, 'Changed', undefined]);
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });

  test('clears a name that is removed or empty, also that of an account without other teams', async () => {
    const named = { op: 'replace', path: 'name', value: { givenName: 'Grace', familyName: 'Hopper' } };
    const both = undefined;
    const family = { familyName: 'Hopper' };
    for (const [operation, left] of [
      [{ op: 'remove', path: 'name' }, both],
      [{ op: 'remove', path: 'name.givenName' }, family],
      [{ op: 'replace', path: 'name.givenName', value: '' }, family],
      [{ op: 'replace', path: 'name.givenName', value: null }, family],
      [{ op: 'replace', path: 'name', value: { givenName: null } }, family],
      [{ op: 'replace', value: { name: { givenName: '' } } }, family],
      [{ op: 'replace', value: { name: null } }, both],
    ] as const) {
      await patch(team.member.id, named);
      const { status, body } = await patch(team.member.id, operation);
      assert.deepEqual([status, body.name], [200, left], JSON.stringify(operation));
      assert.deepEqual((await send(`GET /Users/${team.member.id}`)).body.name, left);
      const { first_name, last_name } = (await account(team.member.email)) ?? {};
      assert.deepEqual([first_name, last_name], ['', left === undefined ? '' : 'Hopper']);
    }
    await patch(team.member.id, named);
    for (const name of [{ givenName: '', familyName: null }, undefined]) {
      const { body } = await send(`PUT /Users/${team.member.id}`, { body: { ...buildUser(team.member.email), name } });
      assert.equal(body.name, undefined);
    }
  });

  test('of a version that has passed is refused, and the current one is not sent twice', async () => {
    const { headers, body } = await send(`GET /Users/${team.member.id}`);
    assert.equal(headers.etag, body.meta.version);
    const etag = String(headers.etag);
    assert.equal((await send(`GET /Users/${team.member.id}`, { headers: { 'if-none-match': etag } })).status, 304);
    const rename = (value: string) => ({
      body: toPatch({ op: 'replace', path: 'displayName', value }),
      headers: { 'if-match': etag },
    });
    assert.equal((await send(`PATCH /Users/${team.member.id}`, rename('One'))).status, 200);
    assert.equal((await send(`PATCH /Users/${team.member.id}`, rename('Two'))).status, 412);
    assert.equal((await send(`DELETE /Users/${team.member.id}`, { headers: { 'if-match': etag } })).status, 412);
    assert.equal((await send(`DELETE /Users/${team.member.id}`, { headers: { 'if-match': '*' } })).status, 204);
  });
});

describe('the address of an account', () => {
  /** The provider creates an account of a verified domain. */
  async function provisioned(): Promise<{ id: string; email: string; scimId: string }> {
    const email = await provedAddress();
    const { id: scimId } = await add(email);
    return { email, scimId, id: (await account(email))?.id ?? '' };
  }

  const setEmail = (id: string, value: string) =>
    patch(id, { op: 'replace', path: 'emails[type eq "work"].value', value });

  test('never follows the provider to or from a domain that is not verified, for owners, or if it is or was in another team (case 21)', async () => {
    const [from, to] = [await provedAddress(), await provedAddress()];
    const elsewhere = (await createTeamWithMembers(node)).id;
    const cases: [{ id: string; email: string; scimId?: string }, string, RegExp][] = [
      [team.member, to, /hasn't verified/],
      [await signedIn(node, { team: team.id, email: from }), address(), /hasn't verified/],
      [await signedIn(node, { team: team.id, email: await provedAddress(), kind: 'owner' }), to, /owner/],
      [await signedIn(node, { team: team.id, email: await provedAddress() }), team.admin.email, /hasn't verified/],
      [await provisioned(), from, /another account/],
      [await signedIn(node, { team: team.id, email: await provedAddress() }), to, /didn't create the account/],
    ];
    // Whoever is, or was, in another team: active, deactivated, removed, or erased there.
    const theirs = (id: string) => sql`team_id = ${elsewhere} and person_id = ${id}`;
    for (const leave of [
      (id: string) => sql`select ${id}`,
      (id: string) => sql`update memberships set deactivated = true, deactivated_at = 1 where ${theirs(id)}`,
      (id: string) => sql`delete from memberships where ${theirs(id)}`,
      (id: string) => sql`with gone as (delete from memberships where ${theirs(id)}), erased as (
        insert into erasures (team_id, person_id, code, account) values (${elsewhere}, ${id}, 'ABCD', 'kept'))
        select 1`,
    ]) {
      const who = await provisioned();
      await join(node, elsewhere, who.id);
      await leave(who.id).execute(node.db);
      cases.push([who, to, /was in another team/]);
    }
    for (const [who, wanted, reason] of cases) {
      const { status, body } = await setEmail(who.scimId ?? who.id, wanted);
      assert.deepEqual([status, body.emails[0].value], [200, wanted], 'what was sent is shown');
      assert.equal((await account(who.email))?.id, who.id);
      assert.match((await lastEffect()).effect, reason);
    }
  });

  test('follows between verified domains, tells the former address, and ends its links', async () => {
    const to = await provedAddress();
    const { id, email: from, scimId } = await provisioned();
    assert.equal((await setEmail(scimId, to)).status, 200);
    assert.equal((await account(to))?.id, id);
    const mail = await node.db
      .selectFrom('mails')
      .select('recipient')
      .where('kind', '=', 'session.email_changed')
      .execute();
    assert.ok(mail.some(({ recipient }) => recipient === from));
  });
});

describe('removing a user', () => {
  test('ends the membership and what they hold, and a provider can add them again', async () => {
    assert.equal((await send(`DELETE /Users/${team.member.id}`)).status, 204);
    assert.equal(await membership(team.member.id), undefined);
    assert.equal((await call(node, getMe, { as: team.member })).status, 401);
    assert.equal((await send(`GET /Users/${team.member.id}`)).status, 404);
    assert.equal((await send(`DELETE /Users/${team.member.id}`)).status, 404);
    assert.equal((await add(team.member.email)).status, 201);
  });

  test('cancels an invitation, and forgets someone inactive', async () => {
    const [{ id }] = (await findByName(team.pending.email)).Resources;
    assert.equal((await send(`DELETE /Users/${id}`)).status, 204);
    assert.equal(await invitation(team.pending.email), undefined);
    const inactive = await add(address(), { active: false });
    assert.equal((await send(`DELETE /Users/${inactive.id}`)).status, 204);
    assert.equal((await send(`GET /Users/${inactive.id}`)).status, 404);
  });
});
