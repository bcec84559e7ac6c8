import assert from 'node:assert/strict';
import { listUsers } from '@steward/contract/users';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { call } from '@steward/server/testing/app/call.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { demand } from '@steward/server/testing/sessions/sessions.ts';
import { createTeamWithMembers } from '@steward/server/testing/workspace/factories.ts';
import { auditRows } from '@steward/server/testing/workspace/snapshot-tables.ts';
import { afterAll, beforeAll, test } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

const run = (teamId: string) =>
  runInProcess(['security-off', '--team', teamId], { DATABASE_URL: node.database.url, SECRET_KEY: '5e'.repeat(32) });

test('security-off lets owners in again that their networks shut out, and leaves single sign-on as it is', async () => {
  const team = await createTeamWithMembers(node);
  const list = async () => (await call(node, listUsers, { as: team.owner, params: { teamId: team.id } })).body.id;
  await demand(node, team.id, { networks: ['203.0.113.0/24'], required_connection_id: 'connectionconnectionconnec' });
  assert.equal(await list(), 'security.network');
  const { code, out, err } = await run(team.id);
  assert.deepEqual([code, out], [0, 'Sign-in security cleared.\n'], err);
  assert.equal(await list(), 'sso.required');
  const [row] = await auditRows(node, 'security.saved');
  assert.deepEqual([row?.team_id, row?.actor_id], [team.id, null]);
  assert.equal((await run(team.id)).out, 'The team had no sign-in security. Nothing was changed.\n');
  assert.equal((await auditRows(node, 'security.saved')).length, 1);
});

test('security-off refuses a team that does not exist', async () => {
  const { code, err } = await run(newId());
  assert.equal(code, 1);
  assert.match(err, /No team has the id/);
});
