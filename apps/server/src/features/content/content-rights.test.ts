import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import {
  channel,
  file,
  ingest,
  message,
  record,
  serviceToken,
  type TestChannel,
  type TestService,
} from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam, team as teamWithoutMembers } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let team: TestTeam;
let room: TestChannel;
let service: TestService;

beforeAll(async () => {
  node = await startApp({ work: false });
  team = await createTeamWithMembers(node);
  room = await channel(node, team.id, { type: 'P' });
  service = await serviceToken(node, team.id);
});

afterAll(() => node[Symbol.asyncDispose]());

const LINES = (external_id: string, fields: object = {}) => [
  { kind: 'message', external_id, created_at: 1_000, channel_id: room.id, text: 'Hello', ...fields },
  { kind: 'file', external_id, created_at: 1_000, name: 'a.txt', size: 7, ...fields },
  { kind: 'note', external_id, created_at: 1_000, title: 'A note', ...fields },
];
const counts = async (sent: Promise<{ body: { accepted: number; unchanged: number; failed: number } }>) => {
  const { accepted, unchanged, failed } = (await sent).body;
  return [accepted, unchanged, failed];
};

interface StoredItem {
  user_id: string;
  source_id: string | null;
  create_at: number;
}

async function stored(external_id: string, teamId = team.id): Promise<StoredItem[]> {
  const { rows } = await sql<StoredItem>`
    select user_id, source_id, create_at from messages where team_id = ${teamId} and external_id = ${external_id}
    union all select user_id, source_id, create_at from files where team_id = ${teamId} and external_id = ${external_id}
    union all select user_id, source_id, create_at from records where team_id = ${teamId} and external_id = ${external_id}
    order by create_at, source_id`.execute(node.db);
  return rows;
}

const roleOf = async (id: string) =>
  (
    await node.db.selectFrom('memberships').select('roles').where('person_id', '=', id).executeTakeFirstOrThrow()
  ).roles.join();

test('a line of a kind that the token may not import has an error, and changes nothing', async () => {
  const id = newId();
  const narrow = await serviceToken(node, team.id, { kinds: ['file', 'task'] });
  const { body } = await ingest(node, narrow, LINES(id));
  const error = 'kind: is not allowed for this token';
  assert.deepEqual([body.accepted, body.failed], [1, 2]);
  assert.deepEqual(body.errors, [
    { line: 1, external_id: id, error },
    { line: 3, external_id: id, error },
  ]);
  assert.equal((await stored(id)).length, 1);
});

describe('without the right to speak for users', () => {
  test('items are from the integration user, whatever the line says, and an equal line changes nothing', async () => {
    const quiet = await serviceToken(node, team.id, { speakForUsers: false });
    const id = newId();
    for (const user_id of [team.owner.id, newId(), 'nobody', undefined]) {
      const expected = user_id === team.owner.id ? [3, 0, 0] : [0, 3, 0];
      assert.deepEqual(await counts(ingest(node, quiet, LINES(id, { user_id }))), expected);
    }
    const authors = new Set((await stored(id)).map(({ user_id }) => user_id));
    assert.deepEqual([...authors], [team.zendesk.id]);
  });

  test('a team without a help desk gets an integration user when it is needed', async () => {
    const alone = await createTeamWithMembers(node);
    await node.db.deleteFrom('memberships').where('person_id', '=', alone.zendesk.id).execute();
    const quiet = await serviceToken(node, alone.id, { speakForUsers: false });
    const [, ...lines] = LINES('x', { user_id: alone.owner.id });
    const before = await snapshotTables(node);
    await ingest(node, quiet, '\n');
    assert.deepEqual(await snapshotTables(node), before);
    for (const expected of [
      [2, 0, 0],
      [0, 2, 0],
    ])
      assert.deepEqual(await counts(ingest(node, quiet, lines)), expected);
    const [first, second] = await stored('x', alone.id);
    assert.equal(first?.user_id, second?.user_id);
    assert.equal(await roleOf(first?.user_id ?? ''), 'zendesk');
  });

  test('an item of a user is from the integration user as soon as it is changed', async () => {
    const id = newId();
    await ingest(node, service, LINES(id, { user_id: team.member.id }));
    const quiet = await serviceToken(node, team.id, { speakForUsers: false, sourceId: service.sourceId });
    assert.deepEqual(await counts(ingest(node, quiet, LINES(id))), [0, 3, 0]);
    assert.ok((await stored(id)).every(({ user_id }) => user_id === team.member.id));
    assert.deepEqual(await counts(ingest(node, quiet, LINES(id, { created_at: 2_000 }))), [3, 0, 0]);
    assert.ok((await stored(id)).every(({ user_id }) => user_id === team.zendesk.id));
    assert.deepEqual(await counts(ingest(node, service, LINES(id, { created_at: 2_000 }))), [3, 0, 0]);
    assert.ok((await stored(id)).every(({ user_id }) => user_id === ''));
  });
});

