import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { Post } from '../model.ts';
import { type Rig, rig } from '../rig.ts';

function talk(at: Rig) {
  const ada = at.at.addUser('ada');
  const ben = at.at.addUser('ben');
  const team = at.at.addTeam('orchard', [ada, ben]);
  const channel = at.at.addChannel(team, 'talk');
  for (const user of [ada, ben]) at.at.addToChannel(channel, user);
  return { ada, ben, channel, team };
}

const remove = (at: Rig, { id }: Post) => at.api(`DELETE posts/${id}?permanent=true`);

test('a plain post goes with its reactions, thread, flags and drafts, and its reminders stay', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const post = at.at.post(channel, ada);
  await at.api('POST reactions', { user_id: at.bot.id, post_id: post.id, emoji_name: 'smile' });
  const { flags, drafts, reminders, threads, reactions } = at.at.world;
  for (const marks of [flags, drafts, reminders]) marks.set(post.id, [ada.id]);
  threads.set(post.id, { post_id: post.id, reply_count: 0, last_reply_at: 0, participants: [] });
  assert.equal((await remove(at, post)).status, 200);
  for (const table of [flags, drafts, threads, reactions]) assert.equal(table.size, 0);
  assert.equal(reminders.size, 1);
  assert.equal((await remove(at, post)).status, 404);
  assert.equal((await at.api(`GET posts/${post.id}?include_deleted=true`)).status, 404);
});

test('a post with files goes with their rows, bytes, thumbnails and previews', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const files = [at.at.file(ada, 'a.txt'), at.at.file(ada, 'b.png')];
  const post = at.at.post(channel, ada, { file_ids: files.map(({ id }) => id) });
  assert.equal(at.at.counts().disk, 4);
  await remove(at, post);
  assert.deepEqual([at.at.counts().fileInfo, at.at.counts().disk], [0, 0]);
  assert.equal((await at.api(`GET files/${files[0]?.id}`)).status, 404);
});

test('each version of an edited or pinned post stays with its text, and can be deleted by its id', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const post = at.at.post(channel, ada, { message: 'first words' });
  at.at.edit(post, 'second words');
  at.at.pin(post);
  await remove(at, post);
  assert.equal(at.at.search('words').length, 2);
  for (const row of [...at.at.world.posts.inChannel(channel.id)]) {
    assert.equal(row.original_id, post.id);
    assert.equal((await remove(at, row)).status, 200);
  }
  assert.deepEqual(at.at.search('words'), []);
});

test('a root takes every reply with it, young and soft-deleted ones too, and leaves their files served', async () => {
  await using at = await rig();
  const { ada, ben, channel } = talk(at);
  const root = at.at.post(channel, ada);
  const file = at.at.file(ben, 'kept.txt', 'kept content');
  const reply = at.at.post(channel, ben, { root_id: root.id, file_ids: [file.id] });
  at.at.edit(at.at.post(channel, ben, { root_id: root.id }), 'edited');
  at.at.softDelete(at.at.post(channel, ben, { root_id: root.id }));
  await at.api('POST reactions', { user_id: ada.id, post_id: reply.id, emoji_name: 'smile' });
  await remove(at, root);
  assert.equal(at.at.counts().posts, [...at.at.world.posts.byId.values()].filter((post) => post.type).length);
  for (const token of [at.token, at.at.token(ben)]) {
    assert.equal((await at.api(`GET files/${file.id}`, undefined, token)).text, 'kept content');
  }
  assert.equal(at.at.counts().reactions, 1);
  assert.equal((await remove(at, reply)).status, 404, 'no call can remove them any more');
});

test('a reply that is deleted leaves a wrong count in the list of threads, unless it was soft-deleted first', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const root = at.at.post(channel, ada);
  const [first, second, third] = [1, 2, 3].map(() => at.at.post(channel, ada, { root_id: root.id }));
  const count = () => at.at.world.threads.get(root.id)?.reply_count;
  await remove(at, first!);
  assert.equal(count(), 3);
  at.at.post(channel, ada, { root_id: root.id });
  assert.equal(count(), 4);
  await at.api(`DELETE posts/${second!.id}`);
  assert.equal(count(), 2);
  await remove(at, second!);
  assert.equal(count(), 2);
  assert.equal((await at.api(`GET posts/${third!.id}`)).body.reply_count, 2);
});

