import assert from 'node:assert/strict';
import { leaveTeam } from '@steward/contract/account/memberships';
import { deactivateUser, removeUser, setOwner } from '@steward/contract/users/lifecycle';
import { afterAll, beforeAll, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';
import { type SignedInUser, signedIn, team } from '#testing/workspace/factories.ts';
import { listOwners } from '#workspace/users/managers.store.ts';
import { removeMembership } from '#workspace/users/memberships.store.ts';

let node: TestApp;
let other: TestApp;

beforeAll(async () => {
  node = await startApp({ pool: 8, work: false });
  other = await startApp({ beside: node, work: false, pool: 8 });
});

afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

function send(nth: number, teamId: string, [me, them]: [SignedInUser, SignedInUser]): Promise<Reply> {
  const on = nth % 2 ? node : other;
  const params = { teamId, userId: them.id };
  switch (nth % 4) {
    case 0:
      return call(on, setOwner, { as: me, params, body: { owner: false } });
    case 1:
      return call(on, deactivateUser, { as: me, params });
    case 2:
      return call(on, removeUser, { as: me, params });
    default:
      return call(on, leaveTeam, { as: me, params: { teamId } });
  }
}

test('twelve concurrent calls against two owners leave one of them, every time', async () => {
  for (let round = 0; round < 4; round += 1) {
    const teamId = await team(node);
    const [ann, bob] = [
      await signedIn(node, { team: teamId, kind: 'owner' }),
      await signedIn(node, { team: teamId, kind: 'owner' }),
    ];
    const replies = await Promise.all(
      // Twelve calls are each kind by each owner. The order differs each time, so that different calls come first.
      Array.from({ length: 12 }, (_, nth) => send(nth + round, teamId, nth % 3 === 0 ? [ann, bob] : [bob, ann])),
    );
    for (const { status, text } of replies) assert.ok(status === 200 || (status >= 400 && status < 500), text);
    assert.ok(replies.some(({ status }) => status === 200));
    assert.equal((await listOwners(node.db, teamId)).length, 1);
  }
});

test('an owner who leaves waits until another one has left, and stays as the last', async () => {
  const teamId = await team(node);
  const [ann, bob] = [
    await signedIn(node, { team: teamId, kind: 'owner' }),
    await signedIn(node, { team: teamId, kind: 'owner' }),
  ];
  let leaving: Promise<Reply> | undefined;
  await inTransaction(other.db, async (trx) => {
    await trx.selectFrom('teams').select('id').where('id', '=', teamId).forNoKeyUpdate().execute();
    await removeMembership(trx, teamId, bob.id);
    leaving = call(node, leaveTeam, { as: ann, params: { teamId } });
    await waitForLockWaiter(other, 'from "teams"');
  });
  const reply = await leaving;
  assert.deepEqual([reply?.status, reply?.body.id], [409, 'users.last_owner']);
  assert.equal((await listOwners(node.db, teamId)).length, 1);
});
