import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { type Reply, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';
import { PASSWORD, team } from '#testing/workspace/factories.ts';
import { checkLink, createSignUp, finishLink, invitee } from '#testing/workspace/signup.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

import { addUser } from '#workspace/users/users.store.ts';

let node: TestApp;
let other: TestApp;

beforeAll(async () => {
  node = await startApp({ pool: 8 });
  other = await startApp({ beside: node, work: false, pool: 8 });
});

afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

const someone = () => `${newId()}@example.test`;
const ids = (replies: Reply[]) => replies.map(({ status, body }) => (status === 200 ? 'done' : body.id)).sort();
const onBoth = (nth: number) => (nth % 2 ? node : other);

const listMembers = async (teamName: string) => {
  const { rows } = await sql<{ email: string }>`select coalesce(m.email, p.email) as email from teams t
    join memberships m on m.team_id = t.id left join people p on p.id = m.person_id
    where t.display_name = ${teamName} order by 1`.execute(node.db);
  return rows.map(({ email }) => email);
};

describe('concurrent requests', () => {
  test('one of ten finishes of a sign-up succeeds: one person, one team, one email to each invitee', async () => {
    const invitees = Array.from({ length: 3 }, someone);
    const { token, owner_email, team_name } = await createSignUp(node, { invitees, checked: true });
    const replies = await Promise.all(Array.from({ length: 10 }, (_, nth) => finishLink(onBoth(nth), token)));
    assert.deepEqual(ids(replies), ['done', ...Array(9).fill('signup.link_invalid')]);
    const refused = replies.filter(({ status }) => status !== 200).map(toComparable);
    for (const reply of refused) assert.deepEqual(reply, refused[0]);
    assert.deepEqual(await listMembers(team_name), [owner_email, ...invitees].toSorted());
    await settled(node);
    for (const email of invitees) assert.equal(node.inbox.waiting(email).length, 1);
  });

  test('one of ten acceptances of an invitation succeeds', async () => {
    const who = await invitee(node, await team(node));
    await checkLink(node, who.token);
    const replies = await Promise.all(Array.from({ length: 10 }, (_, nth) => finishLink(onBoth(nth), who.token)));
    assert.deepEqual(ids(replies), ['done', ...Array(9).fill('signup.link_invalid')]);
    const accepted = await auditRows(node, 'signup.invitation_accepted');
    assert.equal(accepted.filter(({ details }) => details.invitation_id === who.id).length, 1);
  });

  test('one of several links of an owner succeeds, for the same team or different ones', async () => {
    for (const names of [Array(6).fill(`Same ${newId()}`), Array.from({ length: 6 }, () => `Own ${newId()}`)]) {
      const owner_email = someone();
      const links = [];
      for (const team_name of names) links.push(await createSignUp(node, { owner_email, team_name, checked: true }));
      const replies = await Promise.all(links.map(({ token }, nth) => finishLink(onBoth(nth), token)));
      assert.deepEqual(ids(replies), ['done', ...Array(5).fill('signup.link_invalid')]);
      const { rows } = await sql<{ count: number }>`select count(*) from memberships m
        join people p on p.id = m.person_id where p.email = ${owner_email}`.execute(node.db);
      assert.deepEqual(rows, [{ count: 1 }]);
    }
  });

  test('owners who invite each other and the same addresses all succeed, and each invitee gets one email from each', async () => {
    const owners = Array.from({ length: 4 }, someone);
    const friends = Array.from({ length: 5 }, someone);
    const links = await Promise.all(
      owners.map((owner_email, nth) => {
        const others = [...owners, ...friends].filter((email) => email !== owner_email);
        return createSignUp(node, { owner_email, invitees: nth % 2 ? others : others.toReversed(), checked: true });
      }),
    );
    const replies = await Promise.all(links.map(({ token }, nth) => finishLink(onBoth(nth), token)));
    // An owner who has since been invited by another one has no account yet, so their link still creates one.
    assert.deepEqual(ids(replies), Array(4).fill('done'));
    for (const { team_name } of links)
      assert.deepEqual(await listMembers(team_name), [...owners, ...friends].toSorted(), team_name);
    await settled(node);
    // The fourth email to each of them is over the daily limit.
    for (const email of friends) assert.equal(node.inbox.waiting(email).length, 3);
    for (const email of owners) assert.equal(node.inbox.waiting(email).length, 3);
  });
});

describe('while a sign-up is being finished', () => {
  test('an account that is created first wins, and its password stays', async () => {
    const { token, owner_email, team_name } = await createSignUp(node, { checked: true });
    const creating = await node.db.startTransaction().execute();
    const names = { first_name: 'Grace', last_name: 'Hopper' };
    await addUser(creating as never, { email: owner_email, ...names, password_hash: 'another' });
    const finishing = finishLink(node, token, { password: `${PASSWORD}!`, password2: `${PASSWORD}!` });
    await waitForLockWaiter(node, 'insert into "people"');
    await creating.commit().execute();
    assert.equal((await finishing).body.id, 'signup.link_invalid');
    const row = await node.db
      .selectFrom('people')
      .select(['first_name', 'password_hash'])
      .where('email', '=', owner_email)
      .execute();
    assert.deepEqual(row, [{ first_name: 'Grace', password_hash: 'another' }]);
    assert.deepEqual(await listMembers(team_name), []);
    assert.equal((await checkLink(node, token)).body.mode, '1');
  });
});
