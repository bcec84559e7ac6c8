import assert from 'node:assert/strict';
import { saveTeamSettings } from '@steward/contract/team';
import { saveUser } from '@steward/contract/users';
import { deactivateUser, reactivateUser, setOwner } from '@steward/contract/users/lifecycle';
import { saveUsers } from '@steward/contract/users/multi';
import { getUser } from '@steward/contract/users/panel';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { setEnd } from '#testing/workspace/ends.ts';
import { createTeamWithMembers, type TestTeam, user } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { acceptInvitation } from '#workspace/access/memberships/invitations.actions.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 6, work: false });
});

beforeEach(async () => {
  ours = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const DAY_MS = 86_400_000;
/** In UTC, which is the zone of new teams here. */
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const NEXT_YEAR = new Date().getUTCFullYear() + 1;
const LEAP_YEAR = NEXT_YEAR + 3 - ((NEXT_YEAR + 3) % 4);

const save = (email: string, form: object, as = ours.admin) =>
  call(node, saveUser, { as, params: { teamId: ours.id }, body: { email, account_type: 2, ...form } });
const saveMany = (body: object[], query: Record<string, string> = {}) =>
  call(node, saveUsers, { as: ours.admin, params: { teamId: ours.id }, query, body });
const setZone = (time_zone: string) =>
  call(node, saveTeamSettings, { as: ours.owner, params: { teamId: ours.id }, body: { time_zone } });
const reactivate = (userId: string, body?: object, as = ours.admin) =>
  call(node, reactivateUser, { as, params: { teamId: ours.id, userId }, ...(body && { body }) });
const read = async (userId: string) =>
  (await call(node, getUser, { as: ours.owner, params: { teamId: ours.id, userId } })).body;
const lastRow = async (action: Parameters<typeof auditRows>[1]) => (await auditRows(node, action)).at(-1);

async function readEnd(email: string): Promise<{ id: string; ends_on: string | null; ends_at: string | null }> {
  const { rows } = await sql<{ id: string; ends_on: string | null; ends_at: Date | null }>`
    select m.person_id as id, m.ends_on::text as ends_on, m.ends_at from memberships m
    left join people p on p.id = m.person_id and m.email is null
    where m.team_id = ${ours.id} and coalesce(m.email, p.email) = ${email}`.execute(node.db);
  const [row] = rows;
  assert.ok(row);
  return { ...row, ends_at: row.ends_at?.toISOString() ?? null };
}

describe('an end date', () => {
  test('is set, moved and removed with an edit, each time with the old and the new date in the audit log', async () => {
    const ada = await user(node, { team: ours.id });
    const steps: [string | null, string | null][] = [
      [null, inDays(20)],
      [inDays(20), inDays(40)],
      [inDays(40), null],
    ];
    for (const [before, after] of steps) {
      assert.equal((await save(ada.email, { ends_on: after })).status, 200);
      assert.equal((await read(ada.id)).ends_on, after);
      assert.partialDeepStrictEqual(await lastRow('users.edited'), {
        target: ada.id,
        actor_id: ours.admin.id,
        details: {
          before: { roles: ['team_user'], ends_on: before },
          after: { roles: ['team_user'], ends_on: after },
        },
      });
    }
  });

  test('stays as it is in an edit without one, and an equal one changes nothing', async () => {
    const ada = await user(node, { team: ours.id });
    await save(ada.email, { ends_on: inDays(20) });
    const rows = (await auditRows(node, 'users.edited')).length;
    await save(ada.email, { ends_on: inDays(20) });
    assert.equal((await auditRows(node, 'users.edited')).length, rows);
    await save(ada.email, { first_name: 'Ada' });
    assert.equal((await read(ada.id)).ends_on, inDays(20));
    assert.deepEqual((await lastRow('users.edited'))?.details, {
      renamed: true,
      before: { roles: ['team_user'] },
      after: { roles: ['team_user'] },
    });
  });

  test('belongs to an invitation, and stays when it is accepted', async () => {
    const email = `${newId()}@example.test`;
    assert.equal((await save(email, { ends_on: inDays(20) })).status, 200);
    assert.deepEqual((await lastRow('users.invited'))?.details, { account_type: 2, ends_on: inDays(20) });
    const account = await user(node, { team: null, email });
    await inTransaction(node.db, (trx) =>
      acceptInvitation(trx, node.deps, { teamId: ours.id, userId: account.id, email }),
    );
    assert.deepEqual(await readEnd(email), {
      id: account.id,
      ends_on: inDays(20),
      ends_at: `${inDays(21)}T00:00:00.000Z`,
    });
  });

  test('can be today, and neither yesterday, nor in eleven years, nor a day that no calendar has', async () => {
    const ada = await user(node, { team: ours.id });
    const before = await snapshotTables(node);
    for (const [ends_on, id] of [
      [inDays(-1), 'users.end_out_of_range'],
      ['0001-01-01', 'users.end_out_of_range'],
      [inDays(11 * 366), 'users.end_out_of_range'],
      ['9999-12-31', 'users.end_out_of_range'],
      [`${NEXT_YEAR}-02-30`, 'request.invalid'],
      [`${LEAP_YEAR + 1}-02-29`, 'request.invalid'],
      ['tomorrow', 'request.invalid'],
      ['', 'request.invalid'],
      [20270331, 'request.invalid'],
      ['+012027-01-01', 'request.invalid'],
    ]) {
      const edited = await save(ada.email, { ends_on });
      assert.deepEqual([edited.status, edited.body.id], [400, id], String(ends_on));
      const invited = await save('new@example.test', { ends_on });
      assert.deepEqual([invited.status, invited.body.id], [400, id], String(ends_on));
    }
    assert.deepEqual(await snapshotTables(node), before);
    assert.equal((await save(ada.email, { ends_on: inDays(0) })).status, 200);
    assert.equal((await save(ada.email, { ends_on: `${LEAP_YEAR}-02-29` })).status, 200);
  });

  test('is refused for owners, and a user with one can’t become an owner', async () => {
    const before = await snapshotTables(node);
    const reply = await save(ours.owner.email, { account_type: 1, ends_on: inDays(20) });
    assert.deepEqual([reply.status, reply.body.id], [409, 'users.owner_is_locked']);
    assert.deepEqual(await snapshotTables(node), before);
    await save(ours.member.email, { ends_on: inDays(20) });
    const promote = () =>
      call(node, setOwner, {
        as: ours.owner,
        params: { teamId: ours.id, userId: ours.member.id },
        body: { owner: true },
      });
    assert.deepEqual([(await promote()).status, (await promote()).body.id], [409, 'users.owner_has_no_end']);
    await save(ours.member.email, { ends_on: null });
    assert.equal((await promote()).status, 200);
    const forced = setEnd(node, { teamId: ours.id, userId: ours.member.id });
    await assert.rejects(forced, /memberships_owners_stay/, 'the database refuses it too');
  });
});

describe('the instant of the end', () => {
  test('is midnight in the team’s time zone, and moves with the zone', async () => {
    const ada = await user(node, { team: ours.id });
    const ends_on = `${NEXT_YEAR}-07-01`;
    await save(ada.email, { ends_on });
    assert.equal((await readEnd(ada.email)).ends_at, `${NEXT_YEAR}-07-02T00:00:00.000Z`);
    for (const [zone, ends_at] of [
      ['America/New_York', `${NEXT_YEAR}-07-02T04:00:00.000Z`],
      ['Pacific/Kiritimati', `${NEXT_YEAR}-07-01T10:00:00.000Z`],
    ] as const) {
      assert.equal((await setZone(zone)).status, 200);
      assert.deepEqual(await readEnd(ada.email), { id: ada.id, ends_on, ends_at });
    }
  });

  test('counts today by the zone of the team', async () => {
    // Noon in Kiritimati is still yesterday in Niue, 25 hours earlier.
    await setZone('Pacific/Kiritimati');
    const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
    const yesterday = new Date(Date.now() - 10 * 3_600_000).toISOString().slice(0, 10);
    assert.equal((await save(ours.member.email, { ends_on: yesterday })).body.id, 'users.end_out_of_range');
    assert.equal((await save(ours.member.email, { ends_on: today })).status, 200);
  });
});

describe('an import with end dates', () => {
  test('invites and changes users, keeps the date of an empty cell, and lists wrong dates', async () => {
    const [ada, bob] = [await user(node, { team: ours.id }), await user(node, { team: ours.id })];
    await save(bob.email, { ends_on: inDays(30) });
    const email = `${newId()}@example.test`;
    const rows = [
      { email, ends_on: inDays(10) },
      { email: ada.email, ends_on: inDays(10) },
      { email: bob.email, ends_on: '' },
      { email: ours.admin.email, ends_on: inDays(10) },
      { email: ours.owner.email, ends_on: inDays(10) },
      { email: ours.member.email, ends_on: inDays(-1) },
      { email: 'new@example.test', ends_on: '31.03.2027' },
    ];
    const { body } = await saveMany(rows);
    assert.partialDeepStrictEqual(body, { invited: 1, changed: 1, unchanged: 1 });
    assert.deepEqual(
      body.errors.map(({ row, error }: { row: number; error: string }) => [row, error]),
      [
        [3, "You can't change your own account here."],
        [4, "A team owner can't be changed here."],
        [5, 'The end date must be today or later, and at most ten years from now.'],
        [6, 'End Date must be a date such as 2027-03-31.'],
      ],
    );
    const ends = await Promise.all([email, ada.email, bob.email].map(readEnd));
    assert.deepEqual(
      ends.map(({ ends_on }) => ends_on),
      [inDays(10), inDays(10), inDays(30)],
    );
    assert.deepEqual((await lastRow('users.added_many'))?.details, {
      invited_users: [ends[0]?.id],
      made_admins: [],
      made_users: [],
      renamed_users: [],
      end_dates: [{ user_ids: [ends[0]?.id, ada.id], before: { ends_on: null }, after: { ends_on: inDays(10) } }],
    });
  });

  test('shows the stored date in its preview', async () => {
    await save(ours.member.email, { ends_on: inDays(30) });
    const { body } = await saveMany([{ email: ours.member.email, ends_on: inDays(40) }], { preview: '1' });
    assert.deepEqual(body.preview.outcomes, ['changed']);
    assert.equal(body.preview.before[0].ends_on, inDays(30));
  });
});

describe('reactivating', () => {
  const deactivated = async (days: number | undefined) => {
    const ada = await user(node, { team: ours.id });
    if (days !== undefined) await save(ada.email, { ends_on: inDays(days) });
    await call(node, deactivateUser, { as: ours.admin, params: { teamId: ours.id, userId: ada.id } });
    return ada;
  };

  test('removes a date that has passed, keeps a later one, and sets or removes it when asked to', async () => {
    for (const [stored, body, expected] of [
      [undefined, undefined, null],
      [20, undefined, inDays(20)],
      [20, { ends_on: null }, null],
      [20, { ends_on: inDays(30) }, inDays(30)],
      [20, {}, inDays(20)],
    ] as const) {
      const ada = await deactivated(stored);
      assert.equal((await reactivate(ada.id, body)).status, 200);
      assert.equal((await readEnd(ada.email)).ends_on, expected);
    }
    const ada = await deactivated(20);
    await setEnd(node, { teamId: ours.id, userId: ada.id });
    assert.equal((await reactivate(ada.id)).status, 200);
    assert.partialDeepStrictEqual(await read(ada.id), { state: 'active', ends_on: null });
    assert.deepEqual((await lastRow('users.reactivated'))?.details, {
      before: { ends_on: inDays(-1) },
      after: { ends_on: null },
    });
  });

  test('ends sessions and tokens that the job has not ended yet', async () => {
    await setEnd(node, { teamId: ours.id, userId: ours.member.id });
    assert.equal((await reactivate(ours.member.id, { ends_on: inDays(9) })).status, 200);
    assert.partialDeepStrictEqual(await read(ours.member.id), { state: 'active', ends_on: inDays(9), sessions: 0 });
  });

  test('refuses a date in the past, and any date for an owner', async () => {
    const [ada, owner] = [await deactivated(20), await user(node, { team: ours.id, kind: 'owner', deactivated: true })];
    const past = await reactivate(ada.id, { ends_on: inDays(-1) });
    assert.deepEqual([past.status, past.body.id], [400, 'users.end_out_of_range']);
    const refused = await reactivate(owner.id, { ends_on: inDays(9) }, ours.owner);
    assert.deepEqual([refused.status, refused.body.id], [409, 'users.owner_has_no_end']);
    assert.equal((await read(ada.id)).state, 'deactivated');
    assert.equal((await read(owner.id)).state, 'deactivated');
  });
});
