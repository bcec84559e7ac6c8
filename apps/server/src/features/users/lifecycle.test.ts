import assert from 'node:assert/strict';
import { login } from '@steward/contract/session';
import { listTokens } from '@steward/contract/tokens';
import { listUsers, saveUser } from '@steward/contract/users';
import { deactivateUser, reactivateUser, removeUser, setOwner } from '@steward/contract/users/lifecycle';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { isOfThisRun } from '#testing/system/this-run.ts';
import { channel, serviceToken } from '#testing/workspace/content.ts';
import {
  createTeamWithMembers,
  invite,
  join,
  type SignedInUser,
  signedIn,
  type TestTeam,
  user,
} from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { addLink, findLink } from '#workspace/access/sessions/links.store.ts';

let node: TestApp;
let other: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 6 });
  other = await startApp({ beside: node, work: false });
  ours = await createTeamWithMembers(node);
});

afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

type Endpoint = typeof deactivateUser | typeof reactivateUser | typeof removeUser;

const act = (endpoint: Endpoint, userId: string, as: SignedInUser = ours.admin) =>
  call(node, endpoint, { as, params: { teamId: ours.id, userId } });
const makeOwner = (userId: string, owner: boolean, as: SignedInUser = ours.owner) =>
  call(node, setOwner, { as, params: { teamId: ours.id, userId }, body: { owner } });
const canList = async (as: SignedInUser, on = node) =>
  (await call(on, listUsers, { as, params: { teamId: ours.id } })).status;
const find = async (search: string, deactivated_accounts = '1') =>
  (
    await call(node, listUsers, {
      as: ours.owner,
      params: { teamId: ours.id },
      query: { search, deactivated_accounts },
    })
  ).body.records[0];
const addToken = (teamId: string, createdBy: string) => serviceToken(node, teamId, { createdBy });
const countTokens = async (teamId: string, as: SignedInUser) =>
  (await call(node, listTokens, { as, params: { teamId } })).body.records.filter(
    ({ stopped_at }: { stopped_at: number }) => stopped_at === 0,
  ).length;
const signInWith = ({ email, password }: SignedInUser) => call(node, login, { body: { login_id: email, password } });
const NOTHING = { status_code: 200, revoked: 0, devices: [], links: 0, tokens: 0 };

