import assert from 'node:assert/strict';
import type { Channel } from '@steward/contract/channels';
import { listTeamChannels } from '@steward/contract/channels/defaults';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel, findGeneralChannel, type TestChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';

let node: TestApp;
let ours: TestTeam;
let general: TestChannel;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  ours = await createTeamWithMembers(node);
  general = await findGeneralChannel(node, ours.id);
});

const createChannel = (displayName: string, options: Parameters<typeof channel>[2] = {}) =>
  channel(node, ours.id, { displayName, ...options });
const list = (query: Record<string, string> = {}, as = ours.admin) =>
  call(node, listTeamChannels, { as, params: { teamId: ours.id }, query });
const names = async (query?: Record<string, string>, as?: TestTeam['admin']) =>
  (await list(query, as)).body.map((row: Channel) => row.display_name);

describe('the channels to choose from', () => {
  test('are public and private ones, general first, then by name in any case', async () => {
    await createChannel('beta');
    await createChannel('Alpha', { members: [ours.member.id] });
    await createChannel('Gone', { deleteAt: 1 });
    await createChannel('Secret', { type: 'P', members: [ours.owner.id] });
    await createChannel('Circle', { type: 'P', members: [ours.admin.id] });
    await createChannel('', { type: 'D', members: [ours.admin.id] });
    for (const as of [ours.admin, ours.owner])
      assert.deepEqual(await names({}, as), ['General', 'Alpha', 'beta', 'Circle', 'Secret']);
  });

  test('are of one type if the caller says so', async () => {
    await createChannel('Open');
    await createChannel('Secret', { type: 'P' });
    assert.deepEqual(await names({ type: 'P' }), ['Secret']);
    assert.deepEqual(await names({ type: 'O', search: 'e' }), ['General', 'Open']);
    for (const type of ['D', 'X', '']) assert.equal((await list({ type })).status, 400);
  });

  test('show only its members more of a private channel than id, names and type', async () => {
    const { id } = await createChannel('Secret', { type: 'P', members: [ours.owner.id] });
    const inside = { header: 'A header', purpose: 'A purpose', creator_id: ours.owner.id };
    const times = { update_at: Date.UTC(2025, 0, 1), last_post_at: Date.UTC(2025, 0, 2) };
    await node.db
      .updateTable('channels')
      .set({ ...inside, ...times })
      .where('id', '=', id)
      .execute();
    const find = async (as: TestTeam['admin']): Promise<Channel> =>
      (await list({ search: 'Secret' }, as)).body.find((row: Channel) => row.id === id);
    const seen = await find(ours.owner);
    assert.partialDeepStrictEqual(seen, { ...inside, ...times, type: 'P', display_name: 'Secret' });
    const hidden = { header: '', purpose: '', creator_id: '', create_at: 0, update_at: 0, last_post_at: 0 };
    assert.deepEqual(await find(ours.admin), { ...seen, ...hidden });
  });

  test('are in Mattermost’s format', async () => {
    const { body } = await list();
    assert.ok(body[0].create_at > 0);
    assert.deepEqual(body, [
      {
        id: general.id,
        create_at: body[0].create_at,
        update_at: body[0].create_at,
        delete_at: 0,
        team_id: ours.id,
        type: 'O',
        display_name: 'General',
        name: 'general',
        header: '',
        purpose: '',
        last_post_at: 0,
        creator_id: '',
      },
    ]);
  });

  test('are in pages of 100; a page that isn’t full is the last one', async () => {
    const sizes = async () => {
      const pages = [await names({ page: '0', per_page: '100' }), await names({ page: '1', per_page: '100' })];
      assert.equal(new Set(pages.flat()).size, pages.flat().length);
      return pages.map((page) => page.length);
    };
    const more = (count: number) =>
      sql`insert into channels (team_id, id, type, name, display_name, create_at, update_at)
        select ${ours.id}, left(md5(random()::text) || md5(random()::text), 26), 'O', 'c' || random(), 'C' || random(), 1, 1
        from generate_series(1, ${count}::int)`.execute(node.db);
    await more(98);
    assert.deepEqual(await sizes(), [99, 0]);
    await more(1);
    assert.deepEqual(await sizes(), [100, 0]);
    await more(1);
    assert.deepEqual(await sizes(), [100, 1]);
    // A page has 100 channels without per_page and with a larger value, too.
    assert.equal((await names()).length, 100);
    assert.equal((await names({ per_page: '2000' })).length, 100);
    assert.deepEqual((await names({ page: '10', per_page: '10' })).length, 1);
    assert.deepEqual(await names({ page: '1000000' }), []);
  });

  test('are found by any part of either name, in any case, with every character taken literally', async () => {
    await createChannel('100% Remote', { name: 'far-away' });
    await createChannel('Snake_case', { name: 'snakes' });
    await createChannel('Back\\slash', { name: 'slashes' });
    await createChannel('Büro ÄÖ', { name: 'office' });
    for (const [search, found] of [
      ['REMOTE', ['100% Remote']],
      ['Far-A', ['100% Remote']],
      ['%', ['100% Remote']],
      ['_', ['Snake_case']],
      ['\\', ['Back\\slash']],
      ['ke_ca', ['Snake_case']],
      ['kexca', []],
      ['büro äö', ['Büro ÄÖ']],
      ['bu\u0308ro', ['Büro ÄÖ']],
      [' office ', ['Büro ÄÖ']],
      ['ao buro', ['Büro ÄÖ']],
      ['away remote', ['100% Remote']],
      ["' or 1=1 --", []],
    ] as const)
      assert.deepEqual(await names({ search }), found, search);
  });

  test('are refused for an invalid page or search', async () => {
    for (const [query, field] of [
      [{ page: '-1' }, 'page'],
      [{ page: '1e3' }, 'page'],
      [{ page: '1000001' }, 'page'],
      [{ per_page: '0' }, 'per_page'],
      [{ search: 'x'.repeat(201) }, 'search'],
      [{ search: 'a\0b' }, 'search'],
    ] as const) {
      const reply = await list(query);
      assert.deepEqual([reply.status, reply.body.id], [400, 'request.invalid']);
      assert.match(reply.body.message, new RegExp(`^${field}:`));
    }
  });
});
