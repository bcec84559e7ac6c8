import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { CONTENT_AUDIT_IDS_MAX, CONTENT_ERRORS_MAX, CONTENT_LINE_MAX } from '@steward/contract/api/limits';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import {
  channel,
  file,
  ingest,
  record,
  serviceToken,
  type TestChannel,
  type TestService,
} from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let team: TestTeam;
let service: TestService;
let room: TestChannel;

beforeAll(async () => {
  node = await startApp();
  team = await createTeamWithMembers(node);
  service = await serviceToken(node, team.id);
  room = await channel(node, team.id, { type: 'P' });
});

afterAll(() => node[Symbol.asyncDispose]());

const line = (fields: object) => ({ kind: 'note', external_id: newId(), created_at: 1_000, ...fields });
const message = (fields: object = {}) => line({ kind: 'message', channel_id: room.id, text: 'Hello', ...fields });
const tally = (answer: { accepted?: number; unchanged?: number; failed?: number; errors?: unknown[] }) => ({
  accepted: 0,
  unchanged: 0,
  held: 0,
  failed: 0,
  errors: [],
  ...answer,
});

async function stored(table: 'messages' | 'files' | 'records', external_id: string) {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}
    where team_id = ${team.id} and external_id = ${external_id}`.execute(node.db);
  return rows;
}

describe('a body', () => {
  test('without lines changes nothing and has empty counts', async () => {
    for (const body of ['', '\n\n', '\ufeff']) assert.deepEqual((await ingest(node, service, body)).body, tally({}));
  });

  test('with valid and invalid lines has an error per invalid line, and the valid ones are stored', async () => {
    const foreign = await channel(node, (await createTeamWithMembers(node)).id);
    const archived = await channel(node, team.id, { deleteAt: 5 });
    const ids = Array.from({ length: 3 }, newId);
    const unknownChannel = 'channel_id: is not a channel of this team';
    const lines: [string | object, string | undefined][] = [
      ['\ufeff{"kind":', 'is not JSON'],
      [message({ external_id: ids[0] }), undefined],
      ['', undefined],
      [message({ external_id: 'foreign', channel_id: foreign.id }), unknownChannel],
      [message({ external_id: 'unknown', channel_id: newId() }), unknownChannel],
      [message({ external_id: 'archived', channel_id: archived.id }), unknownChannel],
      [message({ external_id: 'stranger', user_id: newId() }), 'user_id: is not a member of this team'],
      [message({ external_id: 'author', user_id: team.zendesk.id }), undefined],
      [`{"kind":"note","external_id":"big","text":"${'x'.repeat(CONTENT_LINE_MAX)}"}`, 'is longer than 12582912 bytes'],
      [line({ kind: 'file', external_id: ids[1], name: 'a.txt', size: 7, channel_id: room.id }), undefined],
      [line({ kind: 'file', external_id: 'away', name: 'a.txt', channel_id: foreign.id }), unknownChannel],
      [line({ kind: 'task', external_id: ids[2], title: 'Do it' }), undefined],
      ['[]', 'is not a JSON object'],
      ['\u0000', 'is not JSON'],
      [line({ external_id: 'late', created_at: 253_402_300_800_000 }), 'created_at: is too late'],
    ];
    const text = lines.map(([value]) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\r\n');
    const { body } = await ingest(node, service, text);
    const errors = lines.flatMap(([value, error], at) =>
      error === undefined
        ? []
        : [{ line: at + 1, external_id: typeof value === 'string' ? '' : Reflect.get(value, 'external_id'), error }],
    );
    assert.deepEqual(body, tally({ accepted: 4, failed: errors.length, errors }));
    assert.equal((await stored('messages', ids[0] ?? '')).length, 1);
    assert.equal((await stored('files', ids[1] ?? '')).length, 1);
    assert.equal((await stored('records', ids[2] ?? '')).length, 1);
    assert.deepEqual(await stored('messages', 'foreign'), []);
  });

  test('that is sent again changes nothing and writes no second audit row', async () => {
    const lines = [message(), message({ marked_deleted_at: 9 }), line({ archived_at: 5 }), line({ kind: 'voicemail' })];
    assert.deepEqual((await ingest(node, service, lines)).body, tally({ accepted: 4 }));
    const before = await snapshotTables(node);
    assert.deepEqual((await ingest(node, service, lines)).body, tally({ unchanged: 4 }));
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('of many batches has the sum of their counts', async () => {
    const lines = Array.from({ length: 1_201 }, (_, at) => message({ text: `Line ${at}` }));
    assert.deepEqual(
      (await ingest(node, service, [...lines, ...lines])).body,
      tally({ accepted: 1_201, unchanged: 1_201 }),
    );
  });

  test('lists 10,000 errors and counts all of them', async () => {
    const { body } = await ingest(
      node,
      service,
      `${'{}\n'.repeat(CONTENT_ERRORS_MAX + 500)}${JSON.stringify(message())}`,
    );
    assert.deepEqual(
      [body.accepted, body.failed, body.errors.length],
      [1, CONTENT_ERRORS_MAX + 500, CONTENT_ERRORS_MAX],
    );
    assert.equal(body.errors.at(-1).line, CONTENT_ERRORS_MAX);
  });

  test('may be compressed', async () => {
    const headers = { ...service.headers, 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
    const url = `/api/v4/teams/${team.id}/content`;
    const post = (body: Buffer) => send(node, { method: 'POST', url, headers, body });
    const packed = gzipSync(JSON.stringify(message()));
    assert.deepEqual((await post(packed)).body, tally({ accepted: 1 }));
    assert.equal((await post(packed.subarray(0, 30))).body.id, 'request.invalid');
  });

  test('with any lines gets a response that counts every line once', async () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('\0', '\ud800', -1, 1e300, newId(), '__proto__'));
    const field = fc.constantFrom(...Object.keys(message({ data: '', size: 1, user_id: '', title: '', ended_at: 1 })));
    const spoilt = fc.oneof(
      fc.tuple(field, value).map(([name, wrong]) => JSON.stringify({ ...message(), [name]: wrong })),
      fc.jsonValue().map((any) => JSON.stringify(any)),
      fc.constantFrom('{', `${'['.repeat(50_000)}`, '{"kind":"note","__proto__":1}', '"\\ud800"'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(spoilt, { minLength: 1, maxLength: 40 }), async (lines) => {
        const { status, body } = await ingest(node, service, lines.join('\n'));
        assert.equal(status, 200);
        assert.equal(body.accepted + body.unchanged + body.failed, lines.length);
      }),
      { seed: 7, numRuns: 60 },
    );
  });
});

describe('an item', () => {
  test('is replaced completely by a line with other values', async () => {
    const external_id = newId();
    const first = message({ external_id, text: 'First', user_id: team.member.id });
    await ingest(node, service, [first]);
    const [before] = await stored('messages', external_id);
    const second = message({ external_id, text: 'Zweite äöü', created_at: 2_000, marked_deleted_at: 3_000 });
    assert.deepEqual((await ingest(node, service, [second])).body, tally({ accepted: 1 }));
    const [after, ...more] = await stored('messages', external_id);
    assert.deepEqual(more, []);
    assert.ok(Number(after?.update_at) > 1_700_000_000_000);
    const changed = { text: 'Zweite äöü', size: 13, user_id: '', create_at: 2_000, delete_at: 3_000 };
    assert.deepEqual(after, { ...before, ...changed, update_at: after?.update_at });
  });

  test('that occurs twice in a body has the values of the last line', async () => {
    const external_id = newId();
    const lines = [
      line({ external_id, title: 'one' }),
      line({ external_id, title: 'two' }),
      line({ external_id, title: 'two' }),
      message({ external_id }),
      line({ external_id, kind: 'task', title: 'another' }),
      line({ external_id, title: 'one' }),
    ];
    assert.deepEqual((await ingest(node, service, lines)).body, tally({ accepted: 5, unchanged: 1 }));
    const notes = (await stored('records', external_id)).filter(({ kind }) => kind === 'note');
    assert.deepEqual(
      notes.map(({ title }) => title),
      ['one'],
    );
  });

  test('that is reopened loses its retention date', async () => {
    const cases = [
      ['note', 'archived_at'],
      ['task', 'completed_at'],
      ['meeting', 'ended_at'],
      ['meeting_recording', 'ended_at'],
    ] as const;
    for (const [kind, clock] of cases) {
      const external_id = newId();
      const clockNow = async () => (await stored('records', external_id))[0]?.clock;
      await ingest(node, service, [line({ kind, external_id, [clock]: 5 })]);
      assert.equal(await clockNow(), 5);
      await ingest(node, service, [line({ kind, external_id, [clock]: null })]);
      assert.equal(await clockNow(), null, kind);
      await ingest(node, service, [line({ kind, external_id, [clock]: 7 })]);
      assert.equal(await clockNow(), 7);
      await ingest(node, service, [line({ kind, external_id })]);
      assert.equal(await clockNow(), null, kind);
    }
  });

  test('takes the type of its channel', async () => {
    for (const type of ['O', 'P', 'D'] as const) {
      const external_id = newId();
      const { id } = await channel(node, team.id, { type });
      await ingest(node, service, [message({ external_id, channel_id: id })]);
      assert.equal((await stored('messages', external_id))[0]?.channel_type, type);
    }
  });

  test('belongs to its team: an item of another team with the same id is independent', async () => {
    const other = await createTeamWithMembers(node);
    const external_id = newId();
    await ingest(node, service, [line({ external_id, title: 'ours' })]);
    const theirs = await serviceToken(node, other.id);
    assert.deepEqual(
      (await ingest(node, theirs, [line({ external_id, title: 'theirs' })])).body,
      tally({ accepted: 1 }),
    );
    assert.equal((await stored('records', external_id))[0]?.title, 'ours');
  });

  test('that is being deleted isn’t changed, and its line has an error', async () => {
    const [fileId, noteId] = [newId(), newId()];
    const { sourceId } = service;
    await file(node, team.id, { externalId: fileId, sourceId, createAt: 1_000, name: 'a.txt', size: 1 });
    await record(node, team.id, { externalId: noteId, sourceId, kind: 'note' });
    for (const table of ['files', 'records'] as const)
      await sql`update ${sql.table(table)} set doomed = true where external_id in (${fileId}, ${noteId})`.execute(
        node.db,
      );
    const before = await snapshotTables(node);
    const lines = [line({ kind: 'file', external_id: fileId, name: 'a.txt', size: 1 }), line({ external_id: noteId })];
    const error = 'is being deleted; send it again later';
    const errors = [
      { line: 1, external_id: fileId, error },
      { line: 2, external_id: noteId, error },
    ];
    assert.deepEqual((await ingest(node, service, lines)).body, tally({ failed: 2, errors }));
    assert.deepEqual(await snapshotTables(node), before);
  });
});

test('last_post_at of a channel is the time of its last visible message', async () => {
  const { id } = await channel(node, team.id);
  const last = async () =>
    (await node.db.selectFrom('channels').select('last_post_at').where('id', '=', id).executeTakeFirst())?.last_post_at;
  const at = (created_at: number, more: object = {}) => message({ channel_id: id, created_at, ...more });
  await ingest(node, service, [at(5_000), at(9_000), at(7_000), at(99_000, { marked_deleted_at: 100_000 })]);
  assert.equal(await last(), 9_000);
  await ingest(node, service, [at(8_000)]);
  assert.equal(await last(), 9_000);
});

test('a body that changed something writes one audit row, without a person or the token', async () => {
  const other = await createTeamWithMembers(node);
  const theirs = await serviceToken(node, other.id);
  await ingest(node, theirs, [...Array.from({ length: 1_001 }, () => line({})), { kind: 'x' }]);
  await ingest(node, theirs, [{ kind: 'x' }]);
  const rows = (await auditRows(node, 'content.added')).filter(({ team_id }) => team_id === other.id);
  const items = await node.db.selectFrom('records').select('id').where('team_id', '=', other.id).execute();
  const [row] = rows;
  assert.deepEqual(rows, [
    {
      team_id: other.id,
      actor_id: null,
      target: null,
      details: {
        token_id: theirs.id,
        source_id: theirs.sourceId,
        accepted: 1_001,
        unchanged: 0,
        failed: 1,
        item_ids: row?.details.item_ids,
        items_not_listed: 1,
      },
    },
  ]);
  const listed = new Set(row?.details.item_ids as string[]);
  assert.equal(listed.size, CONTENT_AUDIT_IDS_MAX);
  assert.ok(listed.isSubsetOf(new Set(items.map(({ id }) => id))));
});
