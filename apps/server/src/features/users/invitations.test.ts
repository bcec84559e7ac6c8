import assert from 'node:assert/strict';
import { listUsers, saveUser } from '@steward/contract/users';
import {
  cancelInvitation,
  type FailedInvitation,
  getInvitation,
  listFailedInvitations,
  resendInvitation,
} from '@steward/contract/users/invitations';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { extractMailToken } from '#testing/peers/inbox.ts';
import { isOfThisRun } from '#testing/system/this-run.ts';
import { createTeamWithMembers, invite, type TestTeam, team, user } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { acceptInvitation } from '#workspace/access/memberships/invitations.actions.ts';
import { findLink } from '#workspace/access/sessions/links.store.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 4 });
  ours = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const toSending = (userId: string) => ({ as: ours.admin, params: { teamId: ours.id, userId } });
const read = (userId: string) => call(node, getInvitation, toSending(userId));
const resend = (userId: string) => call(node, resendInvitation, toSending(userId));
const cancel = (userId: string) => call(node, cancelInvitation, toSending(userId));
const failed = async () =>
  (await call(node, listFailedInvitations, { as: ours.admin, params: { teamId: ours.id } })).body.records;

/** Invites a new address and returns the token of the emailed link. */
async function invited(): Promise<{ id: string; email: string; token: string }> {
  const email = `${newId()}@example.test`;
  const body = { email, account_type: 2 as const };
  assert.equal((await call(node, saveUser, { as: ours.admin, params: { teamId: ours.id }, body })).status, 200);
  const token = extractMailToken(await node.inbox.next(email));
  return { id: await findInvitation(ours.id, email), email, token };
}

async function findInvitation(teamId: string, email: string): Promise<string> {
  const { id } = await node.db
    .selectFrom('memberships')
    .select('person_id as id')
    .where('team_id', '=', teamId)
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return id;
}

async function accept({ email }: { email: string }): Promise<void> {
  const { id: userId } = await user(node, { email });
  await inTransaction(node.db, (trx) => acceptInvitation(trx, node.deps, { teamId: ours.id, userId, email }));
}

const works = async (token: string) => (await findLink(node.db, 'invite', token)) !== undefined;

/** Waits until the queued email is recorded as sent, which happens shortly after it arrives. */
async function sent(userId: string): Promise<void> {
  for (let state = ''; state !== 'sent'; ) state = (await read(userId)).body.mail ?? '';
}

describe('an invitation', () => {
  test('has the time of its email and the expiry of its newest link', async () => {
    const { id } = await invited();
    await sent(id);
    const { body } = await read(id);
    assert.deepEqual([body.mail, body.error], ['sent', '']);
    assert.ok(isOfThisRun(body.sent_at ?? 0), JSON.stringify(body));
    assert.ok(isOfThisRun((body.expires_at ?? 0) - 48 * 3_600_000), JSON.stringify(body));
  });

  test('that was never emailed has no times', async () => {
    const who = await user(node, { team: ours.id, pending: true });
    assert.deepEqual((await read(who.id)).body, { sent_at: null, expires_at: null, mail: null, error: '' });
  });

  test('is emailed again with a new link, and the older one keeps working', async () => {
    const { id, email, token } = await invited();
    assert.deepEqual((await resend(id)).body, { status_code: 200 });
    const again = extractMailToken(await node.inbox.next(email));
    assert.notEqual(again, token);
    assert.deepEqual([await works(token), await works(again)], [true, true]);
    assert.deepEqual((await auditRows(node, 'users.invitation_resent')).at(-1), {
      team_id: ours.id,
      actor_id: ours.admin.id,
      target: id,
      details: {},
    });
  });

  test('is canceled: the invitation and its links are removed, and the address can be invited again', async () => {
    const { id, email, token } = await invited();
    assert.deepEqual((await cancel(id)).body, { status_code: 200 });
    assert.equal(await works(token), false);
    assert.equal((await cancel(id)).status, 404);
    assert.deepEqual((await auditRows(node, 'users.invitation_cancelled')).at(-1), {
      team_id: ours.id,
      actor_id: ours.admin.id,
      target: id,
      details: {},
    });
    const query = { search: email };
    const list = await call(node, listUsers, { as: ours.admin, params: { teamId: ours.id }, query });
    assert.deepEqual(list.body.records, []);
    const body = { email, account_type: 1 as const };
    assert.equal((await call(node, saveUser, { as: ours.admin, params: { teamId: ours.id }, body })).status, 200);
    await node.inbox.next(email);
  });

  test('canceled by one team stays valid in another that invited the same person', async () => {
    const { id, email, token } = await invited();
    const other = await createTeamWithMembers(node);
    const body = { email, account_type: 2 as const };
    await call(node, saveUser, { as: other.owner, params: { teamId: other.id }, body });
    const theirs = extractMailToken(await node.inbox.next(email));
    const theirId = await findInvitation(other.id, email);
    assert.notEqual(theirId, id, 'each team has an id of its own');
    await sql`update links set expires_at = now() - interval '1 day' where team_id = ${ours.id}`.execute(node.db);
    assert.ok(((await read(id)).body.expires_at ?? 0) < Date.now(), 'an expired invitation has the time it expired');
    await cancel(id);
    assert.deepEqual([await works(token), await works(theirs)], [false, true]);
    const theirSide = { as: other.owner, params: { teamId: other.id, userId: theirId } };
    assert.equal((await call(node, getInvitation, theirSide)).status, 200);
  });
});

