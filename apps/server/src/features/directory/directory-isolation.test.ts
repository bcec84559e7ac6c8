import assert from 'node:assert/strict';
import {
  addEntries,
  finishImport,
  getImport,
  listEntries,
  listImports,
  listKeptEntries,
  removeEntry,
  restoreEntry,
  saveEntries,
  startImport,
  undoImport,
  uploadEntries,
} from '@steward/contract/directory';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, type Sending, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { createStartedImport, deletedEntry, entries, row } from '#testing/workspace/directory.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let ours: TestTeam;
let twin: TestTeam;
/** Two entries of the other team, one of them deleted, and two imports: one running, one ended. */
let foreign: { entry: string; deleted: string; running: string; ended: string };

const NAMES = [{ name: 'Twin a' }, { name: 'Twin b' }, { name: 'Twin c' }];

beforeAll(async () => {
  node = await startApp({ work: false });
  [ours, twin] = [await createTeamWithMembers(node, 'Twin'), await createTeamWithMembers(node, 'Twin')];
  await entries(node, ours.id, NAMES);
  const [first] = await entries(node, twin.id, NAMES);
  foreign = {
    entry: first?.id ?? '',
    deleted: await deletedEntry(node, twin.id, { name: 'Twin d' }),
    running: await createStartedImport(node, { teamId: twin.id, actorId: twin.owner.id }),
    ended: await createStartedImport(node, { teamId: twin.id, actorId: twin.owner.id, ended: true }),
  };
});

afterAll(() => node[Symbol.asyncDispose]());

const inOurs = (sending: Sending = {}): Sending => ({
  as: ours.owner,
  ...sending,
  params: { teamId: ours.id, ...sending.params },
});

describe('the wall between directories', () => {
  test('every call about a foreign team answers exactly what it answers about a team that does not exist', async () => {
    const contents = await snapshotTables(node, { except: ['presence'] });
    const importId = foreign.ended;
    const attempts = [
      [listEntries, {}],
      [addEntries, { body: [{ name: 'x' }] }],
      [addEntries, { body: 'not even a list' }],
      [saveEntries, { body: [{ id: foreign.entry, name: 'x' }] }],
      [removeEntry, { params: { entryId: foreign.entry } }],
      [restoreEntry, { params: { entryId: foreign.deleted } }],
      [uploadEntries, { body: [row({ name: 'x' })] }],
      [uploadEntries, { query: { preview: '1' }, body: [row({ id: foreign.entry, name: 'x' })] }],
      [startImport, { body: { file_name: 'x.csv' } }],
      [finishImport, { params: { importId: foreign.running }, body: { cancelled: true, unreadable: 0 } }],
      [listImports, {}],
      [getImport, { params: { importId } }],
      [undoImport, { params: { importId } }],
      [listKeptEntries, { params: { importId } }],
    ] as const;
    for (const [endpoint, sending] of attempts) {
      const about = (teamId: string) => {
        const params = { ...('params' in sending ? sending.params : {}), teamId };
        return call(node, endpoint, { as: ours.owner, ...sending, params });
      };
      const answer = toComparable(await about(twin.id));
      assert.equal(answer.status, 403);
      for (const unknown of [newId(), 'x', '\0'])
        assert.deepEqual(toComparable(await about(unknown)), answer, endpoint.name);
    }
    assert.deepEqual(await snapshotTables(node, { except: ['presence'] }), contents);
  });

  test('foreign entries and imports in path, query and body are as unknown as those that do not exist', async () => {
    const contents = await snapshotTables(node, { except: ['presence'] });
    const attempts: [string, (id: string) => ReturnType<typeof call>][] = [
      [foreign.entry, (id) => call(node, saveEntries, inOurs({ body: [{ id, name: 'Stolen' }] }))],
      [foreign.entry, (entryId) => call(node, removeEntry, inOurs({ params: { entryId } }))],
      [foreign.deleted, (entryId) => call(node, restoreEntry, inOurs({ params: { entryId } }))],
      [
        foreign.running,
        (import_id) => call(node, uploadEntries, inOurs({ query: { import_id }, body: [row({ name: 'x' })] })),
      ],
      [
        foreign.running,
        (importId) =>
          call(node, finishImport, inOurs({ params: { importId }, body: { cancelled: true, unreadable: 0 } })),
      ],
      [foreign.ended, (importId) => call(node, getImport, inOurs({ params: { importId } }))],
      [foreign.ended, (importId) => call(node, undoImport, inOurs({ params: { importId } }))],
      [foreign.ended, (importId) => call(node, listKeptEntries, inOurs({ params: { importId } }))],
    ];
    for (const [id, attempt] of attempts) {
      const answer = toComparable(await attempt(id));
      assert.equal(answer.status, 404);
      assert.deepEqual(toComparable(await attempt(newId())), answer);
    }
    assert.deepEqual(await snapshotTables(node, { except: ['presence'] }), contents);
  });

  test('a last_key of the other team is refused, for the same names', async () => {
    const first = await call(node, listEntries, {
      as: twin.owner,
      params: { teamId: twin.id },
      query: { limit: '1' },
    });
    const query = { limit: '1', last_key: first.body.last_key };
    assert.equal((await call(node, listEntries, { as: twin.owner, params: { teamId: twin.id }, query })).status, 200);
    assert.equal((await call(node, listEntries, inOurs({ query }))).status, 400);
  });

  test('lists show only the team in the path, whatever ids come along', async () => {
    const query = { team_id: twin.id, teamId: twin.id };
    const listed = (await call(node, listEntries, inOurs({ query }))).body.records;
    assert.deepEqual(
      listed.map(({ name }: { name: string }) => name),
      NAMES.map(({ name }) => name),
    );
    assert.deepEqual((await call(node, listImports, inOurs({ query }))).body.records, []);
    const body = [{ name: 'Twin d', team_id: twin.id, id: foreign.entry, user_id: twin.owner.id }];
    const added = await call(node, addEntries, inOurs({ body }));
    assert.equal(added.body.records[0].user_id, '');
    assert.notEqual(added.body.records[0].id, foreign.entry);
    const theirs = await call(node, listEntries, { as: twin.owner, params: { teamId: twin.id } });
    assert.ok(!theirs.text.includes('Twin d'));
  });
});