test('files that an edit removed stay if the post has none, and go if it has another', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const attach = (count: number) => {
    const ids = new Array(count).fill('').map(() => at.at.file(ada, 'a.txt').id);
    return at.at.post(channel, ada, { file_ids: ids });
  };
  const [none, one] = [attach(1), attach(2)];
  const [detached = ''] = none.file_ids;
  await at.api(`PUT posts/${none.id}/patch`, { file_ids: [] });
  await at.api(`PUT posts/${one.id}/patch`, { file_ids: one.file_ids.slice(0, 1) });
  assert.equal((await at.api(`GET files/${detached}/info`)).status, 404);
  await remove(at, none);
  await remove(at, one);
  assert.deepEqual([...at.at.world.files.keys()], [detached]);
  assert.equal(at.at.counts().disk, 1);
});

test('detached files go with a post that gets another file before its deletion', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const post = at.at.post(channel, ada, { file_ids: [at.at.file(ada, 'a.txt').id] });
  await at.api(`PUT posts/${post.id}/patch`, { file_ids: [] });
  const form = new FormData();
  form.set('channel_id', channel.id);
  form.append('files', new Blob(['x']), 'one.txt');
  const uploaded = (await at.api('POST files', form)).body.file_infos[0].id;
  assert.equal((await at.api(`PUT posts/${post.id}/patch`, { file_ids: [uploaded] })).status, 200);
  await remove(at, post);
  assert.deepEqual([at.at.counts().fileInfo, at.at.counts().disk], [0, 0]);
});

test('a soft-deleted post can’t be changed', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const post = at.at.post(channel, ada);
  at.at.softDelete(post);
  assert.equal((await at.api(`PUT posts/${post.id}/patch`, { message: 'x' })).status, 403);
});

test('a list of files that was read before an edit leaves bytes without a row, unless caches are invalidated', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const deleteAfterReading = async (between: () => unknown) => {
    const post = at.at.post(channel, ada, { file_ids: [at.at.file(ada, 'a.txt').id] });
    await at.api(`GET posts/${post.id}/files/info?include_deleted=true`);
    const added = at.at.file(ada, 'b.txt');
    await at.api(`PUT posts/${post.id}/patch`, { file_ids: [...post.file_ids, added.id] });
    await between();
    await remove(at, post);
    return { rows: at.at.counts().fileInfo, bytes: at.at.counts().disk };
  };
  assert.deepEqual(await deleteAfterReading(() => at.api('POST caches/invalidate')), { rows: 0, bytes: 0 });
  assert.deepEqual(await deleteAfterReading(() => at.at.advance(31 * 60_000)), { rows: 0, bytes: 0 });
  assert.deepEqual(await deleteAfterReading(() => undefined), { rows: 0, bytes: 1 });
});

test('an upload that nobody posts stays, and no call deletes a file', async () => {
  await using at = await rig();
  const { ada } = talk(at);
  const file = at.at.file(ada, 'a.txt');
  assert.equal((await at.api(`DELETE files/${file.id}`)).status, 404);
  assert.equal(at.at.counts().disk, 1);
});

test('deletion works on system messages, archived channels, deleted teams and others’ direct messages', async () => {
  await using at = await rig();
  const { ada, ben, channel, team } = talk(at);
  const rows = [
    at.at.post(channel, ada),
    at.at.post(channel, ada, { type: 'system_join_channel' }),
    at.at.post(at.at.openDirect(ada, ben), ada),
    at.at.post(at.at.openDirect(ada, ben, at.owner), ada),
  ];
  await at.api(`DELETE channels/${channel.id}`);
  await at.api(`DELETE teams/${team.id}`);
  await at.api(`PUT users/${ada.id}/active`, { active: false });
  for (const row of rows) assert.equal((await remove(at, row)).status, 200);
});

test('a person who is deleted for good takes other people’s replies along', async () => {
  await using at = await rig();
  const { ada, ben, channel } = talk(at);
  at.at.set('ServiceSettings', 'EnableAPIUserDeletion', true);
  const root = at.at.post(channel, ada, { file_ids: [at.at.file(ada, 'a.txt').id] });
  const reply = at.at.post(channel, ben, { root_id: root.id });
  await at.api(`DELETE users/${ada.id}?permanent=true`);
  assert.equal((await at.api(`GET posts/${reply.id}`)).status, 404);
  assert.equal(at.at.counts().disk, 0);
});

