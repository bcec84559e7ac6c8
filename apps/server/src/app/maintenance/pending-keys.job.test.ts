import assert from 'node:assert/strict';
import { test } from 'vitest';
import { indexPendingKeys } from '#platform/database/search.ts';
import { startApp } from '#testing/app/start-app.ts';
import { team, user } from '#testing/workspace/factories.ts';
import { createPendingKeysWorker } from './pending-keys.job.ts';

test('keys of new people are indexed, so that searches don’t scan them', async () => {
  await using node = await startApp({ work: false });
  const teamId = await team(node);
  await user(node, { team: teamId });
  assert.ok((await indexPendingKeys(node.deps.db)) > 0, 'they are pending at first');
  await user(node, { team: teamId });
  for (let i = 0; i < 2; i += 1)
    await createPendingKeysWorker(node.deps).handle(undefined, { id: '', attempt: 1, isLast: false });
  assert.equal(await indexPendingKeys(node.deps.db), 0);
});
