import assert from 'node:assert/strict';
import { hasFactor } from '@steward/server/src/workspace/access/factors/factors.store.ts';
import { startApp } from '@steward/server/testing/app/start-app.ts';
import { totpFactor } from '@steward/server/testing/factors/factors.ts';
import { signedIn } from '@steward/server/testing/workspace/factories.ts';
import { isSignedIn } from '@steward/server/testing/workspace/populated-workspace.ts';
import { auditRows } from '@steward/server/testing/workspace/snapshot-tables.ts';
import { test } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';

test('the operator resets the second factors of any account by its address', async () => {
  await using node = await startApp({ work: false });
  const run = (...args: string[]) =>
    runInProcess(['reset-factors', ...args], { DATABASE_URL: node.database.url, SECRET_KEY: '5e'.repeat(32) });
  const who = await signedIn(node, { kind: 'owner' });
  await totpFactor(node, who.id);
  const { code, out, err } = await run('--email', who.email);
  assert.equal(code, 0, err);
  assert.equal(out, `Second factors of ${who.email} removed. 1 sessions ended.\n`);
  assert.equal(await hasFactor(node.db, who.id), false);
  assert.equal(await isSignedIn(node, who), false);
  const rows = (await auditRows(node, 'session.factors_reset')).filter(({ target }) => target === who.id);
  assert.deepEqual(rows, [{ team_id: '', actor_id: null, target: who.id, details: { sessions: 1 } }]);
  const again = await run('--email', who.email, '--json');
  assert.deepEqual(JSON.parse(again.out), { id: who.id, had_factor: false, sessions: 0 });
  assert.notEqual((await run('--email', 'nobody@example.test')).code, 0);
});
