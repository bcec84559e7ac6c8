import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Blobs } from '#platform/blobs/blobs.ts';
import { newId } from '#platform/database/ids.ts';
import { queueCleanUp } from '#testing/app/clean-up.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { file, ingest, isKept, serviceToken, type TestService } from '#testing/workspace/content.ts';
import { team } from '#testing/workspace/factories.ts';

let node: TestApp;
let teamId: string;
let service: TestService;

beforeAll(async () => {
  node = await startApp();
  teamId = await team(node);
  service = await serviceToken(node, teamId);
});

afterAll(() => node[Symbol.asyncDispose]());

const data = (text: string) => Buffer.from(text).toString('base64');
const voicemail = (fields: object) => ({ kind: 'voicemail', external_id: newId(), created_at: 1_000, ...fields });

interface Kept {
  blob: string | null;
  digest: string;
  size: number;
}

async function kept(table: 'files' | 'records', external_id: string): Promise<Kept> {
  const { rows } = await sql<Kept>`select blob, digest, size from ${sql.table(table)}
    where external_id = ${external_id}`.execute(node.db);
  return rows[0] as Kept;
}

async function loose(): Promise<string[]> {
  const rows = await node.db.selectFrom('loose_blobs').select('key').where('team_id', '=', teamId).execute();
  return rows.map(({ key }) => key);
}

async function getContent(key: string | null): Promise<string | undefined> {
  const stream = key === null ? undefined : await node.deps.blobs.get(key);
  return stream && String(Buffer.concat(await stream.toArray()));
}

