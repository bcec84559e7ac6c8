import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startApp } from '#testing/app/start-app.ts';
import { createSignUp, finishLink } from '#testing/workspace/signup.ts';
import { createCleanUpSignUpsWorker } from './clean-up-signups.job.ts';

test('the cleanup removes expired sign-ups, used or not, keeps the others, and can be repeated', async () => {
  await using node = await startApp({ work: false });
  const [over, used, live] = [
    await createSignUp(node),
    await createSignUp(node, { checked: true }),
    await createSignUp(node, { checked: true }),
  ];
  for (const { token } of [used, live]) assert.equal((await finishLink(node, token)).status, 200);
  const gone = [over.owner_email, used.owner_email];
  await sql`update signups set expires_at = now() - interval '1 s' where owner_email = any(${gone})`.execute(node.db);
  for (let i = 0; i < 2; i += 1) {
    await createCleanUpSignUpsWorker(node.deps).handle(undefined, { id: '', attempt: 1, isLast: false });
    const left = await node.db.selectFrom('signups').select('owner_email').execute();
    assert.deepEqual(left, [{ owner_email: live.owner_email }]);
  }
});
