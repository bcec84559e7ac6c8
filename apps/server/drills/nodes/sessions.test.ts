import assert from 'node:assert/strict';
import { getMe, login } from '@steward/contract/session';
import { listUsers, revokeSessions, saveUser } from '@steward/contract/users';
import { deactivateUser, removeUser } from '@steward/contract/users/lifecycle';
import { revokeSession } from '@steward/contract/users/sessions';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { callAt, type Reply, type Sending } from '#testing/app/call.ts';
import { type Cluster, startCluster } from '#testing/app/cluster.ts';
import {
  createTeamWithMembers,
  findSessionId,
  signedIn,
  signIn,
  type TestTeam,
  user,
} from '#testing/workspace/factories.ts';

/** Repetitions of each test; more with FAULT_ROUNDS=200. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 3);
/** Concurrent requests to each node. */
const AT_ONCE = 3;

let cluster: Cluster;
let team: TestTeam;

beforeAll(async () => {
  cluster = await startCluster('web');
  team = await createTeamWithMembers(cluster.node);
});

afterAll(() => cluster[Symbol.asyncDispose]());

const statuses = (replies: Reply[]) => [...new Set(replies.map(({ status }) => status))];
const getMeOnAll = (as: { cookie: string }) => cluster.callAll(getMe, { as }, AT_ONCE);
const listUsersOnAll = (as: { cookie: string }) =>
  cluster.callAll(listUsers, { as, params: { teamId: team.id } }, AT_ONCE);
const toUrl = (round: number) => cluster.members[round % cluster.members.length]?.url() ?? '';

/** Repeats the work, each time at the next node. */
async function eachRound(work: (at: string) => Promise<void>): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) await work(toUrl(round));
}

async function admin(at: string, ...[endpoint, sending]: [Parameters<typeof callAt>[1], Sending]): Promise<void> {
  const reply = await callAt(at, endpoint, { as: team.owner, ...sending });
  assert.equal(reply.status, 200, reply.text);
}

describe(`three processes, ${ROUNDS} times`, () => {
  test('who signs in at one is signed in at all of them', async () => {
    const who = await user(cluster.node, { team: team.id });
    await eachRound(async (at) => {
      const reply = await callAt(at, login, { body: { login_id: who.email, password: who.password } });
      assert.equal(reply.status, 200, reply.text);
      const cookie = reply.setCookies.map((line) => line.split(';', 1)[0]).join('; ');
      assert.deepEqual(statuses(await getMeOnAll({ cookie })), [200]);
    });
  });

  test('after a forced sign-out, the first request is refused at each node, but not those of other users', async () => {
    await eachRound(async (at) => {
      const who = await user(cluster.node, { team: team.id });
      const sessions = [await signIn(cluster.node, who), await signIn(cluster.node, who)] as const;
      for (const session of sessions) assert.deepEqual(statuses(await getMeOnAll(session)), [200]);
      await admin(at, revokeSessions, { params: { teamId: team.id, userId: who.id }, body: {} });
      const [first, second, other] = await Promise.all([...sessions, team.member].map(getMeOnAll));
      assert.deepEqual(
        [first, second, other].map((each) => statuses(each ?? [])),
        [[401], [401], [200]],
      );
    });
  });

  test('after one session was ended, it is refused at each node, and the other one still works', async () => {
    await eachRound(async (at) => {
      const who = await user(cluster.node, { team: team.id });
      const [ended, kept] = [await signIn(cluster.node, who), await signIn(cluster.node, who)];
      assert.deepEqual(statuses([...(await getMeOnAll(ended)), ...(await getMeOnAll(kept))]), [200]);
      const body = { session_id: await findSessionId(cluster.node, ended) };
      await admin(at, revokeSession, { params: { teamId: team.id, userId: who.id }, body });
      const [first, second] = await Promise.all([getMeOnAll(ended), getMeOnAll(kept)]);
      assert.deepEqual([statuses(first), statuses(second)], [[401], [200]]);
    });
  });

  test('who was an admin is none at each of them from the next request on, and is one again as fast', async () => {
    await eachRound(async (at) => {
      const who = await signedIn(cluster.node, { team: team.id, kind: 'admin' });
      assert.deepEqual(statuses(await listUsersOnAll(who)), [200]);
      await admin(at, saveUser, { params: { teamId: team.id }, body: { email: who.email, account_type: 2 } });
      assert.deepEqual(statuses(await listUsersOnAll(who)), [403]);
      await admin(at, saveUser, { params: { teamId: team.id }, body: { email: who.email, account_type: 1 } });
      assert.deepEqual(statuses(await listUsersOnAll(who)), [200]);
    });
  });

  test('a removed or deactivated user is refused at each node immediately', async () => {
    await eachRound(async (at) => {
      const [removed, ended] = [
        await signedIn(cluster.node, { team: team.id, kind: 'admin' }),
        await signedIn(cluster.node, { team: team.id, kind: 'admin' }),
      ];
      assert.deepEqual(statuses([...(await listUsersOnAll(removed)), ...(await listUsersOnAll(ended))]), [200]);
      await admin(at, removeUser, { params: { teamId: team.id, userId: removed.id } });
      await admin(at, deactivateUser, { params: { teamId: team.id, userId: ended.id } });
      const [first, second] = await Promise.all([listUsersOnAll(removed), listUsersOnAll(ended)]);
      assert.deepEqual([statuses(first), statuses(second)], [[401], [401]]);
    });
  });
});
