import assert from 'node:assert/strict';
import {
  type DefaultChannel,
  getDefaultChannels,
  previewDefaultChannels,
  saveDefaultChannels,
} from '@steward/contract/channels/defaults';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel, findGeneralChannel, type TestChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam, user } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { updateDefaultChannels } from './default-channels.actions.ts';

let node: TestApp;
let ours: TestTeam;
let general: TestChannel;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  ours = await createTeamWithMembers(node);
  general = await findGeneralChannel(node, ours.id);
});

const createChannel = (displayName: string, options: Parameters<typeof channel>[2] = {}) =>
  channel(node, ours.id, { displayName, ...options });
const stored = async (): Promise<DefaultChannel[]> =>
  (await call(node, getDefaultChannels, { as: ours.admin, params: { teamId: ours.id } })).body.default_channels;
const storedIds = async () => (await stored()).map(({ channel_id }) => channel_id);
const sending = (channels: readonly { id: string }[], rest: object = {}) => ({
  as: ours.admin,
  params: { teamId: ours.id },
  body: { default_channels: channels.map(({ id }) => id), ...rest },
});
const save = (channels: readonly { id: string }[], rest: object = {}) =>
  call(node, saveDefaultChannels, sending(channels, rest));
const preview = (channels: readonly { id: string }[]) => call(node, previewDefaultChannels, sending(channels));
const hide = (of: TestChannel, at = 99) =>
  sql`update channels set delete_at = ${at} where id = ${of.id}`.execute(node.db);
const remove = (of: TestChannel) => sql`delete from channels where id = ${of.id}`.execute(node.db);

