import assert from 'node:assert/strict';
import { saveProfile } from '@steward/contract/account';
import { listOwnInvitations } from '@steward/contract/account/memberships';
import { login } from '@steward/contract/session';
import { listTeams } from '@steward/contract/session/teams';
import { saveUser } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { extractMailToken } from '#testing/peers/inbox.ts';
import { channel } from '#testing/workspace/content.ts';
import {
  team as createTeam,
  createTeamWithMembers,
  PASSWORD,
  type TestTeam,
  user,
} from '#testing/workspace/factories.ts';
import { checkLink, finishLink, invitee } from '#testing/workspace/signup.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 8 });
  team = await createTeamWithMembers(node, 'Acme');
});

afterAll(() => node[Symbol.asyncDispose]());

const signIn = (login_id: string) => call(node, login, { body: { login_id, password: PASSWORD } });

async function refusal() {
  return toComparable(await finishLink(node, 'A'.repeat(43)));
}

describe('accepting an invitation', () => {
  test('creates an account in the team and its default channels with the emailed link, without signing in', async () => {
    const joining = await channel(node, team.id, { type: 'P' });
    await sql`insert into default_channels values (${team.id}, ${joining.id}, 'x')`.execute(node.db);
    const email = `${newId()}@example.test`;
    const body = { email, account_type: 1, first_name: 'Typed', last_name: 'By another' };
    await call(node, saveUser, { as: team.owner, params: { teamId: team.id }, body });
    const token = extractMailToken(await node.inbox.next(email));
    assert.deepEqual(toComparable(await finishLink(node, token)), await refusal(), 'the link has not been opened');
    const expected = { invited: true, first: 'Typed', invited_by: { name: 'Some Body' } };
    assert.partialDeepStrictEqual((await checkLink(node, token)).body, expected);
    await call(node, saveProfile, { as: team.owner, body: { first_name: '', last_name: '' } });
    assert.deepEqual((await checkLink(node, token)).body.invited_by, { name: team.owner.email });
    const { id: invited } = await node.db
      .selectFrom('memberships')
      .select('person_id as id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const reply = await finishLink(node, token);
    assert.deepEqual([reply.status, reply.setCookies], [200, []]);
    const who = (await signIn(email)).body;
    assert.partialDeepStrictEqual(who, { first_name: 'Ada', last_name: 'Lovelace', type: 2, account_type: 1 });
    const joined = await node.db
      .selectFrom('channel_members')
      .select('channel_id')
      .where('person_id', '=', who.id)
      .execute();
    assert.deepEqual(joined, [{ channel_id: joining.id }]);
    assert.deepEqual(await auditRows(node, 'signup.invitation_accepted'), [
      { team_id: team.id, actor_id: who.id, target: who.id, details: { invitation_id: invited } },
    ]);
    assert.deepEqual(toComparable(await finishLink(node, token)), await refusal());
    assert.deepEqual(toComparable(await checkLink(node, token)), await refusal());
  });

  test('joins only the team of the link, whatever the body contains; other invitations stay open', async () => {
    const second = await createTeam(node, 'Second');
    const who = await invitee(node, team.id);
    const ofSecond = await invitee(node, second, { email: who.email });
    assert.partialDeepStrictEqual((await checkLink(node, ofSecond.token)).body, { team_name: 'Second' });
    const foreign = { team_id: await createTeam(node), teamId: team.id, roles: ['team_owner'], invited: false };
    assert.equal((await finishLink(node, ofSecond.token, foreign)).status, 200);
    assert.equal((await auditRows(node, 'signup.invitation_accepted')).at(-1)?.team_id, second);
    const reply = await signIn(who.email);
    const as = { cookie: reply.setCookies.map((line) => line.split(';')[0]).join('; ') };
    const { body } = await call(node, listTeams, { as, params: { userId: reply.body.id } });
    assert.deepEqual(
      body.map((row: { display_name: string }) => row.display_name),
      ['Second'],
    );
    const open = await call(node, listOwnInvitations, { as });
    assert.deepEqual(
      open.body.records.map((row: { team_name: string }) => row.team_name),
      ['Acme'],
    );
  });

  test('of an address that has an account sets no password: the link says so, as often as it is opened', async () => {
    const who = await user(node);
    const { token } = await invitee(node, team.id, { email: who.email, first_name: 'Typed', last_name: 'By another' });
    const before = await snapshotTables(node);
    for (let time = 0; time < 2; time += 1)
      assert.deepEqual((await checkLink(node, token)).body, {
        mode: '1',
        email: who.email,
        team_name: 'Acme',
        invited: true,
        first: '',
        last: '',
      });
    assert.deepEqual(
      toComparable(await finishLink(node, token, { password: 'x'.repeat(20), password2: 'x'.repeat(20) })),
      await refusal(),
    );
    assert.deepEqual(await snapshotTables(node), before);
    assert.equal((await signIn(who.email)).status, 200);
  });

  test('is refused after cancellation, without any change', async () => {
    const out = await invitee(node, team.id);
    assert.equal((await checkLink(node, out.token)).status, 200);
    await sql`delete from memberships where person_id = ${out.id}`.execute(node.db);
    const before = await snapshotTables(node);
    assert.deepEqual(toComparable(await finishLink(node, out.token)), await refusal());
    assert.deepEqual(await snapshotTables(node), before);
  });
});