describe('a source', () => {
  test('can’t change items of another one: the same ids are items of its own', async () => {
    const id = newId();
    const other = await serviceToken(node, team.id);
    await ingest(node, service, LINES(id, { user_id: team.member.id }));
    const before = await stored(id);
    assert.deepEqual(await counts(ingest(node, other, LINES(id, { created_at: 5 }))), [3, 0, 0]);
    const rows = await stored(id);
    assert.equal(rows.length, 6);
    assert.deepEqual(
      rows.filter(({ source_id }) => source_id === service.sourceId),
      before,
    );
    for (const each of [service, other])
      assert.equal((await stored(id)).filter(({ source_id }) => source_id === each.sourceId).length, 3);
    assert.deepEqual(await counts(ingest(node, other, LINES(id, { created_at: 5 }))), [0, 3, 0]);
  });

  test('stores the same file content as another one for itself', async () => {
    const id = newId();
    const other = await serviceToken(node, team.id);
    const lines = [
      { kind: 'file', external_id: id, created_at: 1, name: 'a.txt', data: 'YQ==' },
      { kind: 'voicemail', external_id: id, created_at: 1, data: 'YQ==' },
    ];
    for (const each of [service, other]) {
      assert.deepEqual(await counts(ingest(node, each, lines)), [2, 0, 0]);
      assert.deepEqual(await counts(ingest(node, each, lines)), [0, 2, 0]);
    }
  });

  test('of which the first repeats content from before sources has it from then on', async () => {
    const id = newId();
    const at = { externalId: id, createAt: 1_000 };
    await message(node, team.id, { ...at, channel: room, text: 'Hello' });
    await file(node, team.id, { ...at, name: 'a.txt', size: 7 });
    await record(node, team.id, { ...at, kind: 'note', title: 'A note', clock: null, size: 0 });
    const [first, second] = [await serviceToken(node, team.id), await serviceToken(node, team.id)];
    assert.deepEqual(await counts(ingest(node, first, LINES(id))), [0, 3, 0]);
    assert.deepEqual(
      (await stored(id)).map(({ source_id }) => source_id),
      Array(3).fill(first.sourceId),
    );
    assert.deepEqual(await counts(ingest(node, second, LINES(id, { created_at: 9_000 }))), [3, 0, 0]);
    assert.deepEqual(await counts(ingest(node, first, LINES(id, { created_at: 2_000 }))), [3, 0, 0]);
    assert.deepEqual(
      (await stored(id)).map(({ create_at }) => create_at),
      [2_000, 2_000, 2_000, 9_000, 9_000, 9_000],
    );
  });

  test('that two requests repeat concurrently is stored whole or not at all', async () => {
    const teamId = await teamWithoutMembers(node);
    const tokens = [await serviceToken(node, teamId), await serviceToken(node, teamId)];
    const ids = Array.from({ length: 200 }, newId);
    for (const externalId of ids)
      await record(node, teamId, { externalId, createAt: 1, kind: 'note', title: '', clock: null, size: 0 });
    const lines = ids.map((external_id) => ({ kind: 'note', external_id, created_at: 1 }));
    const replies = await Promise.all(
      tokens.flatMap((token) => [ingest(node, token, lines), ingest(node, token, lines.toReversed())]),
    );
    assert.ok(replies.every(({ status }) => status === 200));
    const { rows } = await sql<{ sources: string[] }>`select array_agg(source_id order by source_id) as sources
      from records where team_id = ${teamId} group by external_id`.execute(node.db);
    assert.equal(rows.length, ids.length);
    const both = tokens.map(({ sourceId }) => sourceId).sort();
    for (const { sources } of rows) assert.deepEqual(sources, both);
  });
});

test('the audit log lists the items that a body added or changed', async () => {
  const own = await serviceToken(node, team.id);
  const [kept, changed, added] = [newId(), newId(), newId()];
  await ingest(node, own, [...LINES(kept), ...LINES(changed)]);
  await ingest(node, own, [...LINES(kept), ...LINES(changed, { created_at: 2_000 }), ...LINES(added)]);
  const { rows } = await sql<{ id: string }>`
    select id from messages where external_id in (${changed}, ${added})
    union all select id from files where external_id in (${changed}, ${added})
    union all select id from records where external_id in (${changed}, ${added}) order by id`.execute(node.db);
  const last = (await auditRows(node, 'content.added')).filter(({ details }) => details.token_id === own.id).at(-1);
  const { item_ids, ...rest } = last?.details ?? {};
  assert.deepEqual(
    [...(item_ids as string[])].sort(),
    rows.map(({ id }) => id),
  );
  assert.deepEqual(rest, {
    token_id: own.id,
    source_id: own.sourceId,
    accepted: 6,
    unchanged: 3,
    failed: 0,
    items_not_listed: 0,
  });
});
