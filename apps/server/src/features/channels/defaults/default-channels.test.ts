import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  type DefaultChannel,
  getDefaultChannels,
  previewDefaultChannels,
  saveDefaultChannels,
} from '@steward/contract/channels/defaults';
import { sql } from 'kysely';
import { newId } from '#platform/database/ids.ts';
import { call, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel, findGeneralChannel, type TestChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, person, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { updateDefaultChannels } from './default-channels.actions.ts';

let node: TestApp;
let ours: TestTeam;
let general: TestChannel;

before(async () => {
  node = await startApp({ work: false, pool: 4 });
});

after(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  ours = await createTeamWithMembers(node);
  general = await findGeneralChannel(node, ours.id);
});

const make = (displayName: string, options: Parameters<typeof channel>[2] = {}) =>
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
  test('are general alone until others are chosen, which then follow by name, each once', async () => {
    const [Zoo, ant] = [await make('Zoo'), await make('ant')];
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

  test('say which of them are archived or gone, and call those by their last known names', async () => {
    const [kept, archived, gone] = [await make('Kept'), await make('Archived'), await make('Gone')];
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

  test('can be changed while one of them is archived or private and another’s, but not keep one that is gone', async () => {
    const secret = await make('Secret', { type: 'P', members: [ours.owner.id] });
    const [open, gone] = [await make('Open'), await make('Gone')];
    await call(node, saveDefaultChannels, { ...sending([general, secret, open, gone]), as: ours.owner });
    await hide(open);
    const more = await make('More');
    assert.equal((await save([general, secret, open, gone, more])).status, 200);
    await remove(gone);
    assert.equal((await save([general, secret, open, gone])).body.id, 'channels.not_of_team');
    assert.equal((await save([general, secret, open])).status, 200);
    assert.deepEqual(new Set(await storedIds()), new Set([general.id, secret.id, open.id]));
    await save([general]);
    // What was taken out is anybody's channel again.
    for (const hidden of [secret, open]) assert.equal((await save([general, hidden])).body.id, 'channels.not_of_team');
  });

  test('are refused without general, and nothing changes', async () => {
    const [first, second] = [await make('First'), await make('Second')];
    await save([general, first]);
    const before = await snapshotTables(node, { except: ['presence'] });
    for (const channels of [[], [second], [first, second], [{ id: newId() }]]) {
      for (const reply of [await save(channels), await preview(channels)])
        assert.deepEqual([reply.status, reply.body.id], [400, 'channels.general_required']);
    }
    assert.deepEqual(await snapshotTables(node, { except: ['presence'] }), before);
  });

  test('name general in whatever letters', async () => {
    const loud = await make('Loud', { name: 'GENERAL' });
    assert.equal((await save([loud])).status, 200);
    assert.deepEqual(await storedIds(), [general.id, loud.id]);
  });

  test('are refused whole, in the same words, with any channel that is not offered', async () => {
    const twin = await createTeamWithMembers(node);
    const wrong = [
      { id: newId() },
      await findGeneralChannel(node, twin.id),
      await channel(node, twin.id, { members: [ours.admin.id] }),
      await make('Archived', { deleteAt: 1 }),
      await make('Secret', { type: 'P', members: [ours.owner.id] }),
      await make('Conversation', { type: 'D', members: [ours.admin.id, ours.member.id] }),
    ];
    const [first, good] = [await make('First'), await make('Good')];
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
    for (const one of wrong) {
      assert.deepEqual(
        toComparable(await save([general, good, one], { add_existing: true })),
        reference,
        JSON.stringify(one),
      );
      assert.deepEqual(toComparable(await preview([general, good, one])), reference, JSON.stringify(one));
    }
    assert.deepEqual(await snapshotTables(node, { except: ['presence'] }), before);
  });

  test('are 200 at most, and ids', async () => {
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

  test('leave one line in the audit log, with what they were and are, and none where nothing changed', async () => {
    const [first, second] = [await make('First'), await make('Second')];
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

  test('saved by two at once are those of the later one, whole', { timeout: 30_000 }, async () => {
    const [first, second, third] = [await make('First'), await make('Second'), await make('Third')];
    const wanted = (...channels: TestChannel[]) => [general, ...channels].map(({ id }) => id);
    const earlier = await node.db.startTransaction().execute();
    const whose = { teamId: ours.id, personId: ours.owner.id, addExisting: false };
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

describe('the preview of adding everybody', () => {
  test('counts who would join, in all and for each channel, and changes nothing', async () => {
    const second = await person(node, { team: ours.id });
    await person(node, { team: ours.id, deactivated: true });
    await person(node);
    const everybody = [ours.owner.id, ours.admin.id, ours.member.id, second.id];
    const full = await make('Full', { members: [...everybody, ours.zendesk.id, ours.pending.id] });
    const some = await make('Some', { members: [ours.member.id, ours.pending.id] });
    const own = await make('Own', { type: 'P', members: [ours.admin.id, ours.member.id] });
    const archived = await make('Archived');
    await save([general, archived]);
    await hide(archived);
    const before = await snapshotTables(node, { except: ['presence'] });
    const { body } = await preview([some, general, full, archived, own, some]);
    assert.deepEqual(body, {
      // The member is in all three.
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
