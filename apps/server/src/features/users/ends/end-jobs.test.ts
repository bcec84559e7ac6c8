import assert from 'node:assert/strict';
import { savePreferences } from '@steward/contract/account/preferences';
import { saveUser } from '@steward/contract/users';
import { reactivateUser } from '@steward/contract/users/lifecycle';
import { getUser } from '@steward/contract/users/panel';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel, complianceAccess, serviceToken } from '#testing/workspace/content.ts';
import { setEnd, setNow } from '#testing/workspace/ends.ts';
import { addMembers, createTeamWithMembers, signedIn, type TestTeam, user } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { endDueMemberships } from './end-memberships.job.ts';
import { sendEndNotices } from './end-notices.job.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 1, work: false });
});

beforeEach(async () => {
  await sql`delete from mails`.execute(node.db);
  // The job ends memberships of all teams, also those that an earlier test has left.
  await sql`update memberships set ends_on = null, ends_at = null`.execute(node.db);
  ours = await createTeamWithMembers(node, 'Acme');
  await setNow(node, Date.parse('2027-03-10T12:00:00Z'));
});

afterAll(() => node[Symbol.asyncDispose]());

const at = (moment: string) => setNow(node, Date.parse(moment));
async function setDate(email: string, ends_on: string | null, account_type = 2): Promise<void> {
  const body = { email, account_type, ends_on };
  const { status, text } = await call(node, saveUser, { as: ours.admin, params: { teamId: ours.id }, body });
  assert.equal(status, 200, text);
}
const read = async (userId: string) =>
  (await call(node, getUser, { as: ours.owner, params: { teamId: ours.id, userId } })).body;
const endedRows = async () => (await auditRows(node, 'users.ended')).filter(({ team_id }) => team_id === ours.id);
async function mails(kind: string): Promise<string[]> {
  const query = node.db.selectFrom('mails').select('recipient').where('team_id', '=', ours.id).where('kind', '=', kind);
  return (await query.execute()).map(({ recipient }) => recipient).sort();
}

describe('the job that ends memberships', () => {
  test('does what deactivating does, once, and says so in the audit log', async () => {
    const ada = await signedIn(node, { team: ours.id, kind: 'admin' });
    await serviceToken(node, ours.id, { createdBy: ada.id });
    const closed = await channel(node, ours.id, { type: 'P', members: [] });
    await complianceAccess(node, ours.id, { channelId: closed.id, userId: ada.id, grantedBy: ours.owner.id });
    await setDate(ada.email, '2027-03-20', 1);
    await at('2027-03-20T23:59:59Z');
    const before = await snapshotTables(node);
    await endDueMemberships(node.deps);
    assert.deepEqual(await snapshotTables(node), before, 'not a second too early');
    await at('2027-03-21T00:00:00Z');
    for (const _ of ['once', 'and again']) await endDueMemberships(node.deps);
    assert.partialDeepStrictEqual(await read(ada.id), { state: 'deactivated', ends_on: '2027-03-20', tokens: 0 });
    const [row, ...others] = await endedRows();
    assert.deepEqual(others, []);
    assert.partialDeepStrictEqual(row, {
      actor_id: null,
      target: ada.id,
      details: { ends_on: '2027-03-20', sessions: 1, links: 0, tokens: 1 },
    });
    const left = await sql`select 1 from sessions where person_id = ${ada.id} union all
      select 1 from compliance_access where person_id = ${ada.id}`.execute(node.db);
    assert.deepEqual(left.rows, []);
  });

  test('cancels invitations', async () => {
    const email = `${newId()}@example.test`;
    const invited = await user(node, { team: ours.id, email, pending: true });
    await setDate(email, '2027-03-20');
    await at('2027-03-21T00:00:00Z');
    await endDueMemberships(node.deps);
    assert.deepEqual((await sql`select 1 from memberships where email = ${email}`.execute(node.db)).rows, []);
    assert.partialDeepStrictEqual((await auditRows(node, 'users.invitation_cancelled')).at(-1), {
      actor_id: null,
      target: invited.id,
    });
  });

  test('ends many, batch by batch, and goes on after a crash between two of them', async () => {
    await addMembers(node, ours.id, 101);
    await sql`update memberships m set ends_on = now()::date - 1, ends_at = now() from people p
      where m.team_id = ${ours.id} and p.id = m.person_id and p.first_name = 'Person'`.execute(node.db);
    let batches = 0;
    const jobs = {
      ...node.deps.jobs,
      isStopping: () => {
        batches += 1;
        if (batches === 2) throw new Error('killed');
        return false;
      },
    };
    await endDueMemberships({ ...node.deps, jobs });
    assert.equal((await endedRows()).length, 50);
    await endDueMemberships(node.deps);
    const targets = (await endedRows()).map(({ target }) => target);
    assert.deepEqual([targets.length, new Set(targets).size], [101, 101]);
  });

  test('leaves those alone whose date was moved or removed before, or who were reactivated', async () => {
    const [ada, bob, eve] = [
      await user(node, { team: ours.id }),
      await user(node, { team: ours.id }),
      await user(node, { team: ours.id }),
    ];
    for (const { email } of [ada, bob, eve]) await setDate(email, '2027-03-20');
    await setDate(ada.email, '2027-04-20');
    await setDate(bob.email, null);
    await at('2027-03-21T00:00:00Z');
    const params = { teamId: ours.id, userId: eve.id };
    await call(node, reactivateUser, { as: ours.admin, params, body: { ends_on: '2027-05-20' } });
    await endDueMemberships(node.deps);
    assert.deepEqual(await endedRows(), []);
    for (const { id } of [ada, bob, eve]) assert.equal((await read(id)).state, 'active');
  });
});

