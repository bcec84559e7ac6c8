// One team that fills a queue delays the others by no more than the work that runs already.
import assert from 'node:assert/strict';
import { uploadEntries } from '@steward/contract/directory';
import { getMe } from '@steward/contract/session';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { DESCRIBED_LIMITS } from '#platform/described-limits.ts';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';
import { buildUser, scim, scimToken } from '#testing/peers/scim.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';

let node: TestApp;
let other: TestApp;
let busy: TestTeam;
let quiet: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 6 });
  other = await startApp({ beside: node, work: false, pool: 4 });
  busy = await createTeamWithMembers(node);
  quiet = await createTeamWithMembers(node);
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

test('every queue gives each team or network a share', () => {
  const shared = DESCRIBED_LIMITS.filter((limit) => 'atOnce' in limit);
  assert.ok(shared.length >= 8);
  const unfair = shared.filter((limit) => !('waitingPerKey' in limit)).map(({ name }) => name);
  assert.deepEqual(unfair, []);
});

test('a team whose provisioning calls are blocked leaves a connection to the others', async () => {
  const [theirs, ours] = [
    await scimToken(node, busy.id, busy.owner.id),
    await scimToken(node, quiet.id, quiet.owner.id),
  ];
  let replies: Promise<Reply>[] = [];
  await other.db.transaction().execute(async (trx) => {
    await sql`select 1 from teams where id = ${busy.id} for update`.execute(trx);
    replies = Array.from({ length: 20 }, () =>
      scim(node, theirs, 'POST /Users', { body: buildUser(`${newId()}@a.test`) }),
    );
    await waitForLockWaiter(other, 'teams');
    assert.equal((await scim(node, ours, 'GET /Users')).status, 200);
  });
  await Promise.all(replies);
});

test('a team that sends many uploads at once delays the upload of another team by one of them', async () => {
  const ended: string[] = [];
  const upload = async (team: TestTeam, name: string) => {
    const body = [{ name, phone_number: '+49 30 1' }];
    const reply = await call(node, uploadEntries, { as: team.admin, params: { teamId: team.id }, body });
    ended.push(reply.status === 200 ? name : String(reply.status));
  };
  const uploads: Promise<void>[] = [];
  await other.db.transaction().execute(async (trx) => {
    await sql`lock table directory_entries in exclusive mode`.execute(trx);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) uploads.push(upload(busy, name));
    await waitForLockWaiter(other, 'directory_entries');
    uploads.push(upload(quiet, 'b1'));
    // The calls before it have entered the queue when this one is answered.
    for (const _ of [1, 2, 3]) await call(node, getMe, { as: quiet.admin });
  });
  await Promise.all(uploads);
  assert.ok(ended.indexOf('b1') <= 2, ended.join(' '));
  assert.equal(ended.filter((name) => name.startsWith('a')).length, 6, 'all others are stored as well');
});

test('a user with too many waiting uploads is refused with Retry-After, and others of the team are not', async () => {
  const upload = (as: TestTeam['admin']) =>
    call(node, uploadEntries, { as, params: { teamId: busy.id }, body: [{ name: newId(), phone_number: '+49 30 1' }] });
  let replies: Promise<Reply>[] = [];
  let colleague: Promise<Reply> | undefined;
  await other.db.transaction().execute(async (trx) => {
    await sql`lock table directory_entries in exclusive mode`.execute(trx);
    replies = Array.from({ length: 12 }, () => upload(busy.admin));
    const refused = await Promise.race(replies);
    assert.deepEqual([refused.status, refused.body.id], [429, 'rate.limited']);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    colleague = upload(busy.owner);
    await call(node, getMe, { as: busy.owner });
  });
  assert.equal((await colleague)?.status, 200);
  const statuses = (await Promise.all(replies)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 11);
});
