import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { login } from '@steward/contract/session';
import { listTeams } from '@steward/contract/session/teams';
import { saveUser } from '@steward/contract/users';
import { sql } from 'kysely';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { extractMailToken } from '#testing/peers/inbox.ts';
import { channel } from '#testing/workspace/content.ts';
import { team as createTeam, createTeamWithMembers, PASSWORD, type TestTeam } from '#testing/workspace/factories.ts';
import { checkLink, finishLink, invitee } from '#testing/workspace/signup.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { addMembership, saveDeactivated } from '#workspace/people/people.store.ts';
import { addLink } from '#workspace/sessions/links.store.ts';

let node: TestApp;
let team: TestTeam;

before(async () => {
  node = await startApp({ pool: 8 });
  team = await createTeamWithMembers(node, 'Acme');
});

after(() => node[Symbol.asyncDispose]());

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
    assert.partialDeepStrictEqual((await checkLink(node, token)).body, { invited: true, first: 'Typed' });
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
      { team_id: team.id, actor_id: who.id, target: who.id, details: {} },
    ]);
    assert.deepEqual(toComparable(await finishLink(node, token)), await refusal());
    assert.deepEqual(toComparable(await checkLink(node, token)), await refusal());
  });

  test('joins only the teams that sent the invitation, whatever the body contains', async () => {
    const second = await createTeam(node, 'Second');
    const who = await invitee(node, team.id);
    const ofSecond = await inTransaction(node.db, async (trx) => {
      await addMembership(trx, { teamId: second, personId: who.id, roles: ['team_user'] });
      return addLink(trx, { kind: 'invite', personId: who.id, teamId: second });
    });
    assert.partialDeepStrictEqual((await checkLink(node, ofSecond)).body, { team_name: 'Second' });
    const foreign = { team_id: await createTeam(node), teamId: team.id, roles: ['team_owner'], invited: false };
    assert.equal((await finishLink(node, ofSecond, foreign)).status, 200);
    assert.equal((await auditRows(node, 'signup.invitation_accepted')).at(-1)?.team_id, second);
    const reply = await signIn(who.email);
    const as = { cookie: reply.setCookies.map((line) => line.split(';')[0]).join('; ') };
    const { body } = await call(node, listTeams, { as, params: { userId: who.id } });
    assert.deepEqual(
      body.map((row: { display_name: string }) => row.display_name),
      ['Acme', 'Second'],
    );
    assert.deepEqual(
      toComparable(await finishLink(node, who.token)),
      await refusal(),
      'the other invitation has been accepted too',
    );
  });

  test('is refused after deactivation or cancellation, without any change', async () => {
    const [gone, out] = [await invitee(node, team.id), await invitee(node, team.id)];
    for (const { token } of [gone, out]) assert.equal((await checkLink(node, token)).status, 200);
    await inTransaction(node.db, (trx) => saveDeactivated(trx, gone.id, true));
    await sql`delete from memberships where person_id = ${out.id}`.execute(node.db);
    const before = await snapshotTables(node);
    for (const { token } of [gone, out]) assert.deepEqual(toComparable(await finishLink(node, token)), await refusal());
    assert.deepEqual(await snapshotTables(node), before);
  });
});
