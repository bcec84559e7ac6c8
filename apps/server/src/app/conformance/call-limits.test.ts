// The limits on calls per minute, measured at the calls themselves.
import assert from 'node:assert/strict';
import { listEntries } from '@steward/contract/directory';
import { listUsers } from '@steward/contract/users';
import { afterAll, beforeAll, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { createTeamWithMembers, signedIn, type TestTeam } from '#testing/workspace/factories.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
  ours = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const list = (
  query: Record<string, string>,
  as = ours.owner,
  on = node,
  endpoint = listUsers as typeof listUsers | typeof listEntries,
) => call(on, endpoint, { as, params: { teamId: ours.id }, query });

test('the 21st export in a minute is refused, other calls, people and teams are not', async () => {
  for (let i = 0; i < 10; i += 1) {
    assert.equal((await list({ limit: '2000' })).status, 200);
    assert.equal((await list({ limit: '101' }, ours.owner, node, listEntries)).status, 200);
  }
  const refused = await list({ limit: '2000' });
  assert.deepEqual([refused.status, refused.body.id], [429, 'rate.limited']);
  assert.equal(refused.body.message, 'Too many requests. Try again in a minute.');
  const wait = Number(refused.headers['retry-after']);
  assert.ok(wait >= 1 && wait <= 60, `${wait}`);
  assert.deepEqual(Object.keys(refused.body), ['status_code', 'message', 'id', 'request_id']);
  assert.equal((await list({ limit: '100' })).status, 200);
  assert.equal((await list({ limit: '2000' }, ours.admin)).status, 200);
  const theirs = await createTeamWithMembers(node);
  const query = { limit: '2000' };
  assert.equal((await call(node, listUsers, { as: theirs.owner, params: { teamId: theirs.id }, query })).status, 200);
});

test('a call that is not allowed or invalid is refused as such and counts nothing', async () => {
  const stranger = await signedIn(node);
  for (let i = 0; i < 25; i += 1) assert.equal((await list({ limit: '2000' }, stranger)).status, 403);
  const third = await signedIn(node, { team: ours.id, kind: 'admin' });
  for (let i = 0; i < 25; i += 1) assert.equal((await list({ limit: '2001' }, third)).status, 400);
  assert.equal((await list({ limit: '2000' }, third)).status, 200);
});

test('LIMITS=off, on loopback only, counts nothing', async () => {
  const env = { LIMITS: 'off', PUBLIC_URL: 'http://localhost:8065' };
  await using free = await startApp({ beside: node, work: false, env });
  for (let i = 0; i < 25; i += 1) assert.equal((await list({ limit: '2000' }, ours.owner, free)).status, 200);
});