describe('emails about an end date', () => {
  test('go to the member 14 and 3 days before and on the day, from eight in the morning, each once', async () => {
    const { email } = ours.member;
    await setDate(email, '2027-04-30');
    for (const [moment, sent] of [
      ['2027-04-16T07:59:00Z', 0],
      ['2027-04-16T08:00:00Z', 1],
      ['2027-04-26T23:00:00Z', 1],
      ['2027-04-27T08:00:00Z', 2],
      ['2027-04-30T07:00:00Z', 2],
      ['2027-04-30T08:00:00Z', 3],
      ['2027-04-30T23:59:00Z', 3],
      ['2027-05-01T08:00:00Z', 3],
    ] as const) {
      await at(moment);
      for (const _ of ['once', 'and again']) await sendEndNotices(node.deps);
      assert.equal((await mails('users.ending')).length, sent, moment);
    }
    assert.deepEqual(new Set(await mails('users.ending')), new Set([email]));
  });

  test('begin anew when the date moves, and the newest stands for those that are late', async () => {
    const { email } = ours.member;
    await setDate(email, '2027-03-24');
    await sendEndNotices(node.deps);
    assert.equal((await mails('users.ending')).length, 1);
    await setDate(email, '2027-03-23');
    await sendEndNotices(node.deps);
    assert.equal((await mails('users.ending')).length, 2, 'another date');
    await setDate(email, '2027-03-12');
    for (const _ of ['once', 'and again']) await sendEndNotices(node.deps);
    assert.equal((await mails('users.ending')).length, 3, 'the one of 3 days before stands for both');
    await setDate(email, null);
    await at('2027-03-12T12:00:00Z');
    await sendEndNotices(node.deps);
    assert.equal((await mails('users.ending')).length, 3, 'without a date');
  });

  test('go to nobody who was invited only, was deactivated or stays for longer', async () => {
    const deactivated = await user(node, { team: ours.id, deactivated: true });
    for (const userId of [ours.pending.id, deactivated.id, ours.zendesk.id])
      await setEnd(node, { teamId: ours.id, userId }, 3);
    await setEnd(node, { teamId: ours.id, userId: ours.member.id }, 15);
    await sendEndNotices(node.deps);
    assert.deepEqual(await mails('users.ending'), []);
  });
});

describe('the weekly list', () => {
  const want = (leaving: boolean, as = ours.admin) =>
    call(node, savePreferences, { as, body: { emails: { leaving } } });

  test('goes on Mondays to admins who asked for it, once', async () => {
    await want(true);
    await setDate(ours.member.email, '2027-03-28');
    for (const [moment, sent] of [
      ['2027-03-14T12:00:00Z', 0],
      ['2027-03-15T07:59:00Z', 0],
      ['2027-03-15T08:00:00Z', 1],
      ['2027-03-15T20:00:00Z', 1],
      ['2027-03-17T12:00:00Z', 1],
      ['2027-03-22T09:00:00Z', 2],
      ['2027-03-29T09:00:00Z', 2],
    ] as const) {
      await at(moment);
      for (const _ of ['once', 'and again']) await sendEndNotices(node.deps);
      assert.deepEqual(await mails('notices.leaving'), Array(sent).fill(ours.admin.email), moment);
    }
  });

  test('goes to nobody else, and not to those who switched it off again', async () => {
    await want(true);
    await want(true, ours.member);
    await want(true, ours.owner);
    await want(false, ours.owner);
    await setDate(ours.member.email, '2027-03-20');
    await at('2027-03-15T09:00:00Z');
    await sendEndNotices(node.deps);
    assert.deepEqual(await mails('notices.leaving'), [ours.admin.email]);
  });
});