function blobsOnDisk(): string[] {
  const entries = readdirSync(fileURLToPath(node.deps.env.FILES_URL ?? ''), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function tidied(minutes: number): Promise<void> {
  const past = sql`make_interval(mins => ${minutes})`;
  await sql`update loose_blobs set since = since - ${past}`.execute(node.db);
  await queueCleanUp(node);
}

describe('a blob', () => {
  test('is stored with the row of its item, for files and records', async () => {
    for (const [kind, table] of [
      ['file', 'files'],
      ['call_recording', 'records'],
    ] as const) {
      const external_id = newId();
      const line = voicemail({ kind, external_id, name: 'a.ogg', size: 99, data: data('ringing') });
      assert.equal((await ingest(node, service, [line])).body.accepted, 1);
      const row = await kept(table, external_id);
      assert.equal(await getContent(row.blob), 'ringing');
      assert.equal(row.size, 7, 'the size is that of the blob');
      assert.match(row.blob ?? '', new RegExp(`^${teamId}/${kind}/`));
    }
    assert.deepEqual(await loose(), []);
  });

  test('that is sent again isn’t written again', async () => {
    const line = voicemail({ data: data('once') });
    await ingest(node, service, [line]);
    const before = [await kept('records', line.external_id), blobsOnDisk().length];
    assert.equal((await ingest(node, service, [line])).body.unchanged, 1);
    assert.equal((await ingest(node, service, [{ ...line, title: 'A new title' }])).body.accepted, 1);
    assert.deepEqual([await kept('records', line.external_id), blobsOnDisk().length], before);
    assert.deepEqual(await loose(), []);
  });

  test('that is replaced or left out becomes unreferenced and is removed after an hour, not before', async () => {
    const line = voicemail({ data: data('first') });
    await ingest(node, service, [line]);
    const { blob: first } = await kept('records', line.external_id);
    await ingest(node, service, [{ ...line, data: data('second') }]);
    const { blob: second } = await kept('records', line.external_id);
    assert.notEqual(second, first);
    assert.deepEqual(await loose(), [first]);
    await tidied(59);
    assert.ok(await isKept(node, first));
    await tidied(2);
    assert.ok(!(await isKept(node, first)));
    assert.equal(await getContent(second), 'second');
    assert.deepEqual(await loose(), []);

    await ingest(node, service, [{ ...line, data: '' }]);
    assert.deepEqual(await kept('records', line.external_id), { blob: null, digest: '', size: 0 });
    assert.deepEqual(await loose(), [second]);
    await tidied(61);
    assert.ok(!(await isKept(node, second)));
  });

  test('of an item that is being deleted is left to the deletion job', async () => {
    const external_id = newId();
    const { id } = await file(node, teamId, { externalId: external_id, data: 'old' });
    await node.db.updateTable('files').set({ doomed: true }).where('id', '=', id).execute();
    const count = blobsOnDisk().length;
    const line = { kind: 'file', external_id, created_at: 1, name: 'a', data: data('new') };
    assert.equal((await ingest(node, service, [line])).body.failed, 1);
    assert.equal(blobsOnDisk().length, count + 1);
    await tidied(61);
    assert.equal(blobsOnDisk().length, count);
  });

  test('that is sent concurrently is kept once, and no other is left after the cleanup', async () => {
    const external_ids = Array.from({ length: 15 }, newId);
    const lines = (order: string[]) => order.map((external_id) => voicemail({ external_id, data: data(external_id) }));
    await using second = await startApp({ beside: node, pool: 4, work: false });
    const before = blobsOnDisk().length;
    const replies = await Promise.all([
      ingest(node, service, lines(external_ids)),
      ingest(second, service, lines(external_ids.toReversed())),
      ingest(second, service, lines(external_ids)),
    ]);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal(
      replies.reduce((sum, { body }) => sum + body.accepted, 0),
      15,
    );
    await tidied(61);
    assert.equal(blobsOnDisk().length, before + 15);
    for (const external_id of external_ids)
      assert.equal(await getContent((await kept('records', external_id)).blob), external_id);
  });
});

describe('when blobs can’t be stored', () => {
  const failing = (blobs: Partial<Blobs>) => Object.assign(node.deps.blobs, blobs);

  test('a body gets a 503, stored batches stay, and sending it again stores the rest', async () => {
    const { put } = node.deps.blobs;
    let left = 2;
    failing({
      put: async (key, content) => {
        left -= 1;
        if (left < 0) throw new Error('no space left');
        await put(key, content);
      },
    });
    const early = Array.from({ length: 1_000 }, () => voicemail({ title: 'no blob' }));
    const late = Array.from({ length: 5 }, (_, at) => voicemail({ data: data(`late ${at}`) }));
    const reply = await ingest(node, service, [...early, ...late]);
    assert.deepEqual([reply.status, reply.body.id], [503, 'server.unavailable']);
    assert.doesNotMatch(reply.text, /space/);
    failing({ put });
    const again = await ingest(node, service, [...early, ...late]);
    assert.deepEqual([again.body.accepted, again.body.unchanged], [5, 1_000]);
    const held = (await loose()).length;
    const before = blobsOnDisk().length;
    await tidied(61);
    assert.deepEqual([held, before - blobsOnDisk().length], [5, 2]);
  });

  test('a failed removal is retried and doesn’t block others', async () => {
    const line = voicemail({ data: data('one') });
    const other = voicemail({ data: data('other') });
    await ingest(node, service, [line, other]);
    const stuck = (await kept('records', line.external_id)).blob;
    await ingest(node, service, [
      { ...line, data: null },
      { ...other, data: null },
    ]);
    const { remove } = node.deps.blobs;
    failing({
      remove: async (key) => {
        if (key === stuck) throw new Error('denied');
        await remove(key);
      },
    });
    await tidied(61);
    assert.deepEqual(await loose(), [stuck]);
    failing({ remove });
    await tidied(0);
    assert.deepEqual(await loose(), []);
    assert.ok(!(await isKept(node, stuck)));
  });
});

test('a blob that was written too long ago to be claimed is written again', async () => {
  const line = voicemail({ data: data('slow') });
  const { put } = node.deps.blobs;
  Object.assign(node.deps.blobs, {
    put: async (key: string, content: Uint8Array) => {
      await put(key, content);
      await sql`update loose_blobs set since = since - interval '46 minutes'`.execute(node.db);
    },
  });
  assert.equal((await ingest(node, service, [line])).status, 503);
  assert.equal(await kept('records', line.external_id), undefined);
  Object.assign(node.deps.blobs, { put });
  assert.equal((await ingest(node, service, [line])).body.accepted, 1);
  await tidied(61);
  assert.equal(await getContent((await kept('records', line.external_id)).blob), 'slow');
});