describe('the default channels', () => {
  test('are only general until others are chosen, which follow by name without duplicates', async () => {
    const [Zoo, ant] = [await createChannel('Zoo'), await createChannel('ant')];
    const row = (of: TestChannel, channel_name: string, is = false) => ({
      channel_id: of.id,
      channel_name,
      type: 'O',
      state: 'active',
      general: is,
    });
    assert.deepEqual(await stored(), [row(general, 'General', true)]);
    assert.equal((await save([Zoo, general, ant, Zoo, general])).status, 200);
    assert.deepEqual(await stored(), [row(general, 'General', true), row(ant, 'ant'), row(Zoo, 'Zoo')]);
    assert.deepEqual((await save([general])).body, { status_code: 200 });
    assert.deepEqual(await stored(), [row(general, 'General', true)]);
  });

  test('are marked as archived or missing, with the last known name', async () => {
    const [kept, archived, gone] = [
      await createChannel('Kept'),
      await createChannel('Archived'),
      await createChannel('Gone'),
    ];
    await save([general, kept, archived, gone]);
    await hide(archived);
    await sql`update channels set display_name = 'Going' where id = ${gone.id}`.execute(node.db);
    await save([general, kept, archived, gone]);
    await remove(gone);
    await sql`update channels set display_name = 'Archives' where id = ${archived.id}`.execute(node.db);
    assert.deepEqual(
      (await stored()).map(({ channel_name, type, state }) => `${channel_name}: ${type} ${state}`),
      ['General: O active', 'Archives: O archived', 'Going: null missing', 'Kept: O active'],
    );
  });

  test('can keep an archived channel and another member’s private one, but not a missing one', async () => {
    const secret = await createChannel('Secret', { type: 'P', members: [ours.owner.id] });
    const [open, gone] = [await createChannel('Open'), await createChannel('Gone')];
    await call(node, saveDefaultChannels, { ...sending([general, secret, open, gone]), as: ours.owner });
    await hide(open);
    const more = await createChannel('More');
    assert.equal((await save([general, secret, open, gone, more])).status, 200);
    await remove(gone);
    assert.equal((await save([general, secret, open, gone])).body.id, 'channels.not_of_team');
    assert.equal((await save([general, secret, open])).status, 200);
    assert.deepEqual(new Set(await storedIds()), new Set([general.id, secret.id, open.id]));
    await save([general]);
    // A removed channel follows the usual rules again.
    assert.equal((await save([general, open])).body.id, 'channels.not_of_team');
  });

  test('can be private channels that the admin isn’t in, though members join these only later', async () => {
    const [secret, own] = [
      await createChannel('Secret', { type: 'P', members: [ours.owner.id] }),
      await createChannel('Own', { type: 'P', members: [ours.admin.id] }),
    ];
    const { body } = await preview([general, secret, own]);
    assert.deepEqual(
      body.channels.map(({ joining }: { joining: number }) => joining),
      [0, 2],
    );
    assert.equal((await save([general, secret, own], { add_existing: true })).status, 200);
    const join = await node.db
      .selectFrom('channel_joins')
      .select('channel_ids')
      .where('team_id', '=', ours.id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(join.channel_ids, [own.id]);
    assert.deepEqual(new Set(await storedIds()), new Set([general.id, secret.id, own.id]));
  });

  test('are refused without general, without any change', async () => {
    const [first, second] = [await createChannel('First'), await createChannel('Second')];
    await save([general, first]);
    const before = await snapshotTables(node, { except: ['presence'] });
    for (const channels of [[], [second], [first, second], [{ id: newId() }]]) {
      for (const reply of [await save(channels), await preview(channels)])
        assert.deepEqual([reply.status, reply.body.id], [400, 'channels.general_required']);
    }
    assert.deepEqual(await snapshotTables(node, { except: ['presence'] }), before);
  });

  test('accept the name of general in any case', async () => {
    const loud = await createChannel('Loud', { name: 'GENERAL' });
    assert.equal((await save([loud])).status, 200);
    assert.deepEqual(await storedIds(), [general.id, loud.id]);
  });

  test('are refused as a whole, with the same message for every channel that may not be chosen', async () => {
    const twin = await createTeamWithMembers(node);
    const invalid = [
      { id: newId() },
      await findGeneralChannel(node, twin.id),
      await channel(node, twin.id, { members: [ours.admin.id] }),
      await createChannel('Archived', { deleteAt: 1 }),
      await createChannel('Secret', { type: 'P', members: [ours.admin.id], deleteAt: 1 }),
      await createChannel('Conversation', { type: 'D', members: [ours.admin.id, ours.member.id] }),
    ];
    const [first, good] = [await createChannel('First'), await createChannel('Good')];
    await save([general, first]);
    const before = await snapshotTables(node, { except: ['presence'] });
    const reference = toComparable(await save([general, { id: newId() }]));
    assert.deepEqual(
      [reference.status, reference.body],
      [
        400,
        {
          status_code: 400,
          id: 'channels.not_of_team',
          message: "One of these channels can't be used in this team.",
        },
      ],
    );
    for (const one of invalid) {
      assert.deepEqual(
        toComparable(await save([general, good, one], { add_existing: true })),
        reference,
        JSON.stringify(one),
      );
      assert.deepEqual(toComparable(await preview([general, good, one])), reference, JSON.stringify(one));
    }
    assert.deepEqual(await snapshotTables(node, { except: ['presence'] }), before);
  });

  test('are at most 200 ids', async () => {
    for (const body of [
      {},
      { default_channels: 'general' },
      { default_channels: [1] },
      { default_channels: ['general'] },
      { default_channels: [`${general.id} `] },
      { default_channels: Array.from({ length: 201 }, () => general.id) },
      { default_channels: [general.id], add_existing: 1 },
    ]) {
      for (const endpoint of [saveDefaultChannels, previewDefaultChannels]) {
        const reply = await call(node, endpoint, { ...sending([]), body });
        assert.deepEqual([reply.status, reply.body.id], [400, 'request.invalid'], JSON.stringify(body));
      }
    }
    assert.equal((await save(Array.from({ length: 200 }, () => general))).status, 200);
  });

  test('write one audit row with the channels before and after, and none without a change', async () => {
    const [first, second] = [await createChannel('First'), await createChannel('Second')];
    await save([general, first]);
    await save([first, general]);
    await save([general, second, first]);
    await sql`update channels set display_name = 'Renamed' where id = ${first.id}`.execute(node.db);
    await save([general, second, first]);
    await save([general]);
    const lines = (await auditRows(node, 'channels.defaults_saved')).filter(({ team_id }) => team_id === ours.id);
    assert.deepEqual(
      lines.map(({ details }) => details),
      [
        { before: [], after: [first.id] },
        { before: [first.id], after: [first.id, second.id].sort() },
        { before: [first.id, second.id].sort(), after: [] },
      ],
    );
    assert.ok(lines.every(({ actor_id, target }) => actor_id === ours.admin.id && target === ours.id));
  });

  test('saved by two admins concurrently are those of the later save, completely', async () => {
    const [first, second, third] = [
      await createChannel('First'),
      await createChannel('Second'),
      await createChannel('Third'),
    ];
    const wanted = (...channels: TestChannel[]) => [general, ...channels].map(({ id }) => id);
    const earlier = await node.db.startTransaction().execute();
    const whose = { teamId: ours.id, userId: ours.owner.id, addExisting: false };
    await updateDefaultChannels(earlier as never, node.deps, { ...whose, ids: wanted(first, second) });
    const later = save([general, second, third]);
    const waiting = () =>
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like '%for no key update%'`.execute(node.db);
    while ((await waiting()).rows.length === 0);
    await earlier.commit().execute();
    assert.equal((await later).status, 200);
    assert.deepEqual(await storedIds(), wanted(second, third));
    const [line] = (await auditRows(node, 'channels.defaults_saved')).slice(-1);
    assert.deepEqual(line?.details.before, [first.id, second.id].sort());
  });
});

describe('the preview of adding current members', () => {
  test('counts the members who would join, in total and by channel, and changes nothing', async () => {
    const second = await user(node, { team: ours.id });
    await user(node, { team: ours.id, deactivated: true });
    await user(node);
    const members = [ours.owner.id, ours.admin.id, ours.member.id, second.id];
    const full = await createChannel('Full', { members: [...members, ours.zendesk.id] });
    const some = await createChannel('Some', { members: [ours.member.id] });
    const own = await createChannel('Own', { type: 'P', members: [ours.admin.id, ours.member.id] });
    const archived = await createChannel('Archived');
    await save([general, archived]);
    await hide(archived);
    const before = await snapshotTables(node, { except: ['presence'] });
    const { body } = await preview([some, general, full, archived, own, some]);
    assert.deepEqual(body, {
      // The member is in all three channels.
      people: 3,
      of_people: 4,
      channels: [
        { channel_id: some.id, type: 'O', joining: 3 },
        { channel_id: full.id, type: 'O', joining: 0 },
        { channel_id: archived.id, type: 'O', joining: 0 },
        { channel_id: own.id, type: 'P', joining: 2 },
      ],
    });
    assert.deepEqual((await preview([general])).body, { people: 0, of_people: 4, channels: [] });
    assert.deepEqual((await preview([general, archived])).body.people, 0);
    assert.deepEqual((await preview([general, full])).body.people, 0);
    assert.deepEqual(await snapshotTables(node, { except: ['presence'] }), before);
  });
});