describe('refusals', () => {
  test('users with an account, Zendesk users and deactivated ones are refused, each with its reason, without any change', async () => {
    const gone = await user(node, { team: ours.id, deactivated: true });
    const before = await snapshotTables(node);
    for (const [userId, id] of [
      [ours.member.id, 'users.not_pending'],
      [ours.owner.id, 'users.not_pending'],
      [ours.zendesk.id, 'users.zendesk_has_no_actions'],
      [gone.id, 'users.not_pending'],
    ] as const) {
      for (const ask of [read, resend, cancel]) assert.equal((await ask(userId)).body.id, id);
    }
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('a pending invitee of another team gets the same response as an unknown one', async () => {
    const theirs = await user(node, { team: await team(node), pending: true });
    for (const ask of [read, resend, cancel]) {
      assert.deepEqual(toComparable(await ask(theirs.id)), toComparable(await ask(newId())));
      assert.equal((await ask(theirs.id)).status, 404);
    }
  });
});

describe('invitations that were not delivered', () => {
  beforeEach(async () => {
    ours = await createTeamWithMembers(node);
  });

  const note = (userId: string, state: string, age = '0') =>
    sql`insert into mails (id, team_id, person_id, kind, recipient, state, error, created_at, ended_at)
      values (${newId()}, ${ours.id}, ${userId}, 'users.invitation', 'x', ${state}, '550 no such mailbox',
        now() - ${age}::interval, now() - ${age}::interval)`.execute(node.db);

  test('are listed with the response of the mail server, until one is sent, accepted or canceled', async () => {
    const users = [];
    for (let n = 0; n < 4; n += 1) users.push(await user(node, { team: ours.id, pending: true }));
    const [stays, resent, accepted, cancelled] = users as [(typeof users)[0], ...typeof users];
    for (const { id } of users) await note(id, 'failed', '1 minute');
    assert.equal((await failed()).length, 4);
    await note(resent?.id ?? '', 'waiting');
    await accept({ email: accepted?.email ?? '' });
    await cancel(cancelled?.id ?? '');
    const records = await failed();
    assert.partialDeepStrictEqual(records, [{ user_id: stays.id, email: stays.email, error: '550 no such mailbox' }]);
    assert.equal(records.length, 1);
    const undelivered = { mail: 'failed', error: '550 no such mailbox' };
    assert.partialDeepStrictEqual((await read(stays.id)).body, undelivered);
  });

  test('are listed only for their own team', async () => {
    const who = await user(node, { team: ours.id, pending: true });
    const other = await createTeamWithMembers(node);
    await invite(node, { teamId: other.id, email: who.email });
    await note(who.id, 'failed');
    const theirs = await call(node, listFailedInvitations, { as: other.owner, params: { teamId: other.id } });
    assert.deepEqual(theirs.body.records, []);
    assert.ok((await failed()).some((one: FailedInvitation) => one.user_id === who.id));
  });
});

test('canceling and accepting an invitation at the same time has one complete result', async () => {
  for (let nth = 0; nth < 5; nth += 1) {
    const { id, email } = await invited();
    const { id: userId } = await user(node, { email });
    const accepting = inTransaction(node.db, (trx) =>
      acceptInvitation(trx, node.deps, { teamId: ours.id, userId, email }),
    );
    const [reply, accepted] = await Promise.all([cancel(id), accepting]);
    assert.equal(reply.status === 200, accepted === undefined);
    const rows = await node.db
      .selectFrom('memberships')
      .select('person_id')
      .where('team_id', '=', ours.id)
      .where('person_id', 'in', [id, userId])
      .execute();
    assert.deepEqual(rows, accepted === undefined ? [] : [{ person_id: userId }]);
  }
});

describe('the limits of invitation emails', () => {
  const mails = async (email: string) =>
    (await node.db.selectFrom('mails').select('id').where('recipient', '=', email).execute()).length;
  const listed = async (teamId: string, as: TestTeam['owner'], search: string) =>
    (await call(node, listUsers, { as, params: { teamId }, query: { search } })).body.records[0];
  const add = (teamId: string, as: TestTeam['owner'], email: string) =>
    call(node, saveUser, { as, params: { teamId }, body: { email, account_type: 2 as const } });

  test('three go to one address in a day, from all teams, by any call, and the answers stay the same', async () => {
    const email = `${newId()}@example.test`;
    const other = await createTeamWithMembers(node);
    const first = await add(ours.id, ours.owner, email);
    for (let nth = 0; nth < 2; nth += 1) {
      await cancel(await findInvitation(ours.id, email));
      assert.deepEqual(toComparable(await add(ours.id, ours.owner, email)), toComparable(first));
    }
    assert.equal(await mails(email), 3);
    const id = await findInvitation(ours.id, email);
    assert.equal((await listed(ours.id, ours.owner, email)).invitation, null);
    assert.deepEqual((await resend(id)).body, { status_code: 200 });
    assert.deepEqual(toComparable(await add(other.id, other.owner, email)), toComparable(first));
    assert.equal(await mails(email), 3);
    for (const [teamId, as] of [
      [ours.id, ours.owner],
      [other.id, other.owner],
    ] as const)
      assert.equal((await listed(teamId, as, email)).invitation, 'limited');
    const { rows } = await sql`select 1 from invitation_counts where key like ${`%${email}%`}`.execute(node.db);
    assert.deepEqual(rows, [], 'the address is not stored');
    await sql`update invitation_counts set since = since - interval '25 hours'`.execute(node.db);
    assert.equal((await resend(id)).status, 200);
    assert.equal(await mails(email), 4);
    assert.equal((await listed(ours.id, ours.owner, email)).invitation, null);
  });

  test('concurrent requests send no more', async () => {
    const { id, email } = await invited();
    const replies = await Promise.all(Array.from({ length: 8 }, () => resend(id)));
    for (const reply of replies) assert.equal(reply.status, 200);
    assert.equal(await mails(email), 3);
  });

  test('a team sends 200 a day in its first week, and 2,000 later', async () => {
    const fresh = await createTeamWithMembers(node);
    const setSent = (sent: number) =>
      sql`insert into invitation_counts values (${`team:${fresh.id}`}, now(), ${sent})
        on conflict (key) do update set sent = ${sent}`.execute(node.db);
    const isSent = async () => {
      const email = `${newId()}@example.test`;
      assert.equal((await add(fresh.id, fresh.owner, email)).status, 200);
      return (await mails(email)) === 1;
    };
    await setSent(199);
    assert.deepEqual([await isSent(), await isSent()], [true, false]);
    const eightDays = 8 * 24 * 3_600_000;
    await node.db
      .updateTable('teams')
      .set({ create_at: Date.now() - eightDays })
      .where('id', '=', fresh.id)
      .execute();
    assert.equal(await isSent(), true);
    await setSent(1_999);
    assert.deepEqual([await isSent(), await isSent()], [true, false]);
  });
});
