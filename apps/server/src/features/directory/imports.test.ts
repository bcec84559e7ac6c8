import assert from 'node:assert/strict';
import {
  finishImport,
  getImport,
  listEntries,
  listImports,
  listKeptEntries,
  removeEntry,
  saveEntries,
  startImport,
  type UploadRow,
  undoImport,
  uploadEntries,
} from '@steward/contract/directory';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { call } from '#testing/app/call.ts';
import { cleanUp } from '#testing/app/clean-up.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { entries, row } from '#testing/workspace/directory.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { type EntryRow, findEntries } from './directory.store.ts';
import { createStalledImportsWorker } from './stalled-imports.job.ts';
import { createUndoWorker, undo } from './undo-import.job.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 2 });
});

afterAll(() => node[Symbol.asyncDispose]());

const as = () => ours.admin;
const params = () => ({ teamId: ours.id });
const start = async () =>
  (await call(node, startImport, { as: as(), params: params(), body: { file_name: 'people.csv' } })).body.id as string;
const send = (importId: string, rows: UploadRow[], query: object = {}) =>
  call(node, uploadEntries, { as: as(), params: params(), query: { import_id: importId, ...query }, body: rows });
const finish = (importId: string, body: object = { cancelled: false, unreadable: 0 }) =>
  call(node, finishImport, { as: as(), params: { ...params(), importId }, body });
const get = async (importId: string) =>
  (await call(node, getImport, { as: as(), params: { ...params(), importId } })).body;
const kept = async (importId: string) =>
  (await call(node, listKeptEntries, { as: as(), params: { ...params(), importId } })).body.records;
const edit = (id: string, fields: object) =>
  call(node, saveEntries, { as: as(), params: params(), body: [{ id, ...fields }] });
const all = async (query: Record<string, string> = {}): Promise<EntryRow[]> =>
  (await call(node, listEntries, { as: as(), params: params(), query: { limit: '2000', ...query } })).body.records;

async function imported(rows: UploadRow[]): Promise<string> {
  const id = await start();
  assert.equal((await send(id, rows)).status, 200);
  assert.equal((await finish(id)).status, 200);
  return id;
}

async function undone(importId: string): Promise<{ removed: number; restored: number; kept: number }> {
  const reply = await call(node, undoImport, { as: as(), params: { ...params(), importId } });
  assert.equal(reply.status, 200);
  await settled(node);
  const found = await get(importId);
  assert.equal(found.state, 'undone');
  assert.ok(found.undo.ended_at > 0);
  const { ended_at: _, ...counts } = found.undo;
  return counts;
}