test('a team that is deleted for good leaves the rows and bytes of all files', async () => {
  await using at = await rig();
  const { ada, channel, team } = talk(at);
  at.at.set('ServiceSettings', 'EnableAPITeamDeletion', true);
  at.at.post(channel, ada, { file_ids: [at.at.file(ada, 'a.txt').id] });
  await at.api(`DELETE teams/${team.id}?permanent=true`);
  const { posts, channels, fileInfo, disk } = at.at.counts();
  assert.deepEqual({ posts, channels, fileInfo, disk }, { posts: 0, channels: 0, fileInfo: 1, disk: 1 });
});

test('an edit or a pin in flight leaves its version as an orphan with the text', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  for (const race of ['edit', 'pin'] as const) {
    at.at.world.whenDeleting = () => race;
    const post = at.at.post(channel, ada, { message: `words before the ${race}` });
    assert.equal((await remove(at, post)).status, 200);
    const [row] = at.at.search(`words before the ${race}`);
    assert.match(row ?? '', /^version /);
    assert.equal((await at.api(`GET posts/${post.id}?include_deleted=true`)).status, 404);
  }
});

test('a reply in flight becomes an orphan that everybody sees, or is lost without a trace', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const roots = [at.at.post(channel, ada), at.at.post(channel, ada)];
  at.at.world.whenDeleting = () => 'reply survives';
  await remove(at, roots[0]!);
  const { body } = await at.api(`GET channels/${channel.id}/posts?skipFetchThreads=true`);
  const orphan = body.posts[body.order.find((id: string) => body.posts[id].root_id === roots[0]!.id)];
  assert.ok(orphan);
  assert.equal((await at.api(`GET posts/${orphan.id}/thread`)).body.order.length, 1);
  const before = at.at.counts().posts;
  at.at.world.whenDeleting = () => 'reply is lost';
  await remove(at, roots[1]!);
  assert.equal(at.at.counts().posts, before! - 1);
});

test('a reaction in flight leaves a row, and an edit in flight brings a soft-deleted post back to life', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  at.at.world.whenDeleting = () => 'reaction';
  await remove(at, at.at.post(channel, ada));
  assert.equal(at.at.counts().reactions, 1);
  at.at.world.whenSoftDeleting = () => 'edit';
  const post = at.at.post(channel, ada);
  await at.api(`DELETE posts/${post.id}`);
  assert.equal((await at.api(`GET posts/${post.id}`)).status, 200);
});

test('calls that begin after a deletion are refused', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const post = at.at.post(channel, ada);
  await remove(at, post);
  const reply = { channel_id: channel.id, root_id: post.id, message: 'late' };
  assert.equal((await at.api('POST posts', reply)).status, 400);
  assert.equal((await at.api(`PUT posts/${post.id}/patch`, { message: 'late' })).status, 403);
  assert.equal((await at.api(`POST posts/${post.id}/pin`)).status, 403);
  const reaction = { user_id: at.bot.id, post_id: post.id, emoji_name: 'smile' };
  assert.equal((await at.api('POST reactions', reaction)).status, 403);
});

test('a server that dies in a deletion leaves the post without its files, or is done without an answer', async () => {
  await using at = await rig();
  const { ada, channel } = talk(at);
  const left = { disk: [1, 1, 0], files: [1, 0, 0], done: [0, 0, 0] };
  for (const stage of ['disk', 'files', 'done'] as const) {
    const post = at.at.post(channel, ada, { file_ids: [at.at.file(ada, 'a.txt').id] });
    at.at.world.killAt = (_, reached) => reached === stage;
    await assert.rejects(remove(at, post));
    await assert.rejects(at.api('GET users/me'), 'the server is down');
    at.at.restart();
    const { fileInfo, disk } = at.at.counts();
    const exists = (await at.api(`GET posts/${post.id}`)).status === 200;
    assert.deepEqual([Number(exists), fileInfo, disk], left[stage]);
    if (exists) assert.equal((await remove(at, post)).status, 200, 'repeating finishes it');
    assert.deepEqual([at.at.counts().fileInfo, at.at.counts().disk], [0, 0]);
  }
});