describe('deactivating a user', () => {
  test('ends their access and service tokens in this team by the next request on every node, and leaves other teams alone', async () => {
    const theirs = await createTeamWithMembers(node);
    const ada = await signedIn(node, { team: ours.id, kind: 'admin' });
    await join(node, theirs.id, ada.id, 'admin');
    const link = await inTransaction(node.db, (trx) => addLink(trx, { kind: 'reset', userId: ada.id, teamId: null }));
    await addToken(ours.id, ada.id);
    await addToken(theirs.id, ada.id);
    const channelId = (await channel(node, ours.id, { type: 'P', members: [ada.id] })).id;
    assert.deepEqual([await canList(ada), await canList(ada, other)], [200, 200]);

    const reply = await act(deactivateUser, ada.id);
    assert.equal(reply.status, 200);
    assert.deepEqual(
      { ...reply.body, devices: reply.body.devices.length },
      { ...NOTHING, revoked: 1, devices: 1, links: 0, tokens: 1 },
    );
    assert.deepEqual([await canList(ada), await canList(ada, other)], [403, 403]);
    assert.equal((await call(node, listUsers, { as: ada, params: { teamId: theirs.id } })).status, 200);
    assert.ok(await findLink(node.db, 'reset', link), 'links are for the account');
    assert.equal(await countTokens(ours.id, ours.owner), 0);
    assert.equal(await countTokens(theirs.id, theirs.owner), 1, 'tokens of other teams stay');
    const listed = await find(ada.email);
    assert.partialDeepStrictEqual(listed, { id: ada.id, state: 'deactivated', status: 'offline', account_type: 1 });
    assert.ok(isOfThisRun(listed.delete_at));
    assert.equal(await find(ada.email, '0'), undefined);
    const kept = await node.db
      .selectFrom('channel_members')
      .select('channel_id')
      .where('person_id', '=', ada.id)
      .execute();
    assert.deepEqual(kept, [{ channel_id: channelId }]);
    const [row = assert.fail()] = (await auditRows(node, 'users.deactivated')).slice(-1);
    const { before: devices, ...counts } = row.details as { before: unknown[] };
    assert.deepEqual([counts, devices.length], [{ sessions: 1, links: 0, tokens: 1 }, 1]);

    // The other team keeps its member: the same account can sign in and sees only that team.
    const again = await signInWith(ada);
    assert.equal(again.status, 200);
    const cookie = again.setCookies.map((line) => line.split(';')[0]).join('; ');
    assert.equal(await canList({ ...ada, cookie }), 403);
    assert.equal((await call(node, listUsers, { as: { cookie }, params: { teamId: theirs.id } })).status, 200);
  });

  test('locks out an account without another team', async () => {
    const max = await signedIn(node, { team: ours.id });
    assert.equal((await signInWith(max)).status, 200);
    await act(deactivateUser, max.id);
    assert.equal((await signInWith(max)).body.id, 'session.deactivated');
    await invite(node, { teamId: (await createTeamWithMembers(node)).id, email: max.email });
    assert.equal((await signInWith(max)).status, 200, 'an invitation makes the account usable again');
  });

  test('a second time changes nothing', async () => {
    const max = await signedIn(node, { team: ours.id });
    await act(deactivateUser, max.id);
    const before = await snapshotTables(node);
    assert.deepEqual((await act(deactivateUser, max.id)).body, NOTHING);
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('shows this team nothing of what the account does in others', async () => {
    const max = await user(node, { team: ours.id });
    await join(node, (await createTeamWithMembers(node)).id, max.id);
    await act(deactivateUser, max.id);
    const elsewhere = await signInWith({ ...max, token: '', cookie: '' });
    assert.equal(elsewhere.status, 200);
    const { listSessions } = await import('@steward/contract/users/sessions');
    const { revokeSessions } = await import('@steward/contract/users');
    const params = { teamId: ours.id, userId: max.id };
    assert.deepEqual((await call(node, listSessions, { as: ours.admin, params })).body, { records: [] });
    assert.deepEqual((await call(node, revokeSessions, { as: ours.admin, params })).body, {
      status_code: 200,
      revoked: 0,
      devices: [],
    });
    const alive = await node.db.selectFrom('sessions').select('id').where('person_id', '=', max.id).execute();
    assert.equal(alive.length, 1);
  });
});

describe('reactivating a user', () => {
  test('brings back roles and channels, but neither sessions nor tokens', async () => {
    const ada = await signedIn(node, { team: ours.id, kind: 'admin' });
    await addToken(ours.id, ada.id);
    await act(deactivateUser, ada.id);
    const tokens = await countTokens(ours.id, ours.owner);
    assert.deepEqual((await act(reactivateUser, ada.id)).body, { status_code: 200 });
    assert.partialDeepStrictEqual(await find(ada.email), { state: 'active', delete_at: 0, account_type: 1 });
    assert.equal(await canList(ada), 401);
    assert.equal(await countTokens(ours.id, ours.owner), tokens);
    assert.equal((await signInWith(ada)).status, 200);
    const before = await snapshotTables(node);
    assert.deepEqual((await act(reactivateUser, ada.id)).body, { status_code: 200 });
    assert.deepEqual(await snapshotTables(node), before, 'a second time changes nothing');
  });
});

describe('removing a user', () => {
  test('takes them out of the team and its channels; the address can be invited again', async () => {
    const max = await signedIn(node, { team: ours.id });
    await channel(node, ours.id, { type: 'P', members: [max.id] });
    const { body } = await act(removeUser, max.id);
    assert.equal(body.revoked, 1);
    assert.equal(await find(max.email), undefined);
    const left = await node.db
      .selectFrom('channel_members')
      .select('channel_id')
      .where('person_id', '=', max.id)
      .execute();
    assert.deepEqual(left, []);
    assert.equal(await canList(max), 401);
    assert.equal((await act(removeUser, max.id)).status, 404);
    const again = { email: max.email, account_type: 2 as const };
    assert.equal(
      (await call(node, saveUser, { as: ours.admin, params: { teamId: ours.id }, body: again })).status,
      200,
    );
    assert.equal((await find(max.email)).state, 'invited');
  });

  test('who is deactivated leaves the sessions of other teams alone', async () => {
    const max = await signedIn(node, { team: ours.id });
    await join(node, (await createTeamWithMembers(node)).id, max.id);
    await act(deactivateUser, max.id);
    await signInWith(max);
    assert.deepEqual((await act(removeUser, max.id)).body, NOTHING);
    const alive = await node.db.selectFrom('sessions').select('id').where('person_id', '=', max.id).execute();
    assert.equal(alive.length, 2);
  });

  test('who is invited cancels the invitation', async () => {
    const pia = await user(node, { team: ours.id, pending: true });
    assert.deepEqual((await act(removeUser, pia.id)).body, NOTHING);
    assert.equal((await auditRows(node, 'users.invitation_cancelled')).at(-1)?.target, pia.id);
    assert.equal((await act(removeUser, pia.id)).status, 404);
  });
});

describe('owners', () => {
  test('make others owners and admins again; a second time changes nothing', async () => {
    const max = await user(node, { team: ours.id });
    assert.equal((await makeOwner(max.id, true)).status, 200);
    assert.deepEqual((await find(max.email)).roles, ['team_user', 'team_admin', 'team_owner']);
    const before = await snapshotTables(node);
    assert.equal((await makeOwner(max.id, true)).status, 200);
    assert.deepEqual(await snapshotTables(node), before);
    assert.equal((await makeOwner(max.id, false)).status, 200);
    assert.deepEqual((await find(max.email)).roles, ['team_user', 'team_admin']);
    assert.equal((await auditRows(node, 'users.owner_added')).at(-1)?.target, max.id);
    assert.equal((await auditRows(node, 'users.owner_removed')).at(-1)?.target, max.id);
  });

  test('an owner who has just been demoted can no longer do what the guard let through', async () => {
    const second = await signedIn(node, { team: ours.id, kind: 'owner' });
    const blocked = inTransaction(node.db, async (trx) => {
      await sql`select 1 from teams where id = ${ours.id} for update`.execute(trx);
      const pending = makeOwner(ours.admin.id, true, second);
      const waits = () =>
        sql`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%"teams"%for no key update%'`.execute(node.db);
      while ((await waits()).rows.length === 0);
      await sql`update memberships set roles = '{team_user,team_admin}' where person_id = ${second.id}`.execute(trx);
      return { pending };
    });
    const reply = await (await blocked).pending;
    assert.deepEqual([reply.status, reply.body.id], [403, 'team.owner_required']);
  });
});

describe('refusals', () => {
  test('each has its reason and changes nothing', async () => {
    const gone = await user(node, { team: ours.id, deactivated: true });
    const before = await snapshotTables(node);
    const cases: [() => ReturnType<typeof act>, number, string][] = [
      [() => act(deactivateUser, ours.pending.id), 409, 'users.not_accepted'],
      [() => act(reactivateUser, ours.pending.id), 409, 'users.not_accepted'],
      [() => makeOwner(gone.id, true), 409, 'users.deactivated'],
      [() => makeOwner(ours.owner.id, false), 400, 'users.own_account'],
    ];
    for (const endpoint of [deactivateUser, reactivateUser, removeUser]) {
      cases.push([() => act(endpoint, ours.zendesk.id), 403, 'users.zendesk_has_no_actions']);
      cases.push([() => act(endpoint, ours.admin.id), 400, 'users.own_account']);
    }
    for (const [send, status, id] of cases) {
      const reply = await send();
      assert.deepEqual([reply.status, reply.body.id], [status, id]);
    }
    assert.deepEqual(await snapshotTables(node), before);
  });
});