describe('an import', () => {
  beforeAll(async () => {
    ours = await createTeamWithMembers(node);
  });

  test('of many chunks is counted together and leaves one line in the audit log, when it ends', async () => {
    const before = await auditRows(node, 'directory.imported');
    const [one] = await entries(node, ours.id, [{ name: 'Old' }]);
    const id = await start();
    await send(id, [row({ name: 'First' }), row({ name: '' })]);
    await send(id, [row({ id: one?.id ?? '', name: 'New' }), row({ name: 'Second' })]);
    assert.deepEqual(await auditRows(node, 'directory.imported'), before);
    assert.equal((await get(id)).state, 'running');
    const { body } = await finish(id, { cancelled: false, unreadable: 3 });
    const counts = { created: 2, changed: 1, unchanged: 0, failed: 4 };
    assert.deepEqual({ ...body, ...counts, state: 'finished' }, body);
    assert.equal(body.undo_until, body.started_at + 30 * 86_400_000);
    const audit = { state: 'finished', file_name: 'people.csv', ...counts };
    const expected = [{ team_id: ours.id, actor_id: ours.admin.id, target: id, details: audit }];
    assert.deepEqual(await auditRows(node, 'directory.imported'), [...before, ...expected]);
  });

  test('that has ended takes no more rows and ends no second time', async () => {
    const id = await start();
    await send(id, [row({ name: 'In time' })]);
    assert.equal((await finish(id, { cancelled: true, unreadable: 0 })).body.state, 'cancelled');
    const before = await snapshotTables(node);
    assert.equal((await send(id, [row({ name: 'Too late' })])).status, 409);
    assert.equal((await finish(id)).status, 409);
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('belongs to the admin who started it, and all admins of the team see it, newest first', async () => {
    await finish(await start(), { cancelled: true, unreadable: 0 });
    const id = await start();
    const rows = [row({ name: 'Not mine' })];
    const sending = { as: ours.owner, params: params() };
    const query = { import_id: id };
    assert.equal((await call(node, uploadEntries, { ...sending, query, body: rows })).status, 404);
    const end = { params: { ...params(), importId: id }, body: { cancelled: true, unreadable: 0 } };
    assert.equal((await call(node, finishImport, { as: ours.owner, ...end })).status, 404);
    const first = (await call(node, listImports, { ...sending, query: { limit: '1' } })).body;
    assert.equal(first.records[0].id, id);
    assert.equal(first.records[0].started_by_name, 'Some Body');
    const { body } = await call(node, listImports, { ...sending, query: { limit: '1', last_key: first.last_key } });
    assert.equal(body.records[0].state, 'cancelled');
  });

  test('that is abandoned is ended, logged, and can be undone', async () => {
    const id = await start();
    await send(id, [row({ name: 'Left behind' })]);
    const fresh = await start();
    await sql`update directory_imports set touched_at = now() - interval '16 minutes' where id = ${id}`.execute(
      node.db,
    );
    await createStalledImportsWorker(node.deps).handle({}, { id: '', attempt: 1, isLast: false });
    const found = await get(id);
    assert.equal(found.state, 'interrupted');
    assert.ok(found.undo_until > 0);
    assert.equal((await get(fresh)).state, 'running');
    const audit = (await auditRows(node, 'directory.imported')).filter(({ target }) => target === id);
    assert.deepEqual(
      audit.map(({ details }) => [details.state, details.created]),
      [['interrupted', 1]],
    );
  });

  test('is forgotten after 30 days, with what it remembered, and its entries stay', async () => {
    const [one] = await entries(node, ours.id, [{ name: 'Before' }]);
    const id = await imported([row({ id: one?.id ?? '', name: 'After' }), row({ name: 'Stays' })]);
    await sql`update directory_imports set started_at = now() - interval '30 days 1 second' where id = ${id}`.execute(
      node.db,
    );
    assert.equal((await get(id)).undo_until, 0);
    const late = await call(node, undoImport, { as: as(), params: { ...params(), importId: id } });
    assert.deepEqual([late.status, late.body.message], [409, 'An import can be undone for 30 days.']);
    await cleanUp(node);
    const { rows } = await sql`select 1 from directory_import_changes where import_id = ${id}`.execute(node.db);
    assert.deepEqual(rows, []);
    assert.equal((await call(node, getImport, { as: as(), params: { ...params(), importId: id } })).status, 404);
    assert.deepEqual(
      (await all()).map(({ name }) => name).filter((name) => ['After', 'Stays'].includes(name)),
      ['After', 'Stays'],
    );
  });
});

describe('undoing an import', () => {
  beforeAll(async () => {
    ours = await createTeamWithMembers(node);
  });

  test('removes what it created, restores what it changed, and leaves no trace of either', async () => {
    const made = await entries(node, ours.id, [
      { name: 'A', phone_number: '1', sms: '2', email: 'a@a.de' },
      { name: 'B', email: ours.member.email },
      { name: 'C' },
    ]);
    const before = await all();
    const id = await imported([
      row({ id: made[0]?.id ?? '', name: 'A2' }),
      row({ id: made[1]?.id ?? '', name: 'B', email: ours.owner.email }),
      row({ id: made[2]?.id ?? '', name: 'C' }),
      ...Array.from({ length: 1_001 }, (_, at) => row({ name: `New ${at}` })),
    ]);
    assert.deepEqual(await undone(id), { removed: 1_001, restored: 2, kept: 0 });
    assert.deepEqual(await all(), before);
    assert.deepEqual(await kept(id), []);
    const audit = (await auditRows(node, 'directory.import_undone')).at(-1);
    assert.deepEqual(audit, {
      team_id: ours.id,
      actor_id: ours.admin.id,
      target: id,
      details: { removed: 1_001, restored: 2, kept: 0 },
    });
  });

  test('restores entries that its rows matched by address', async () => {
    const [matched] = await entries(node, ours.id, [{ name: 'Matched', email: 'matched@example.com' }]);
    const id = await start();
    const rows = [row({ name: 'Renamed', email: 'matched@example.com' }), row({ name: 'Not there before' })];
    assert.partialDeepStrictEqual((await send(id, rows, { if_exists: 'update' })).body, { created: 1, changed: 1 });
    await finish(id);
    assert.deepEqual(await undone(id), { removed: 1, restored: 1, kept: 0 });
    assert.deepEqual(await findEntries(node.db, ours.id, [matched?.id ?? '']), [matched]);
  });

  test('keeps and lists entries edited or deleted since', async () => {
    const made = await entries(node, ours.id, [{ name: 'Edited' }, { name: 'Deleted' }, { name: 'Untouched' }]);
    const [one, two, three] = made.map(({ id }) => id) as [string, string, string];
    const id = await imported([
      row({ id: one, name: 'Edited by file' }),
      row({ id: two, name: 'Deleted by file' }),
      row({ id: three, name: 'Untouched by file' }),
      row({ name: 'Created, then edited' }),
      row({ name: 'Created, then deleted' }),
      row({ name: 'Created, untouched' }),
    ]);
    const getId = async (name: string) => (await all()).find((entry) => entry.name === name)?.id ?? '';
    await edit(one, { name: 'Edited by hand' });
    await edit(await getId('Created, then edited'), { name: 'Worth keeping' });
    for (const entryId of [two, await getId('Created, then deleted')])
      await call(node, removeEntry, { as: as(), params: { ...params(), entryId } });
    assert.deepEqual(await undone(id), { removed: 1, restored: 1, kept: 3 });
    const names = (await all()).map(({ name }) => name);
    for (const name of ['Edited by hand', 'Worth keeping', 'Untouched']) assert.ok(names.includes(name), name);
    for (const name of ['Created, untouched', 'Deleted', 'Deleted by file']) assert.ok(!names.includes(name), name);
    const listed = (await kept(id)).map(({ name, reason }: { name: string; reason: string }) => `${name}: ${reason}`);
    assert.deepEqual(listed.sort(), ['Deleted: deleted', 'Edited by hand: edited', 'Worth keeping: edited']);
  });

  test('of two imports over the same entry goes back step by step, the later one first', async () => {
    const [one] = await entries(node, ours.id, [{ name: 'Version 1' }]);
    const id = one?.id ?? '';
    const first = await imported([row({ id, name: 'Version 2' })]);
    const second = await imported([row({ id, name: 'Version 3' })]);
    assert.deepEqual(await undone(second), { removed: 0, restored: 1, kept: 0 });
    assert.equal((await findEntries(node.db, ours.id, [id]))[0]?.name, 'Version 2');
    assert.deepEqual(await undone(first), { removed: 0, restored: 1, kept: 0 });
    assert.equal((await findEntries(node.db, ours.id, [id]))[0]?.name, 'Version 1');
    const [third, fourth] = [await imported([row({ id, name: 'X' })]), await imported([row({ id, name: 'Y' })])];
    assert.deepEqual(await undone(third), { removed: 0, restored: 0, kept: 1 });
    assert.equal((await findEntries(node.db, ours.id, [id]))[0]?.name, 'Y');
    assert.deepEqual(await undone(fourth), { removed: 0, restored: 1, kept: 0 });
  });

  test('is refused while it runs, a second time, and where it changed nothing', async () => {
    const running = await start();
    await send(running, [row({ name: 'Still coming' })]);
    const nothing = await imported([row({ name: '' })]);
    const done = await imported([row({ name: 'Once' })]);
    await undone(done);
    for (const [importId, message] of [
      [running, 'This import still runs.'],
      [nothing, 'This import changed nothing.'],
      [done, 'This import was undone already.'],
    ] as const) {
      const reply = await call(node, undoImport, { as: as(), params: { ...params(), importId } });
      assert.deepEqual([reply.status, reply.body.message], [409, message]);
    }
  });

  test('resumes after an interruption, on two nodes concurrently, with the same result', async () => {
    await using idle = await startApp({ beside: node, work: false, pool: 2 });
    const made = await entries(
      node,
      ours.id,
      Array.from({ length: 1_001 }, (_, at) => ({ name: `Cut ${at}` })),
    );
    const before = await all();
    const id = await imported([
      ...made.map((entry) => row({ ...entry, name: `${entry.name} changed` })),
      ...Array.from({ length: 1_002 }, (_, at) => row({ name: `Cut new ${at}` })),
    ]);
    const [edited] = await all({ search: 'cut new 1001' });
    await edit(edited?.id ?? '', { name: 'Cut and kept' });
    // Simulates a requested undo whose node was killed before the first batch.
    await inTransaction(node.db, (trx) =>
      sql`update directory_imports set state = 'undoing', undone_by = ${ours.admin.id} where id = ${id}`.execute(trx),
    );
    const payload = undo.payload.parse({ team_id: ours.id, import_id: id });
    const workers = [createUndoWorker(node.deps), createUndoWorker(idle.deps), createUndoWorker(node.deps)];
    // On a slow machine one worker may time out waiting for a lock; the queue would retry it.
    const tried = async (worker: (typeof workers)[number], attempt = 1): Promise<void> =>
      worker
        .handle(payload, { id: '', attempt, isLast: false })
        .catch((error) => (attempt < 5 ? tried(worker, attempt + 1) : Promise.reject(error)));
    await Promise.all(workers.map((worker) => tried(worker)));
    const { removed, restored, kept: left } = (await get(id)).undo;
    assert.deepEqual({ removed, restored, kept: left }, { removed: 1_001, restored: 1_001, kept: 1 });
    assert.deepEqual(
      (await all()).filter(({ name }) => name !== 'Cut and kept'),
      before,
    );
    const audits = (await auditRows(node, 'directory.import_undone')).filter(({ target }) => target === id);
    assert.equal(audits.length, 1);
  });

  test('without a job, as after a restore, is resumed', async () => {
    const id = await imported([row({ name: 'Forgotten by the queue' })]);
    const mark = (ago: string) =>
      sql`update directory_imports set state = 'undoing', undone_by = ${ours.admin.id},
        touched_at = now() - ${ago}::interval where id = ${id}`.execute(node.db);
    const resumed = async () => {
      await createStalledImportsWorker(node.deps).handle({}, { id: '', attempt: 1, isLast: false });
      await settled(node);
      return (await get(id)).state;
    };
    await mark('14 minutes');
    assert.equal(await resumed(), 'undoing', 'another node may still be working on it');
    await mark('16 minutes');
    assert.equal(await resumed(), 'undone');
    assert.deepEqual(await all({ search: 'forgotten by' }), []);
  });
});
