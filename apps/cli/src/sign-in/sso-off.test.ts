import assert from 'node:assert/strict';
import { listUsers } from '@steward/contract/users';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { call } from '@steward/server/testing/app/call.ts';
import { startApp } from '@steward/server/testing/app/start-app.ts';
import { connection } from '@steward/server/testing/sso/sso.ts';
import { createTeamWithMembers } from '@steward/server/testing/workspace/factories.ts';
import { auditRows } from '@steward/server/testing/workspace/snapshot-tables.ts';
import { test } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';

test('sso-off opens a team to passwords again that its identity provider locked out, and keeps the settings', async () => {
  await using node = await startApp({ work: false });
  const team = await createTeamWithMembers(node);
  const provider = { issuer: 'https://id.steward.example', clientId: 'a', secret: 'b' };
  await connection(node, team.id, provider, { required: true });
  const open = async () => (await call(node, listUsers, { as: team.admin, params: { teamId: team.id } })).status;
  assert.equal(await open(), 403);
  const run = (id: string) =>
    runInProcess(['sso-off', '--team', id], { DATABASE_URL: node.database.url, SECRET_KEY: '5e'.repeat(32) });
  const unknown = await run(newId());
  assert.match(unknown.err, /No team has the id/);
  const { code, out, err } = await run(team.id);
  assert.deepEqual([code, out], [0, 'Single sign-on is off. 0 sessions ended.\n'], err);
  assert.equal(await open(), 200);
  const row = await node.db.selectFrom('sso_connections').select(['enabled', 'issuer']).executeTakeFirstOrThrow();
  assert.deepEqual(row, { enabled: false, issuer: provider.issuer });
  assert.equal((await auditRows(node, 'sso.turned_off')).length, 1);
});
