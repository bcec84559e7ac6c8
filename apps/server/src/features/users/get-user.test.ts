import assert from 'node:assert/strict';
import { listUsers } from '@steward/contract/users';
import { getUser } from '@steward/contract/users/panel';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { serviceToken } from '#testing/workspace/content.ts';
import { entry } from '#testing/workspace/directory.ts';
import {
  createTeamWithMembers,
  deactivate,
  invite,
  join,
  signedIn,
  signIn,
  type TestTeam,
  team,
  user,
} from '#testing/workspace/factories.ts';
import { legalHold } from '#testing/workspace/holds.ts';
import { addLink } from '#workspace/access/sessions/links.store.ts';
import { addInvitations, removeMembership } from '#workspace/users/memberships.store.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
  ours = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const get = (userId: string, as: { cookie: string } = ours.admin) =>
  call(node, getUser, { as, params: { teamId: ours.id, userId } });

const facts = async (userId: string) => {
  const { body, text } = await get(userId);
  assert.ok(body.id, text);
  const { invited_by, sessions, sign_ins, directory_entry_id, tokens, links, second_factor, holds } = body;
  return { invited_by, sessions, sign_ins, directory_entry_id, tokens, links, second_factor, holds };
};

const NOTHING = {
  invited_by: null,
  sessions: 0,
  sign_ins: [],
  directory_entry_id: '',
  tokens: 0,
  links: 0,
  second_factor: false,
  holds: [],
};

const addToken = (teamId: string, createdBy: string | null) => serviceToken(node, teamId, { createdBy });

const createLink = (kind: 'reset' | 'invite', userId: string, teamId: string | null) =>
  inTransaction(node.db, (trx) => addLink(trx, { kind, userId, teamId }));

async function inviteByAdmin(email: string): Promise<string> {
  const ids = await inTransaction(node.db, (trx) =>
    addInvitations(trx, { teamId: ours.id, invitedBy: ours.admin.id }, [{ email, roles: ['team_user'] }]),
  );
  return ids.get(email) ?? assert.fail();
}

describe('one user', () => {
  test('is the row of the list, for everyone in it', async () => {
    const gone = await user(node, { team: ours.id, deactivated: true });
    const query = { deactivated_accounts: '1' };
    const { records } = (await call(node, listUsers, { as: ours.admin, params: { teamId: ours.id }, query })).body;
    assert.ok(records.some(({ id }: { id: string }) => id === gone.id));
    for (const row of records) {
      const { body } = await get(row.id);
      const { invited_by, invitation_link, sessions, sign_ins, directory_entry_id, ...more } = body;
      const { tokens, links, second_factor, sso, holds, lives_on, ...rest } = more;
      assert.deepEqual(rest, row);
      assert.ok(
        [
          invited_by,
          invitation_link,
          sessions,
          sign_ins,
          directory_entry_id,
          tokens,
          links,
          second_factor,
          sso,
          holds,
        ].every((fact) => fact !== undefined),
      );
    }
  });

  test('has the legal holds that cover what they created', async () => {
    const held = await legalHold(node, { teamId: ours.id, name: 'Theirs', user_ids: [ours.member.id] });
    await legalHold(node, { teamId: ours.id, name: 'Of another', user_ids: [ours.admin.id] });
    const ofAll = await legalHold(node, { teamId: ours.id, name: 'Of everyone', settings: ['files'] });
    const { holds } = await facts(ours.member.id);
    assert.deepEqual(holds, [
      { id: held, name: 'Theirs' },
      { id: ofAll, name: 'Of everyone' },
    ]);
    await sql`update holds set release_at = now() where team_id = ${ours.id}`.execute(node.db);
    assert.deepEqual((await facts(ours.member.id)).holds, []);
  });

  test('has what ends with their membership, of this team and of today', async () => {
    const elsewhere = await team(node);
    const who = await signedIn(node, { team: ours.id, kind: 'admin' });
    await join(node, elsewhere, who.id, 'admin');
    assert.deepEqual(await facts(who.id), { ...NOTHING, sessions: 1 });
    const idle = await signIn(node, who);
    await sql`update sessions set active_at = now() - interval '2 days' where id in (
      select id from sessions where person_id = ${who.id} order by id desc limit 1)`.execute(node.db);
    assert.ok(idle.token);
    const { id } = await entry(node, ours.id, { email: who.email });
    await entry(node, elsewhere, { email: who.email });
    await entry(node, ours.id, { email: `x${who.email}` });
    for (const teamId of [ours.id, ours.id, elsewhere]) await addToken(teamId, who.id);
    await addToken(ours.id, ours.owner.id);
    await createLink('reset', who.id, null);
    const all = { ...NOTHING, sessions: 1, directory_entry_id: id, tokens: 2, links: 1 };
    assert.deepEqual(await facts(who.id), all);
    await sql`update links set expires_at = now() - interval '1 second' where person_id = ${who.id}`.execute(node.db);
    assert.deepEqual(await facts(who.id), { ...all, links: 0 });
    await createLink('reset', who.id, null);
    await deactivate(node, ours.id, who.id);
    assert.deepEqual(await facts(who.id), { ...NOTHING, tokens: 2 });
  });

  test('who is invited has the links of the invitation and who invited, and nothing of the account', async () => {
    const account = await signedIn(node, { team: await team(node) });
    await createLink('reset', account.id, null);
    await entry(node, ours.id, { email: account.email });
    const id = await inviteByAdmin(account.email);
    const stranger = await inviteByAdmin(`${newId()}@example.test`);
    for (const invitation of [id, stranger]) {
      await createLink('invite', invitation, ours.id);
      await createLink('invite', invitation, ours.id);
      const inviter = { id: ours.admin.id, name: 'Some Body' };
      assert.deepEqual(await facts(invitation), { ...NOTHING, invited_by: inviter, links: 2 });
    }
    const [known, unknown] = [(await get(id)).body, (await get(stranger)).body];
    for (const field of ['id', 'email', 'create_at', 'update_at', 'last_picture_update', 'invited_at'])
      for (const body of [known, unknown]) delete body[field];
    assert.deepEqual(known, unknown, 'an address with an account looks like any other');
    assert.equal((await get(account.id)).status, 404);
  });

  test('keeps the id of who invited them after that person left, without their name', async () => {
    const inviter = await user(node, { team: ours.id, kind: 'admin' });
    const id = await invite(node, { teamId: ours.id, email: `${newId()}@example.test` });
    await sql`update memberships set invited_by = ${inviter.id} where person_id = ${id}`.execute(node.db);
    assert.deepEqual((await facts(id)).invited_by, { id: inviter.id, name: 'Some Body' });
    await inTransaction(node.db, (trx) => removeMembership(trx, ours.id, inviter.id));
    assert.deepEqual((await facts(id)).invited_by, { id: inviter.id, name: '' });
  });
});
