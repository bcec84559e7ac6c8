import assert from 'node:assert/strict';
import { listPosts } from '@steward/contract/channels';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel, file, message, type TestChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
  ours = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const list = (where: { id: string }, query: Record<string, string> = {}) =>
  call(node, listPosts, { as: ours.admin, params: { channelId: where.id }, query });

/** Messages have these times, oldest first; ids are in the same order. */
async function chat(instants: number[]): Promise<{ where: TestChannel; ids: string[] }> {
  const where = await channel(node, ours.id);
  const ids: string[] = [];
  for (const createAt of instants) ids.push(await message(node, ours.id, { channel: where, createAt }));
  return { where, ids };
}

const newestFirst = (ids: string[]) => ids.toReversed();

describe('the posts of a channel', () => {
  test('are returned newest first in Mattermost’s format', async () => {
    const where = await channel(node, ours.id);
    const first = await message(node, ours.id, { channel: where, createAt: 1, userId: ours.member.id, text: 'Hello' });
    const second = await message(node, ours.id, { channel: where, createAt: 2, rootId: first });
    const { body } = await list(where);
    assert.deepEqual(body.order, [second, first]);
    assert.deepEqual([body.next_post_id, body.prev_post_id], ['', '']);
    assert.equal(body.posts[second].root_id, first);
    assert.deepEqual(body.posts[first], {
      id: first,
      create_at: 1,
      update_at: 1,
      edit_at: 0,
      delete_at: 0,
      is_pinned: false,
      user_id: ours.member.id,
      channel_id: where.id,
      root_id: '',
      root_deleted: false,
      original_id: '',
      message: 'Hello',
      type: '',
      props: {},
      hashtags: '',
      file_ids: [],
      pending_post_id: '',
    });
  });

  test('of an empty channel are an empty list', async () => {
    const { body } = await list(await channel(node, ours.id));
    assert.deepEqual(body, { order: [], posts: {}, next_post_id: '', prev_post_id: '' });
  });

  test('are returned in pages of 60, each with the ids of its neighbors', async () => {
    const { where, ids } = await chat(Array.from({ length: 121 }, (_, at) => at));
    const all = newestFirst(ids);
    const pages = [await list(where), await list(where, { page: '1' }), await list(where, { page: '2' })];
    assert.deepEqual(
      pages.map(({ body }) => body.order),
      [all.slice(0, 60), all.slice(60, 120), all.slice(120)],
    );
    assert.deepEqual(
      pages.map(({ body }) => [body.next_post_id, body.prev_post_id]),
      [
        ['', all[60]],
        [all[59], all[120]],
        [all[119], ''],
      ],
    );
    assert.deepEqual((await list(where, { page: '3' })).body.order, []);
    assert.deepEqual((await list(where, { per_page: '200' })).body.order, all);
    assert.deepEqual((await list(where, { per_page: '0' })).body.order, []);
  });

  test('before and after one of them are complete and without duplicates, even with equal times', async () => {
    const { where } = await chat([1, 5, 5, 5, 5, 5, 9]);
    const all = (await list(where)).body.order;
    assert.equal(all.length, 7);
    const down: string[] = [];
    for (let before = ''; ; ) {
      const { body } = await list(where, { per_page: '2', ...(before ? { before } : {}) });
      down.push(...body.order);
      if (body.prev_post_id === '') break;
      before = body.order.at(-1);
    }
    assert.deepEqual(down, all);
    const up: string[] = [all.at(-1) ?? ''];
    for (;;) {
      const { body } = await list(where, { per_page: '2', after: up[0] ?? '' });
      up.unshift(...body.order);
      if (body.next_post_id === '') break;
    }
    assert.deepEqual(up, all);
  });

  test('before one of them have it as their neighbor, even if the page is empty', async () => {
    const { where, ids } = await chat([1, 2, 3]);
    const [oldest = '', middle = '', newest = ''] = ids;
    const below = (await list(where, { before: middle })).body;
    assert.deepEqual([below.order, below.next_post_id, below.prev_post_id], [[oldest], middle, '']);
    const above = (await list(where, { after: middle })).body;
    assert.deepEqual([above.order, above.next_post_id, above.prev_post_id], [[newest], '', middle]);
    const nothing = (await list(where, { before: oldest })).body;
    assert.deepEqual([nothing.order, nothing.next_post_id, nothing.prev_post_id], [[], oldest, '']);
    assert.deepEqual((await list(where, { before: newest, page: '1', per_page: '1' })).body.order, [oldest]);
  });

  test('before a post that has been deleted continue at its position', async () => {
    const { where, ids } = await chat([1, 2, 3]);
    await sql`update messages set delete_at = 4 where id = ${ids[1] ?? ''}`.execute(node.db);
    assert.deepEqual((await list(where, { before: ids[1] ?? '' })).body.order, [ids[0]]);
    assert.deepEqual((await list(where, { after: ids[1] ?? '' })).body.order, [ids[2]]);
  });

  test('before a post of another channel are none, as before an unknown one', async () => {
    const { where } = await chat([1, 2]);
    const other = await chat([3]);
    const unknown = toComparable(await list(where, { before: newId() }));
    assert.deepEqual(unknown.body, { order: [], posts: {}, next_post_id: '', prev_post_id: '' });
    assert.deepEqual(toComparable(await list(where, { before: other.ids[0] ?? '' })), unknown);
  });

  test('since a time are those created or changed after it', async () => {
    const { where, ids } = await chat([1, 2, 3, 4]);
    await sql`update messages set update_at = 90 where id = ${ids[0] ?? ''}`.execute(node.db);
    const since = async (instant: number) => (await list(where, { since: String(instant) })).body;
    assert.deepEqual((await since(2)).order, [ids[3], ids[2], ids[0]]);
    assert.equal((await since(2)).posts[ids[0] ?? ''].edit_at, 90);
    assert.deepEqual((await since(1)).order, [ids[3], ids[2], ids[1], ids[0]]);
    assert.deepEqual((await list(where, { since: '0', per_page: '1' })).body.order, [ids[3]], '0 means no limit');
    assert.deepEqual((await since(4)).order, [ids[0]]);
    assert.deepEqual((await since(90)).order, []);
  });

  test('include the posts they reply to, without counting them', async () => {
    const where = await channel(node, ours.id);
    const root = await message(node, ours.id, { channel: where, createAt: 1 });
    const reply = await message(node, ours.id, { channel: where, createAt: 2, rootId: root });
    const { body } = await list(where, { per_page: '1' });
    assert.deepEqual([body.order, Object.keys(body.posts).sort()], [[reply], [root, reply].sort()]);
  });

  test('say that the post which a reply answers was deleted, only once it was', async () => {
    const where = await channel(node, ours.id);
    const root = await message(node, ours.id, { channel: where, createAt: 1 });
    const reply = await message(node, ours.id, { channel: where, createAt: 2, rootId: root });
    const read = async () => {
      const { body } = await list(where);
      return [body.posts[reply].root_id === root, body.posts[reply].root_deleted];
    };
    assert.deepEqual(await read(), [true, false]);
    await node.db.deleteFrom('messages').where('id', '=', root).execute();
    assert.deepEqual(await read(), [true, true]);
  });

  test('never include posts marked deleted: not in the order, as a neighbor, or as the post replied to', async () => {
    const where = await channel(node, ours.id, { type: 'D', members: [ours.admin.id] });
    const hide = (createAt: number) => message(node, ours.id, { channel: where, createAt, deleteAt: 50, text: 'gone' });
    await hide(1);
    const root = await hide(2);
    const reply = await message(node, ours.id, { channel: where, createAt: 3, rootId: root });
    const newest = await hide(4);
    for (const query of [{}, { since: '1' }, { before: newest }, { after: root }, { page: '0', per_page: '1' }]) {
      const { body, text } = await list(where, query as Record<string, string>);
      assert.deepEqual(body.order, [reply], JSON.stringify(query));
      assert.deepEqual([Object.keys(body.posts), body.next_post_id, body.prev_post_id], [[reply], '', '']);
      assert.doesNotMatch(text, /gone/);
    }
  });

  test('leave out files that are marked deleted or being deleted', async () => {
    const where = await channel(node, ours.id);
    const kept = await file(node, ours.id, { channel: where });
    const marked = await file(node, ours.id, { channel: where, deleteAt: 9 });
    const deleting = await file(node, ours.id, { channel: where });
    await sql`update files set doomed = true where id = ${deleting.id}`.execute(node.db);
    const id = await message(node, ours.id, { channel: where });
    await sql`update messages set file_ids = ${[marked.id, kept.id, deleting.id, newId()]}
      where id = ${id}`.execute(node.db);
    assert.deepEqual((await list(where)).body.posts[id].file_ids, [kept.id]);
  });

  test('are refused for an invalid page', async () => {
    const { where } = await chat([]);
    const invalid: [string, string][] = [
      ['per_page', '201'],
      ['per_page', '-1'],
      ['page', 'x'],
      ['page', '1000001'],
      ['since', '1.5'],
      ['since', '99999999999999999999'],
      ['before', 'nonsense'],
      ['after', '\0'],
    ];
    for (const [name, value] of invalid) {
      const { status, body } = await list(where, { [name]: value });
      assert.equal(status, 400, `${name}=${value}`);
      assert.match(body.message, new RegExp(`^${name}`));
    }
  });

  test('are found by an index of their channel, for the first page and for changed posts', async () => {
    const { where } = await chat([1]);
    await sql`insert into messages (team_id, id, channel_id, channel_type, text, size, create_at, update_at)
      select ${ours.id}, lpad(n::text, 26, '0'), ${where.id}, 'O', 'x', 1, n, n from generate_series(1, 4000) n`.execute(
      node.db,
    );
    await sql`analyze messages`.execute(node.db);
    const explainPlan = async (query: ReturnType<typeof sql>) =>
      JSON.stringify((await sql`explain ${query}`.execute(node.db)).rows);
    const page = sql`select id from messages where team_id = ${ours.id} and channel_id = ${where.id} and delete_at = 0
      order by create_at desc, id desc limit 60`;
    const plan = await explainPlan(page);
    assert.match(plan, /Index Only Scan Backward using messages_by_channel/);
    assert.doesNotMatch(plan, /Sort/);
    const changed = sql`select id from messages where team_id = ${ours.id} and channel_id = ${where.id}
      and delete_at = 0 and update_at > create_at and update_at > ${3_000}`;
    assert.match(await explainPlan(changed), /messages_changed/);
    assert.equal((await list(where)).body.order.length, 60);
  });
});
