import assert from 'node:assert/strict';
import { test } from 'vitest';
import { rig } from '../testing/rig.ts';
import { createMattermost } from './mattermost.client.ts';
import { listChanges, listChannels, listPages, sweepChannel } from './sweep.ts';

test('a sweep finds every row: deleted ones, versions, and those of one millisecond', async () => {
  await using rigged = await rig();
  const { at, talk, ada, mattermost, longAgo } = rigged;
  const posts = longAgo(() => Array.from({ length: 1_000 }, () => at.importPost(talk, ada, { create_at: 5_000 })));
  for (const [index, post] of posts.entries()) {
    if (index % 20 === 0) at.softDelete(post);
    if (index % 30 === 0) at.world.posts.insert({ ...post, id: at.world.id(), original_id: post.id, delete_at: 9 });
  }
  const rows = (await Array.fromAsync(sweepChannel(mattermost, talk.id))).flat();
  const expected = [...at.world.posts.byId.keys()].sort();
  assert.deepEqual(rows.map((row) => row.id).sort(), expected);
});

test('no row has a text, and its size is counted in bytes', async () => {
  await using rigged = await rig();
  const { at, talk, ada, mattermost } = rigged;
  at.post(talk, ada, { message: 'sécret', file_ids: [at.file(ada, 'secret.txt', 'twelve bytes').id] });
  at.softDelete(at.post(talk, ada, { message: 'secret' }));
  const rows = (await Array.fromAsync(sweepChannel(mattermost, talk.id))).flat();
  assert.doesNotMatch(JSON.stringify(rows), /s[eé]cret/);
  const [deleted, alive] = rows[0]?.delete_at ? rows : rows.toReversed();
  assert.deepEqual([alive?.size, alive?.files?.map((file) => file.size)], [7, [12]]);
  assert.deepEqual([deleted?.size, deleted?.files], [null, null], 'the server withholds them');
});

test('channels are those of the connected teams, with archived ones and everybody’s direct and group messages', async () => {
  await using rigged = await rig();
  const { at, ada, ben, team, owner, mattermost, scope } = rigged;
  at.addChannel(team, 'old', { delete_at: 1 });
  at.addChannel(at.addTeam('harbor'), 'quay');
  at.addUser('cleo');
  const own = [at.openDirect(ada, ben), at.openDirect(ada, ben, owner)];
  const names = async (directMessages: boolean) => {
    const channels = await Array.fromAsync(listChannels(mattermost, { ...scope, directMessages }));
    return channels.map(({ name }) => name).sort();
  };
  const ofTeam = ['off-topic', 'old', 'talk', 'town-square'];
  assert.deepEqual(await names(false), ofTeam);
  assert.deepEqual(await names(true), [...ofTeam, ...own.map(({ name }) => name)].sort());
});

test('more than 200 people and members are listed by pages', async () => {
  await using rigged = await rig();
  const { at, team, talk, mattermost } = rigged;
  for (let count = 0; count < 201; count += 1) {
    const user = at.addUser(`person-${count}`);
    at.addToTeam(team, user);
    at.addToChannel(talk, user);
  }
  const count = async (pages: AsyncIterable<unknown[]>) => (await Array.fromAsync(pages)).flat().length;
  assert.equal(await count(listPages(mattermost, 'listPeople')), 205);
  assert.equal(await count(listPages(mattermost, 'listTeamMembers', { team: team.id })), 201);
  assert.equal(await count(listPages(mattermost, 'listChannelMembers', { channel: talk.id })), 201);
});

test('changes that may be cut are read by a full sweep', async () => {
  await using rigged = await rig();
  const { at, talk, ada, mattermost } = rigged;
  for (let count = 0; count < 1_200; count += 1) at.importPost(talk, ada, { create_at: 5_000 + count });
  assert.equal((await listChanges(mattermost, talk.id, 4_999)).length, 1_200);
  assert.equal((await listChanges(mattermost, talk.id, 6_100)).length, 99);
});

test('a hint is another one after a change, and not after what is dated back or gone for good', async () => {
  await using rigged = await rig();
  const { at, talk, ada, ben, old, longAgo, mattermost } = rigged;
  const first = old();
  const post = at.post(talk, ada);
  let hint = await mattermost.readHint(talk.id);
  const isNew = async () => {
    at.advance(1);
    const now = await mattermost.readHint(talk.id, hint);
    hint = now ?? hint;
    return now !== undefined;
  };
  assert.equal(await isNew(), false);
  longAgo(() => at.importPost(talk, ben));
  at.world.posts.remove(first);
  assert.equal(await isNew(), false);
  at.advance(1_000);
  for (const change of [() => at.edit(post, 'x'), () => at.softDelete(post), () => at.post(talk, ben)]) {
    change();
    at.advance(1_000);
    assert.equal(await isNew(), true);
  }
});

test('a hint that a proxy marked is recognized', async () => {
  await using rigged = await rig();
  const { at, talk, mattermost } = rigged;
  at.fault({ path: /posts\?page=0&per_page=1&/, headers: { etag: 'W/"10.12.0.5000"' }, body: '{}' });
  assert.equal(await mattermost.readHint(talk.id), '10.12.0.5000');
  assert.equal(await mattermost.readHint(talk.id, '10.12.0.5000'), undefined);
});

test('a client that gives way rests as long as a slow answer took, and the other does not', async () => {
  await using rigged = await rig();
  const { at, token } = rigged;
  for (const givesWay of [true, false]) {
    const pauses: number[] = [];
    const times = [0, 200, 200, 1_700, 1_700, 1_800, 1_800, 1_900];
    const clock = () => times.shift() ?? 0;
    const pause = async (ms: number) => pauses.push(ms);
    const client = createMattermost({ url: at.url, token, pause, givesWay, clock });
    for (let count = 0; count < 4; count += 1) await client.call('ping');
    assert.deepEqual(pauses, givesWay ? [1_500] : []);
  }
});
