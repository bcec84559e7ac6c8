import assert from 'node:assert/strict';
import { MESSAGE_MAX } from '@steward/contract/api/limits';
import { addPost, getChannel, listPosts } from '@steward/contract/channels';
import { getFileInfo } from '@steward/contract/files';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, type Sending, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel, file, findGeneralChannel, message, type TestChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables, TRACES } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let ours: TestTeam;
let where: TestChannel;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
  ours = await createTeamWithMembers(node);
  where = await channel(node, ours.id, { type: 'P', members: [ours.member.id] });
});

afterAll(() => node[Symbol.asyncDispose]());

const write = (body: object, sending: Sending = {}) =>
  call(node, addPost, { as: ours.member, body: { channel_id: where.id, message: 'Hello', ...body }, ...sending });

const own = (options: { deleteAt?: number; userId?: string; channel?: TestChannel } = {}) =>
  file(node, ours.id, { channel: where, userId: ours.member.id, ...options });

async function nothingChanges(work: () => Promise<void>): Promise<void> {
  const before = await snapshotTables(node, { except: TRACES });
  await work();
  assert.deepEqual(await snapshotTables(node, { except: TRACES }), before);
}

describe('writing a post', () => {
  test('returns 201 with the post, which can then be read, and updates last_post_at of the channel', async () => {
    const begun = Date.now();
    const { status, body } = await write({
      message: ' Grüße 👋 ',
      props: { mood: ['calm'] },
      pending_post_id: 'mine:1',
    });
    assert.equal(status, 201);
    assert.ok(body.create_at >= begun && body.create_at <= Date.now());
    assert.deepEqual(
      [body.message, body.user_id, body.channel_id, body.props, body.pending_post_id, body.edit_at],
      [' Grüße 👋 ', ours.member.id, where.id, { mood: ['calm'] }, 'mine:1', 0],
    );
    const read = await call(node, listPosts, { as: ours.member, params: { channelId: where.id } });
    assert.deepEqual(read.body.posts[body.id], { ...body, pending_post_id: '' });
    const seen = await call(node, getChannel, { as: ours.member, params: { channelId: where.id } });
    assert.equal(seen.body.last_post_at, body.create_at);
    const { rows } = await sql`select channel_type, size, external_id from messages where id = ${body.id}`.execute(
      node.db,
    );
    assert.deepEqual(rows, [{ channel_type: 'P', size: Buffer.byteLength(' Grüße 👋 '), external_id: null }]);
  });

  test('writes one audit row without the text', async () => {
    const count = (await auditRows(node, 'channels.posted')).length;
    const { body } = await write({ message: 'a confidential word' });
    const rows = await auditRows(node, 'channels.posted');
    assert.equal(rows.length, count + 1);
    assert.deepEqual(rows.at(-1), {
      team_id: ours.id,
      actor_id: ours.member.id,
      target: body.id,
      details: { channel_id: where.id },
    });
    assert.doesNotMatch(JSON.stringify(rows), /confidential/);
  });

  test('twice with one Idempotency-Key creates one post and returns it with 201 both times', async () => {
    const headers = { 'idempotency-key': newId() };
    const replies = await Promise.all([
      write({ message: 'once' }, { headers }),
      write({ message: 'once' }, { headers }),
    ]);
    const [first, second] = replies.map(toComparable);
    assert.equal(first?.status, 201);
    assert.deepEqual(second, first);
    const { rows } = await sql`select 1 from messages where text = 'once'`.execute(node.db);
    assert.equal(rows.length, 1);
    assert.equal((await write({ message: 'other' }, { headers })).status, 422);
  });

  test('is open to every member in general, only under their own id', async () => {
    const general = await findGeneralChannel(node, ours.id);
    const { status, body } = await write({ channel_id: general.id, user_id: ours.owner.id, create_at: 1, type: 'x' });
    assert.equal(status, 201);
    assert.equal(body.user_id, ours.member.id);
    assert.ok(body.create_at > 1);
    assert.equal(body.type, '');
  });

  test('in an archived channel is refused and stores nothing', async () => {
    const archived = await channel(node, ours.id, { members: [ours.member.id], deleteAt: 5 });
    const one = await own({ channel: archived });
    await nothingChanges(async () => {
      const reply = await write({ channel_id: archived.id, file_ids: [one.id] });
      assert.deepEqual([reply.status, reply.body.id], [409, 'channels.archived']);
    });
  });

  test('is refused for an invalid message', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(11)}1${'}'.repeat(11)}`);
    const invalid: object[] = [
      { message: '' },
      { message: ' \n\t ' },
      { message: 'a'.repeat(MESSAGE_MAX + 1) },
      { message: 'nul \0' },
      { message: 'half \ud83d' },
      { message: 5 },
      { channel_id: undefined },
      { root_id: 'nonsense' },
      { file_ids: ['nonsense'] },
      { file_ids: Array.from({ length: 11 }, () => newId()) },
      { props: { text: '\0' } },
      { props: { '\0': 1 } },
      { props: { list: [['half \udc00']] } },
      { props: { text: 'a'.repeat(65_536) } },
      { props: deep },
      { props: [] },
    ];
    await nothingChanges(async () => {
      for (const body of invalid) {
        const reply = await write(body);
        assert.deepEqual([reply.status, reply.body.id], [400, 'request.invalid'], JSON.stringify(body).slice(0, 80));
      }
    });
    assert.equal((await write({ message: 'a'.repeat(MESSAGE_MAX), props: deep.a })).status, 201);
  });
});

describe('replying to a post', () => {
  test('adds the reply to its thread', async () => {
    const root = (await write({})).body.id;
    assert.equal((await write({ root_id: root })).body.root_id, root);
  });

  test('is refused if the post is deleted, in another channel, a reply itself, or unknown', async () => {
    const other = await channel(node, ours.id, { members: [ours.member.id] });
    const root = await message(node, ours.id, { channel: where });
    const roots = [
      await message(node, ours.id, { channel: where, deleteAt: 9 }),
      await message(node, ours.id, { channel: other }),
      await message(node, ours.id, { channel: where, rootId: root }),
      newId(),
    ];
    await nothingChanges(async () => {
      const [first, ...others] = await Promise.all(roots.map((root_id) => write({ root_id }).then(toComparable)));
      assert.equal(first?.status, 400);
      for (const reply of others) assert.deepEqual(reply, first);
    });
  });
});

describe('files of a post', () => {
  test('must be the caller’s own in the channel, and then have the id of their post', async () => {
    const [one, two] = [await own(), await own()];
    const { status, body } = await write({ file_ids: [two.id, one.id, two.id] });
    assert.equal(status, 201);
    assert.deepEqual(body.file_ids, [two.id, one.id]);
    const info = await call(node, getFileInfo, { as: ours.member, params: { fileId: one.id } });
    assert.equal(info.body.post_id, body.id);
    await sql`update messages set delete_at = 9 where id = ${body.id}`.execute(node.db);
    const later = await call(node, getFileInfo, { as: ours.member, params: { fileId: one.id } });
    assert.equal(later.body.post_id, '', 'the id of a hidden post is not returned');
  });

  test('are refused if one of them is another user’s, in another channel, hidden, attached already or unknown', async () => {
    const other = await channel(node, ours.id, { members: [ours.member.id] });
    const [good, taken, deleting] = [await own(), await own(), await own()];
    await write({ file_ids: [taken.id] });
    await sql`update files set doomed = true where id = ${deleting.id}`.execute(node.db);
    const bad = [
      (await own({ userId: ours.owner.id })).id,
      (await own({ channel: other })).id,
      (await own({ deleteAt: 9 })).id,
      deleting.id,
      taken.id,
      newId(),
    ];
    await nothingChanges(async () => {
      const [first, ...others] = await Promise.all(
        bad.map((id) => write({ file_ids: [good.id, id] }).then(toComparable)),
      );
      assert.equal(first?.status, 400);
      for (const reply of others) assert.deepEqual(reply, first);
    });
  });

  test('are attached to one post only, even with concurrent requests', async () => {
    const one = await own();
    const replies = await Promise.all(Array.from({ length: 4 }, () => write({ file_ids: [one.id] })));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 400, 400, 400]);
  });
});
