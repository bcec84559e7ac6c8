import assert from 'node:assert/strict';
import { listConnectedUsers } from '@steward/contract/connections';
import { reportWork, takeWork } from '@steward/contract/connections/connector';
import { getAttention } from '@steward/contract/home';
import { reactivateUser, removeUser } from '@steward/contract/users/lifecycle';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { connectedServer, remoteUser, sendList, type TestConnection } from '#testing/workspace/connections.ts';
import { createTeamWithMembers, deactivate, type TestTeam, type TestUser, user } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { addInvitedLink, saveAcceptedLink } from '#workspace/users/connected-links.store.ts';
import { endConnectedUsers } from './ended-users.job.ts';

let node: TestApp;
let team: TestTeam;
let chat: TestConnection;
let ada: TestUser;

beforeAll(async () => {
  node = await startApp({ work: false });
});

beforeEach(async () => {
  // The job sees all teams.
  await sql`delete from connected_servers`.execute(node.db);
  team = await createTeamWithMembers(node);
  chat = await connectedServer(node, { teamId: team.id, acceptedBy: team.owner.id });
  await list({});
  ada = await linked(team.id);
});

afterAll(() => node[Symbol.asyncDispose]());

const list = (fields: Partial<ReturnType<typeof remoteUser>>) =>
  sendList(chat, { users: [remoteUser({ id: 'ada', ...fields })] });

/** A member of the team who is linked to ada. */
async function linked(teamId: string): Promise<TestUser> {
  const member = await user(node, { team: teamId });
  const invitationId = member.id;
  await inTransaction(node.db, async (trx) => {
    await addInvitedLink(trx, { serverId: chat.id, teamId, remoteUserId: 'ada', invitationId });
    await saveAcceptedLink(trx, { teamId, invitationId, userId: member.id });
  });
  return member;
}

const run = () => endConnectedUsers(node.deps);
const work = async () => (await chat.send(takeWork)).body.records;
const report = async (outcome: string) =>
  chat.send(reportWork, { params: { workId: (await work())[0].id }, body: { outcome, detail: '' } });

/** Users whom Home names, which is the list that it leads to. */
async function named(of = team): Promise<string[]> {
  const params = { teamId: of.id };
  const { records } = (await call(node, getAttention, { as: of.owner, params })).body;
  const found = records.find(({ kind }: { kind: string }) => kind === 'connected_users_ended');
  const listed = await call(node, listConnectedUsers, {
    as: of.owner,
    params: { ...params, connectionId: chat.id },
    query: { ended: '1' },
  });
  const ids = listed.body.records.map(({ id }: { id: string }) => id);
  assert.equal(found?.count ?? 0, ids.length);
  return ids;
}

describe('when the access of a linked account ends', () => {
  test('by a deactivation, the user is deactivated at the server, once', async () => {
    await run();
    assert.deepEqual(await work(), [], 'while the account has access');
    await deactivate(node, team.id, ada.id);
    await run();
    await run();
    assert.partialDeepStrictEqual(await work(), [{ action: 'deactivate', user_id: 'ada', team_id: 'team1' }]);
    assert.equal((await work()).length, 1);
    assert.deepEqual(await named(), [], 'it is on its way');
    const [row] = (await auditRows(node, 'connections.asked')).filter(({ team_id }) => team_id === team.id);
    assert.partialDeepStrictEqual(row, { actor_id: null, details: { remote_user_ids: ['ada'] } });
    await report('done');
    assert.deepEqual(await named(), [], 'also before the server lists its users again');
    // An admin of the server decides otherwise.
    await list({});
    await run();
    assert.deepEqual(await work(), []);
    assert.deepEqual(await named(), ['ada']);
  });

  test('by an end date, before a job stores it', async () => {
    await sql`update memberships set ends_on = '2020-01-01', ends_at = now() - interval '1 second'
      where person_id = ${ada.id}`.execute(node.db);
    await run();
    assert.equal((await work()).length, 1);
  });

  test('by leaving the team', async () => {
    await call(node, removeUser, { as: team.admin, params: { teamId: team.id, userId: ada.id } });
    await run();
    assert.equal((await work()).length, 1);
  });

  test('but nothing is done after it came back, and the next end counts again', async () => {
    await deactivate(node, team.id, ada.id);
    await run();
    await call(node, reactivateUser, { as: team.admin, params: { teamId: team.id, userId: ada.id }, body: {} });
    assert.deepEqual(await work(), [], 'even before the job runs');
    await run();
    const rows = (await auditRows(node, 'connections.work_ended')).filter(({ team_id }) => team_id === team.id);
    assert.partialDeepStrictEqual(rows, [{ details: { outcome: 'refused' } }]);
    await deactivate(node, team.id, ada.id);
    await run();
    assert.equal((await work()).length, 1);
  });

  test('but an account that only has the same address ends nothing', async () => {
    await list({ email: team.member.email });
    await deactivate(node, team.id, team.member.id);
    await run();
    assert.deepEqual([await work(), await named()], [[], []]);
  });
});

describe('Home names the user, and nothing happens at the server,', () => {
  test('while another team there is not governed here', async () => {
    await list({ team_ids: ['team1', 'team2'] });
    await deactivate(node, team.id, ada.id);
    await run();
    assert.deepEqual([await work(), await named()], [[], ['ada']]);
  });

  test('while another team there has not agreed; then it happens', async () => {
    const second = await createTeamWithMembers(node);
    await connectedServer(node, { teamId: second.id, acceptedBy: second.owner.id, remoteTeamId: 'team2', on: chat });
    await list({ team_ids: ['team1', 'team2'] });
    await deactivate(node, team.id, ada.id);
    await run();
    assert.deepEqual([await work(), await named(), await named(second)], [[], ['ada'], []], 'no account there');
    const there = await linked(second.id);
    await run();
    assert.deepEqual([await work(), await named()], [[], ['ada']], 'an active account there');
    await deactivate(node, second.id, there.id);
    await run();
    assert.equal((await work()).length, 1);
    assert.deepEqual(await named(), []);
  });

  test('if they own bots, or are protected', async () => {
    await deactivate(node, team.id, ada.id);
    for (const fields of [{ owns_bots: true }, { is_protected: true }]) {
      await list(fields);
      await run();
      assert.deepEqual([await work(), await named()], [[], ['ada']]);
    }
  });

  test('if the server refused', async () => {
    await deactivate(node, team.id, ada.id);
    await run();
    await report('refused');
    await run();
    assert.deepEqual([await work(), await named()], [[], ['ada']]);
  });

  test('while the list of users is old', async () => {
    await sql`update connected_servers set users_listed_at = now() - interval '3 days'`.execute(node.db);
    await deactivate(node, team.id, ada.id);
    await run();
    assert.deepEqual([await work(), await named()], [[], ['ada']]);
  });
});

test('users who are deactivated there, or left the team there, are not named', async () => {
  await deactivate(node, team.id, ada.id);
  for (const fields of [{ deactivated_at: 5 }, { team_ids: ['team2'] }]) {
    await list(fields);
    await run();
    assert.deepEqual([await work(), await named()], [[], []]);
  }
});
