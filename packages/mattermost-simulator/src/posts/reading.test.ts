import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { Channel } from '../model.ts';
import { type Rig, rig } from '../rig.ts';

interface Row {
  id: string;
  update_at: number;
}

/** Reads a channel to its end, as a client would. */
async function readAll(at: Rig, channel: Channel, how: 'page' | 'before', more = ''): Promise<string[]> {
  const found: string[] = [];
  for (let page = 0, last = ''; ; page += 1) {
    const where = how === 'page' ? `page=${page}` : last && `before=${last}`;
    const { body } = await at.api(`GET channels/${channel.id}/posts?${where}&per_page=200&include_deleted=true${more}`);
    if (body.order.length === 0) return found;
    found.push(...body.order);
    last = body.order.at(-1);
  }
}

function talk(at: Rig) {
  const ada = at.at.addUser('ada');
  const team = at.at.addTeam('orchard', [ada]);
  const channel = at.at.addChannel(team, 'talk');
  at.at.addToChannel(channel, ada);
  return { ada, channel, team };
}

test('`before` with deleted rows loses rows without a word, and `page` loses none', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  for (let count = 0; count < 1_000; count += 1) {
    at.at.importPost(channel, ada, { create_at: 1_000 + count, ...(count % 20 === 0 && { delete_at: 5_000 + count }) });
  }
  assert.equal(new Set(await readAll(at, channel, 'page')).size, 1_000);
  assert.ok(new Set(await readAll(at, channel, 'before')).size < 1_000);
});

test('`before` skips rows of one millisecond, and `page` doesn’t', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  for (let count = 0; count < 300; count += 1) at.at.importPost(channel, ada, { create_at: 1_000 });
  assert.equal(new Set(await readAll(at, channel, 'page')).size, 300);
  assert.equal((await readAll(at, channel, 'before')).length, 200);
});

test('deletions between two pages hide as many rows', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  for (let count = 0; count < 300; count += 1) at.at.importPost(channel, ada, { create_at: 1_000 + count });
  const path = `GET channels/${channel.id}/posts?per_page=200&include_deleted=true&page=`;
  const first = (await at.api(`${path}0`)).body.order;
  for (const id of first.slice(0, 50)) await at.api(`DELETE posts/${id}?permanent=true`);
  assert.equal((await at.api(`${path}1`)).body.order.length, 50, 'and not 100');
});

test('a page has at most 200 rows', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  for (let count = 0; count < 250; count += 1) at.at.importPost(channel, ada);
  assert.equal((await at.api(`GET channels/${channel.id}/posts?per_page=500`)).body.order.length, 200);
});

test('each edit, pin and unpin leaves a version with the time of the post, and only an edit sets edit_at', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const session = at.at.token(ada);
  const post = at.at.post(channel, ada, { message: 'first words' });
  await at.api(`POST posts/${post.id}/pin`, undefined, session);
  await at.api(`POST posts/${post.id}/unpin`, undefined, session);
  assert.equal(post.edit_at, 0);
  await at.api(`PUT posts/${post.id}/patch`, { message: 'second words' }, session);
  assert.ok(post.edit_at > 0);
  const ids = await readAll(at, channel, 'page');
  const { body } = await at.api('POST posts/ids', ids);
  const versions = body.filter((row: { original_id: string }) => row.original_id === post.id);
  assert.equal(versions.length, 3);
  for (const row of versions) {
    assert.equal(row.create_at, post.create_at);
    assert.equal(row.message, '');
  }
});

test('texts and files of soft-deleted posts and versions are withheld, even from a system admin', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const file = at.at.file(ada, 'a.txt');
  const post = at.at.post(channel, ada, { message: 'secret', file_ids: [file.id] });
  at.at.softDelete(post);
  const { body } = await at.api(`GET posts/${post.id}?include_deleted=true`);
  assert.equal(body.message, '');
  assert.deepEqual(body.file_ids, [file.id]);
  assert.deepEqual(body.metadata, {});
  assert.equal(at.at.search('secret').length, 1, 'the database has the text');
  assert.equal((await at.api(`GET posts/${post.id}`)).status, 404);
  assert.equal((await at.api(`GET files/${file.id}/info`)).status, 404);
});

test('`since` finds at most 1,000 rows and says nothing of more', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  for (let count = 0; count < 1_500; count += 1) at.at.importPost(channel, ada, { create_at: 2_000 });
  const { body } = await at.api(`GET channels/${channel.id}/posts?since=1999&skipFetchThreads=true`);
  assert.equal(body.order.length, 1_000);
  assert.equal(body.next_post_id, '');
});

test('`since` brings versions and deleted rows unasked, and the roots of replies', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const root = at.at.importPost(channel, ada, { create_at: 1_000 });
  at.at.importPost(channel, ada, { create_at: 2_000, root_id: root.id, delete_at: 2_000 });
  const path = `GET channels/${channel.id}/posts?since=1500`;
  assert.equal((await at.api(path)).body.order.length, 2);
  assert.equal((await at.api(`${path}&skipFetchThreads=true`)).body.order.length, 1);
});

