import assert from 'node:assert/strict';
import { HOLD_USERS_MAX, HOLDS_MAX } from '@steward/contract/api/limits';
import { getRetentionStored, previewRetention } from '@steward/contract/retention';
import { addHold, type Hold, listHolds, releaseHold, saveHold } from '@steward/contract/retention/holds';
import { removeUser } from '@steward/contract/users/lifecycle';
import { eraseUser } from '@steward/contract/users/privacy';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel, file, findGeneralChannel, message, type TestChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam, user } from '#testing/workspace/factories.ts';
import { legalHold } from '#testing/workspace/holds.ts';
import { getIds, runNow, setRule } from '#testing/workspace/retention.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let team: TestTeam;
let general: TestChannel;

beforeAll(async () => {
  node = await startApp({ pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  team = await createTeamWithMembers(node);
  general = await findGeneralChannel(node, team.id);
});

const WORDS = { name: 'Dispute', reason: 'Case 12' };
const YEAR = { value: 1, duration: { count: 1, period: 'y' } } as const;
const admin = () => ({ as: team.admin, params: { teamId: team.id } });
const create = (scope: object, as = team.admin) =>
  call(node, addHold, { ...admin(), as, body: { ...WORDS, user_ids: [team.member.id], ...scope } });
const save = (holdId: string, body: object) =>
  call(node, saveHold, { as: team.admin, params: { teamId: team.id, holdId }, body });
const release = (holdId: string, as = team.owner) =>
  call(node, releaseHold, { as, params: { teamId: team.id, holdId }, body: { reason: 'Settled' } });
const list = async (): Promise<Hold[]> => (await call(node, listHolds, admin())).body.records;
const first = async () => (await list())[0] ?? assert.fail('no hold');
/** Moves the release back by this time. */
const passHours = (hours: number) =>
  sql`update holds set release_at = release_at - make_interval(hours => ${hours}) where team_id = ${team.id}`.execute(
    node.db,
  );

describe('a hold', () => {
  test('keeps what it covers from previews, the overview and runs, and tells how much', async () => {
    await setRule(node, team.id, 'public_channels', YEAR);
    const kept = await message(node, team.id, { channel: general, userId: team.member.id, text: 'Keep' });
    await message(node, team.id, { channel: general, userId: team.admin.id, text: 'Go' });
    const { status, body } = await create({});
    assert.equal(status, 200, JSON.stringify(body));
    const expired = { count: 1, held: { count: 1, bytes: 4 } };
    const rule = { public_channels: YEAR, private_channels: { value: 0 }, direct_messages: { value: 0 } };
    const preview = await call(node, previewRetention, { ...admin(), body: rule });
    const { count, held } = preview.body.public_channels;
    assert.deepEqual({ count, held }, expired);
    const stored = await call(node, getRetentionStored, { ...admin(), query: { kinds: 'public_channels' } });
    assert.deepEqual([stored.body.records[0].overdue, stored.body.records[0].held], [1, expired.held]);
    const [run] = await runNow(node, team.id);
    assert.deepEqual([run?.deleted, run?.held, run?.state], [1, 1, 'finished']);
    assert.deepEqual([...(await getIds(node, team.id))], [kept]);
    assert.deepEqual((await first()).held, { count: 1, bytes: 4 });
  });

  test('needs a name and a reason, and users and channels of the team', async () => {
    const other = await createTeamWithMembers(node);
    const foreign = await channel(node, other.id);
    for (const body of [
      { name: '' },
      { name: ' ' },
      { reason: undefined },
      { user_ids: [newId()] },
      { user_ids: [other.member.id] },
      { user_ids: [team.member.id, team.member.id] },
      { user_ids: [team.member.id, 'x'] },
      { channel_ids: [foreign.id] },
      { channel_ids: [newId()] },
      { settings: ['everything'] },
      { from: 2, to: 2 },
      { from: -1 },
      { from: 1.5 },
      { name: 'x'.repeat(501) },
    ]) {
      const reply = await create(body);
      assert.equal(reply.status, 400, JSON.stringify(body));
    }
    assert.deepEqual(await list(), []);
  });

  test('over the whole team has to be confirmed with its name', async () => {
    const whole = { user_ids: [], from: 5 };
    for (const confirm of [undefined, '', 'another team']) {
      const reply = await create({ ...whole, confirm });
      assert.equal(reply.body.id, 'holds.confirm');
    }
    const { rows } = await sql<{ name: string }>`select display_name as name from teams where id = ${team.id}`.execute(
      node.db,
    );
    assert.equal((await create({ ...whole, confirm: rows[0]?.name })).status, 200);
    assert.equal((await create({ user_ids: [], settings: ['files'] })).status, 200, 'a kind is enough');
  });

  test('that covers no user’s content keeps nothing', async () => {
    await setRule(node, team.id, 'public_channels', YEAR);
    await message(node, team.id, { channel: general, userId: team.member.id });
    const silent = await user(node, { team: team.id });
    assert.equal((await create({ user_ids: [silent.id] })).status, 200);
    // Records are in no channel, so the hold covers none.
    assert.equal((await create({ user_ids: [], channel_ids: [general.id], settings: ['voicemails'] })).status, 200);
    assert.deepEqual(
      (await list()).map(({ held }) => held),
      [
        { count: 0, bytes: 0 },
        { count: 0, bytes: 0 },
      ],
    );
    const [run] = await runNow(node, team.id);
    assert.deepEqual([run?.deleted, run?.held], [1, 0]);
  });

  test('can name a former member and an archived channel', async () => {
    await call(node, removeUser, { as: team.owner, params: { teamId: team.id, userId: team.member.id } });
    const archived = await channel(node, team.id, { deleteAt: 1 });
    const { status, body } = await create({ channel_ids: [archived.id] });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.user_names.length, 1);
    assert.notEqual(body.user_names[0], '');
  });

  test('can name ten thousand users, and no more', async () => {
    const ids = Array.from({ length: HOLD_USERS_MAX }, () => newId());
    await sql`insert into former_members (team_id, person_id, name, email)
      select ${team.id}, u.id, 'Former', u.id || '@example.test' from unnest(${ids}::text[]) as u (id)`.execute(
      node.db,
    );
    const { status, body } = await create({ user_ids: ids });
    assert.equal(status, 200, JSON.stringify(body).slice(0, 200));
    assert.equal(body.user_ids.length, HOLD_USERS_MAX);
    assert.equal((await create({ user_ids: [...ids, team.member.id] })).status, 400);
    const [row] = (await auditRows(node, 'holds.created')).filter((each) => each.team_id === team.id);
    const details = row?.details as { user_count: number; user_ids: string[] } | undefined;
    assert.deepEqual([details?.user_count, details?.user_ids.length], [HOLD_USERS_MAX, 100]);
  });

  test('is one of a limited number', async () => {
    await sql`insert into holds (team_id, id, name, reason, has_people, has_channels)
      select ${team.id}, lpad(n::text, 26, 'h'), 'Hold', 'Case', false, false from generate_series(1, ${HOLDS_MAX}) n`.execute(
      node.db,
    );
    assert.equal((await create({})).body.id, 'holds.too_many');
  });
});

describe('in direct channels, a hold covers', () => {
  const sent = (place: TestChannel, userId = team.admin.id) =>
    message(node, team.id, { channel: place, userId, text: 'x' });
  const purge = async () => {
    await setRule(node, team.id, 'direct_messages', YEAR);
    await runNow(node, team.id);
    return getIds(node, team.id);
  };

  test('what others wrote to those it names, also after they left', async () => {
    const direct = await channel(node, team.id, { type: 'D', members: [team.member.id, team.admin.id] });
    const other = await channel(node, team.id, { type: 'D', members: [team.admin.id, team.owner.id] });
    const kept = await sent(direct);
    await sent(other);
    assert.equal((await create({})).status, 200);
    await sql`delete from channel_members where team_id = ${team.id} and person_id = ${team.member.id}`.execute(
      node.db,
    );
    assert.deepEqual([...(await purge())], [kept]);
  });

  test('channels that they join later, and files in them', async () => {
    const direct = await channel(node, team.id, { type: 'D', members: [team.admin.id] });
    assert.equal((await create({})).status, 200);
    await sql`insert into channel_members (team_id, channel_id, person_id, create_at)
      values (${team.id}, ${direct.id}, ${team.member.id}, 0)`.execute(node.db);
    const kept = await sent(direct);
    const { id } = await file(node, team.id, { channel: direct, userId: team.admin.id, data: 'x' });
    await setRule(node, team.id, 'files', { ...YEAR, canmark: 0 });
    assert.deepEqual([...(await purge())].sort(), [kept, id].sort());
  });

  test('only members at the time or later, not those who left before', async () => {
    const direct = await channel(node, team.id, { type: 'D', members: [team.admin.id, team.owner.id] });
    await sent(direct);
    assert.equal((await create({})).status, 200);
    assert.equal((await purge()).size, 0);
  });
});

describe('changing a hold', () => {
  test('widens and renames it, and leaves out what is absent', async () => {
    const { id } = (await create({ settings: ['files'], from: 10, to: 20 })).body;
    const colleague = await user(node, { team: team.id });
    const reply = await save(id, { name: 'New name', user_ids: [team.member.id, colleague.id], from: 5, to: null });
    assert.equal(reply.status, 200, reply.text);
    const { name, user_ids, settings, from, to, reason } = await first();
    assert.deepEqual(
      { name, user_ids: [...user_ids].sort(), settings, from, to, reason },
      {
        name: 'New name',
        reason: WORDS.reason,
        settings: ['files'],
        from: 5,
        to: null,
        user_ids: [team.member.id, colleague.id].sort(),
      },
    );
    const [row] = (await auditRows(node, 'holds.saved')).filter((each) => each.team_id === team.id);
    assert.ok(row);
  });

  test('to cover everyone everywhere forgets whom and which channels it named', async () => {
    await channel(node, team.id, { type: 'D', members: [team.member.id, team.admin.id] });
    const { id } = (await create({ channel_ids: [general.id], settings: ['files'] })).body;
    const reply = await save(id, { user_ids: [], channel_ids: [] });
    assert.equal(reply.status, 200, reply.text);
    const { user_ids, channel_ids } = await first();
    assert.deepEqual({ user_ids, channel_ids }, { user_ids: [], channel_ids: [] });
    for (const table of ['hold_people', 'hold_channels', 'hold_direct_channels'] as const) {
      const rows = await node.db.selectFrom(table).select('hold_id').where('hold_id', '=', id).execute();
      assert.deepEqual(rows, [], table);
    }
  });

  test('to cover less is refused', async () => {
    const colleague = await user(node, { team: team.id });
    const { id } = (await create({ settings: ['files', 'voicemails'], from: 10, to: 20 })).body;
    for (const narrower of [
      { user_ids: [colleague.id] },
      { channel_ids: [general.id] },
      { settings: ['files'] },
      { from: 11 },
      { to: 19 },
    ]) {
      const reply = await save(id, narrower);
      assert.equal(reply.body.id, 'holds.narrower', JSON.stringify(narrower));
    }
    assert.equal((await save(id, { from: 30 })).status, 400);
    assert.equal((await save(id, { user_ids: [], settings: [] })).body.id, 'holds.confirm');
  });

  test('that stays the same writes nothing', async () => {
    const { id } = (await create({})).body;
    assert.equal((await save(id, { ...WORDS, user_ids: [team.member.id] })).status, 200);
    assert.deepEqual(
      (await auditRows(node, 'holds.saved')).filter((each) => each.team_id === team.id),
      [],
    );
  });
});

describe('releasing a hold', () => {
  test('takes effect after 24 hours, and the owners get an email', async () => {
    const second = await user(node, { team: team.id, kind: 'owner' });
    await setRule(node, team.id, 'public_channels', YEAR);
    await message(node, team.id, { channel: general, userId: team.member.id });
    const { id } = (await create({})).body;
    const released = await release(id);
    assert.equal(released.status, 200, released.text);
    assert.equal(released.body.released_at, null);
    for (const { email } of [team.owner, second]) {
      const mail = await node.inbox.next(email);
      assert.match(mail.text, /Dispute/);
      assert.match(mail.text, /Settled/);
    }
    await passHours(23);
    const [during] = await runNow(node, team.id);
    assert.deepEqual([during?.deleted, during?.held], [0, 1]);
    await passHours(2);
    const [then] = await runNow(node, team.id);
    assert.deepEqual([then?.deleted, then?.held], [1, 0]);
    const ended = await first();
    assert.ok(ended.released_at !== null && ended.released_at === ended.release_at);
    assert.deepEqual(ended.held, { count: 0, bytes: 0 });
    for (const reply of [await release(id), await save(id, { name: 'Again' })])
      assert.equal(reply.body.id, 'holds.released');
  });

  test('is canceled by saving the hold again', async () => {
    const { id } = (await create({})).body;
    await release(id);
    assert.equal((await save(id, {})).body.release_at, null);
    assert.equal((await first()).release_at, null);
  });

  test('repeated, changes nothing', async () => {
    const { id } = (await create({})).body;
    const { release_at } = (await release(id)).body;
    assert.equal((await release(id)).body.release_at, release_at);
    const rows = (await auditRows(node, 'holds.released')).filter((each) => each.team_id === team.id);
    assert.equal(rows.length, 1);
    const { before, after, ...rest } = (rows[0]?.details ?? {}) as Record<string, Record<string, unknown>>;
    assert.deepEqual([before?.release_at, after?.release_at, rest], [null, release_at, { reason: 'Settled' }]);
  });

  test('is for owners of the team', async () => {
    const { id } = (await create({})).body;
    assert.equal((await release(id, team.admin)).status, 403);
    const other = await createTeamWithMembers(node);
    const reply = await call(node, releaseHold, {
      as: other.owner,
      params: { teamId: other.id, holdId: id },
      body: { reason: 'Theirs' },
    });
    assert.equal(reply.status, 404);
    assert.equal((await first()).release_at, null);
  });
});

test('content that was added by the server for a restore can be released immediately, but can’t be changed', async () => {
  const id = await legalHold(node, { teamId: team.id, user_ids: [team.member.id] });
  await sql`update holds set run_id = ${newId()}, release_at = now() + interval '30 days' where id = ${id}`.execute(
    node.db,
  );
  assert.equal((await save(id, { name: 'Mine' })).body.id, 'holds.automatic');
  const { body } = await release(id);
  assert.notEqual(body.released_at, null);
});

test('a user whose content is held can’t be erased', async () => {
  const gone = await user(node, { team: team.id });
  await call(node, removeUser, { as: team.owner, params: { teamId: team.id, userId: gone.id } });
  const erase = () =>
    call(node, eraseUser, {
      as: team.owner,
      params: { teamId: team.id, userId: gone.id },
      body: { confirm: gone.email },
    });
  const { id } = (await create({ user_ids: [gone.id] })).body;
  assert.equal((await erase()).body.id, 'holds.holds_user');
  await release(id);
  await passHours(25);
  const everything = (await create({ user_ids: [], channel_ids: [general.id] })).body;
  assert.equal((await erase()).body.id, 'holds.holds_user', 'a hold that names no user covers all users');
  await release(everything.id);
  await passHours(25);
  assert.equal((await create({})).status, 200, 'a hold over someone else');
  assert.equal((await erase()).status, 200);
});
