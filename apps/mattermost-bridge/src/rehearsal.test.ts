import assert from 'node:assert/strict';
import { test } from 'vitest';
import { rig } from '../testing/rig.ts';
import { createMattermost } from './mattermost.client.ts';
import { rehearse } from './rehearsal.ts';

/** The rows of the table that failed. */
const failures = ({ steps }: Awaited<ReturnType<typeof rehearse>>) =>
  steps.filter((step) => !step.passed).map(({ name, detail }) => `${name}: ${detail}`);

test('a rehearsal refuses a team with another member, or with a message that it did not write', async () => {
  await using rigged = await rig();
  const { at, mattermost, ada } = rigged;
  const { team } = await rehearse(mattermost);
  const row = at.world.teams.get(team!)!;
  const channel = [...at.world.channels.values()].find((each) => each.name === 'rehearsal')!;
  const post = at.post(channel, ada);
  assert.match(failures(await rehearse(mattermost, team)).join(), /has messages that no rehearsal wrote/);
  at.world.posts.remove(post);
  at.addToTeam(row, ada);
  assert.match(failures(await rehearse(mattermost, team)).join(), /must be the only member/);
});

test('a rehearsal refuses the token of a person, and that person’s notes stay', async () => {
  await using rigged = await rig();
  const { at, owner } = rigged;
  const notes = at.openDirect(owner, owner);
  const note = at.post(notes, owner, { message: 'a note' });
  const before = at.counts();
  const result = await rehearse(createMattermost({ url: at.url, token: at.token(owner) }));
  assert.deepEqual(failures(result), [
    `Set-up: The token belongs to the person ${owner.username}; the bridge needs a bot of its own.`,
  ]);
  assert.deepEqual(at.counts(), before);
  assert.ok(at.world.posts.byId.has(note.id));
});

test.each(['direct', 'rehearsal'])(
  'a message of the bot that no rehearsal wrote ends one: %s channel',
  async (place) => {
    await using rigged = await rig();
    const { at, mattermost, bot } = rigged;
    await rehearse(mattermost);
    const channels = [...at.world.channels.values()];
    const channel = place === 'direct' ? at.openDirect(bot, bot) : channels.find((each) => each.name === 'rehearsal')!;
    at.post(channel, bot);
    const before = at.counts().posts;
    assert.match(failures(await rehearse(mattermost)).join(), /has messages that no rehearsal wrote/);
    assert.equal(at.counts().posts, before);
  },
);

test('a message of the bot that arrives during a rehearsal fails it and stays', async () => {
  await using rigged = await rig();
  const { at, mattermost, bot } = rigged;
  let note: string | undefined;
  at.world.whenDeleting = () => {
    note ??= at.post(at.openDirect(bot, bot), bot).id;
    return undefined;
  };
  assert.match(failures(await rehearse(mattermost)).join(), /Nothing else is left: 1 rows/);
  assert.ok(at.world.posts.byId.has(note!));
});

test('more messages of rehearsals than one permit holds end one in a sentence', async () => {
  await using rigged = await rig();
  const { at, mattermost, bot } = rigged;
  const direct = at.openDirect(bot, bot);
  for (let count = 0; count < 401; count += 1) at.post(direct, bot, { props: { retention_rehearsal: 'true' } });
  assert.match(failures(await rehearse(mattermost)).join(), /left 401 messages, which is too many/);
});

test('a rehearsal refuses a team of its name that is not the known one', async () => {
  await using rigged = await rig();
  const { mattermost } = rigged;
  await rehearse(mattermost);
  assert.match(failures(await rehearse(mattermost, 'z'.repeat(26))).join(), /not the one of earlier rehearsals/);
});

test('a rehearsal refuses a team of its name that it did not make, also an empty one', async () => {
  await using rigged = await rig();
  const { at, mattermost } = rigged;
  at.addTeam('retention-rehearsal');
  const before = at.counts();
  assert.match(failures(await rehearse(mattermost)).join(), /must be the only member/);
  assert.deepEqual(at.counts(), before);
});

test('a rehearsal fails if the clock of the answers is ahead of the clock of the messages', async () => {
  await using rigged = await rig();
  const { at, mattermost } = rigged;
  at.advance(-60_000);
  assert.match(failures(await rehearse(mattermost)).join(), /The clocks agree/);
});

test('messages of an interrupted rehearsal are deleted by the next', async () => {
  await using rigged = await rig();
  const { at, mattermost } = rigged;
  const { team } = await rehearse(mattermost);
  const before = at.counts();
  at.world.killAt = () => true;
  assert.equal((await rehearse(mattermost, team)).passed, false);
  at.restart();
  assert.ok(at.counts().posts! > before.posts!);
  assert.deepEqual(failures(await rehearse(mattermost, team)), []);
  assert.deepEqual(at.counts(), before);
});

test('a rehearsal fails at a server that answers 200 and does nothing', async () => {
  await using rigged = await rig();
  rigged.at.fault({ method: 'DELETE', path: /permanent=true/, skip: 1 });
  const result = await rehearse(rigged.mattermost);
  assert.equal(result.passed, false);
  assert.match(failures(result).join(), /Every row is gone/);
});

test('a rehearsal fails at a server that leaves files reachable, and touches no message of others', async () => {
  await using rigged = await rig();
  const { at, mattermost } = rigged;
  const post = rigged.old();
  at.fault({ path: /files\/\w+\/info/, body: JSON.stringify({ id: 'z'.repeat(26) }) });
  assert.match(failures(await rehearse(mattermost)).join(), /No file can be reached/);
  assert.ok(at.world.posts.byId.has(post.id));
});