test('backdated and imported rows show in no `since`, last post or ETag', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  at.at.post(channel, ada);
  const since = at.at.world.now() - 1_000;
  const path = `GET channels/${channel.id}/posts`;
  const etag = (await at.api(path)).headers.get('etag');
  const old = { channel_id: channel.id, message: 'old', create_at: Date.now() - 400 * 86_400_000 };
  assert.equal((await at.api('POST posts', old)).body.create_at, old.create_at);
  at.at.importPost(channel, ada, { create_at: 1_000 });
  const last = channel.last_post_at;
  assert.equal((await at.api(`${path}?since=${since}`)).body.order.length, 1);
  assert.equal((await at.api(path)).headers.get('etag'), etag);
  assert.equal(channel.last_post_at, last);
  assert.equal((await readAll(at, channel, 'page')).length, 3);
});

test('a plain user’s create_at is ignored, and a post of the future pins the last post of its channel', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const future = { channel_id: channel.id, message: 'later', create_at: Date.UTC(2099, 0, 1) };
  const mine = (await at.api('POST posts', future, at.at.token(ada))).body;
  assert.ok(mine.create_at < future.create_at);
  await at.api('POST posts', future);
  at.at.post(channel, ada);
  assert.equal(channel.last_post_at, future.create_at);
});

test('an ETag changes with posts, edits, reactions and soft deletions, not with the deletion of another row', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const path = `${at.at.url}/api/v4/channels/${channel.id}/posts?include_deleted=true`;
  const read = async (etag = '') => {
    const headers = { authorization: `Bearer ${at.token}`, 'if-none-match': etag };
    const response = await fetch(path, { headers });
    await response.text();
    return { status: response.status, etag: response.headers.get('etag') ?? '' };
  };
  const old = at.at.importPost(channel, ada, { create_at: 1_000 });
  const post = at.at.post(channel, ada);
  let { etag } = await read();
  await at.api(`DELETE posts/${old.id}?permanent=true`);
  assert.equal((await read(etag)).status, 304, 'with a row gone');
  const changes = [
    () => at.at.edit(post, 'other words'),
    () => at.api('POST reactions', { user_id: at.bot.id, post_id: post.id, emoji_name: 'smile' }),
    () => at.at.softDelete(post),
    () => at.at.post(channel, ada),
  ];
  for (const change of changes) {
    at.at.advance(10);
    await change();
    const next = await read(etag);
    assert.equal(next.status, 200);
    etag = next.etag;
  }
});

test('reply_count with deleted rows counts versions too, and total_msg_count never goes down', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const root = at.at.post(channel, ada);
  const reply = at.at.post(channel, ada, { root_id: root.id });
  at.at.edit(reply, 'again');
  at.at.edit(reply, 'and again');
  assert.equal((await at.api(`GET posts/${root.id}?include_deleted=true`)).body.reply_count, 3);
  assert.equal((await at.api(`GET posts/${root.id}`)).body.reply_count, 1);
  await at.api(`DELETE posts/${root.id}?permanent=true`);
  assert.equal((await at.api(`GET channels/${channel.id}`)).body.total_msg_count, 2);
});

test('/thread hides soft-deleted replies and versions', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const root = at.at.post(channel, ada);
  at.at.softDelete(at.at.post(channel, ada, { root_id: root.id }));
  at.at.edit(at.at.post(channel, ada, { root_id: root.id }), 'again');
  assert.equal((await at.api(`GET posts/${root.id}/thread`)).body.order.length, 2);
});

test('archived channels can’t be listed while their reading is off, but a known row can be read and deleted', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const post = at.at.post(channel, ada);
  await at.api(`DELETE channels/${channel.id}`);
  assert.equal((await at.api(`GET channels/${channel.id}/posts`)).status, 200);
  at.at.set('TeamSettings', 'ExperimentalViewArchivedChannels', false);
  assert.equal((await at.api(`GET channels/${channel.id}/posts`)).status, 403);
  assert.equal((await at.api(`GET posts/${post.id}`)).status, 200);
  assert.equal((await at.api(`DELETE posts/${post.id}`)).status, 403, 'no soft deletion there');
  assert.equal((await at.api(`DELETE posts/${post.id}?permanent=true`)).status, 200);
});

test('a reaction, a reply, and the edit or soft deletion of one move the root, its permanent deletion doesn’t', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const root = at.at.importPost(channel, ada, { create_at: 1_000 });
  const moved = async (change: () => unknown) => {
    const before = root.update_at;
    at.at.advance(10);
    await change();
    return root.update_at > before;
  };
  const reply = at.at.importPost(channel, ada, { create_at: 1_001, root_id: root.id });
  assert.ok(await moved(() => at.at.post(channel, ada, { root_id: root.id })));
  assert.ok(await moved(() => at.at.edit(reply, 'again')));
  const reaction = { user_id: at.bot.id, post_id: reply.id, emoji_name: 'smile' };
  assert.ok(await moved(() => at.api('POST reactions', reaction)));
  assert.ok(await moved(() => at.at.softDelete(reply)));
  assert.ok(!(await moved(() => at.api(`DELETE posts/${reply.id}?permanent=true`))));
});

test('posts/ids finds at most 1,000 rows', async () => {
  await using at = await rig();
  assert.equal((await at.api('POST posts/ids', new Array(1_001).fill('z'.repeat(26)))).status, 400);
});

test('the last page of a channel with 10,000 rows has its oldest rows', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  for (let count = 0; count < 10_000; count += 1) at.at.importPost(channel, ada, { create_at: 1_000 + count });
  const { body } = await at.api(`GET channels/${channel.id}/posts?page=49&per_page=200&include_deleted=true`);
  assert.equal(body.order.length, 200);
  const oldest: Row = body.posts[body.order.at(-1)];
  assert.equal(oldest.update_at, 1_000);
});
