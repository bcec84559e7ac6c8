import assert from 'node:assert/strict';
import { getFileInfo } from '@steward/contract/files';
import { loadNames } from '@steward/server/src/app/demo/sample-data/name-pools.ts';
import { call, send } from '@steward/server/testing/app/call.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { isKept } from '@steward/server/testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam, team } from '@steward/server/testing/workspace/factories.ts';
import { snapshotTables } from '@steward/server/testing/workspace/snapshot-tables.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { fillChannels, fillFiles, fillMessages, fillRecords, fillUsers, loadStage } from './fill.actions.ts';

/** Commands connect as the owner of the database, who may rebuild indexes. */
const toWorkspace = (node: TestApp) => ({ ...node.deps, db: node.db });

const UNTIL = Date.UTC(2026, 2, 1);
const YEARS_MS = 3 * 365 * 86_400_000;

/** Fills a team with every kind and returns the numbers of rows. */
async function fillAll(
  node: TestApp,
  teamId: string,
  counts: { channels: number; messages: number; files: number; records: number },
  options: { seed?: number; until?: number; rebuildsIndexes?: boolean } = {},
): Promise<number[]> {
  const { seed = 1, until = UNTIL, ...rest } = options;
  const recipe = { key: teamId, seed, until };
  const channels = await fillChannels(toWorkspace(node), recipe, counts.channels);
  const stage = await loadStage(node.db, teamId, counts.channels > 0 ? channels.ids : undefined);
  const of = (count: number) => ({ recipe, stage, count, progress: () => undefined, ...rest });
  return [
    channels.added,
    await fillMessages(toWorkspace(node), of(counts.messages)),
    await fillFiles(toWorkspace(node), of(counts.files)),
    await fillRecords(toWorkspace(node), of(counts.records)),
  ];
}

const SOME = { channels: 10, messages: 2_400, files: 40, records: 160 };
const FEW = { channels: 4, messages: 120, files: 10, records: 40 };
const ADDED = Object.values(FEW);

describe('generated content', () => {
  let node: TestApp;
  let ours: TestTeam;
  let added: number[];
  beforeAll(async () => {
    node = await startApp({ work: false });
    ours = await createTeamWithMembers(node);
    await fillUsers(toWorkspace(node), {
      recipe: { pools: await loadNames(), key: ours.id, seed: 1 },
      count: 60,
      progress: () => undefined,
    });
    added = await fillAll(node, ours.id, SOME);
  });
  afterAll(() => node[Symbol.asyncDispose]());

  it('comes once, also when the day is another, and a larger number adds the rest', async () => {
    assert.deepEqual(added, [10, 2_400, 40, 160]);
    const before = await snapshotTables(node);
    assert.deepEqual(await fillAll(node, ours.id, SOME, { until: UNTIL + 86_400_000 }), [0, 0, 0, 0]);
    assert.deepEqual(await snapshotTables(node), before);
    const more = { channels: 12, messages: 2_500, files: 50, records: 170 };
    assert.deepEqual(await fillAll(node, ours.id, more), [2, 100, 10, 10]);
    assert.deepEqual(await fillAll(node, ours.id, FEW, { seed: 2 }), ADDED);
  });

  it('goes into channels of all kinds, written by those who belong to them, in three years', async () => {
    const { rows } = await sql<Record<string, number>>`select channel_type as type, count(*)::int as count,
        count(*) filter (where m.delete_at > 0)::int as marked,
        count(*) filter (where j.person_id is null)::int as strangers,
        count(*) filter (where m.channel_type <> c.type)::int as mistyped,
        count(*) filter (where m.create_at < ${UNTIL - YEARS_MS} or m.create_at >= ${UNTIL})::int as outside,
        count(*) filter (where m.delete_at > 0 and m.delete_at < m.create_at)::int as backwards,
        count(*) filter (where m.size <> octet_length(m.text))::int as missized
      from messages m join channels c using (team_id) left join channel_members j
        on j.team_id = m.team_id and j.channel_id = m.channel_id and j.person_id = m.user_id
      where m.team_id = ${ours.id} and c.id = m.channel_id group by 1 order by 1`.execute(node.db);
    assert.deepEqual(
      rows.map(({ type }) => type),
      ['D', 'O', 'P'],
    );
    for (const { type, count, marked, ...faults } of rows) {
      assert.ok(Number(count) > 100, `${type}: ${count}`);
      assert.equal(Number(marked) > 0, String(type) === 'D', 'only conversations have marked messages');
      assert.deepEqual(faults, { strangers: 0, mistyped: 0, outside: 0, backwards: 0, missized: 0 });
    }
  });

  it('has records of all kinds, and only those that can wait have no clock', async () => {
    const { rows } = await sql<{ kind: string; open: number; wrong: number }>`select kind,
        count(*) filter (where clock is null)::int as open,
        count(*) filter (where clock < create_at or clock > ${UNTIL})::int as wrong
      from records where team_id = ${ours.id} group by 1 order by 1`.execute(node.db);
    assert.equal(rows.length, 8);
    assert.deepEqual(
      rows.filter(({ open }) => open > 0).filter(({ kind }) => !/^(note|task|meeting)/.test(kind)),
      [],
    );
    for (const { kind, open, wrong } of rows) {
      assert.equal(wrong, 0, kind);
      if (kind === 'note' || kind === 'task') assert.ok(open > 0, kind);
    }
  });

  it('has files that can be downloaded, and leaves no blob without a row', async () => {
    const { rows } = await sql<{ id: string; name: string; size: number; blob: string }>`select id, name, size, blob
      from files where team_id = ${ours.id} and delete_at = 0 and channel_id = '' order by id limit 1`.execute(node.db);
    const [one] = rows;
    assert.ok(one && (await isKept(node, one.blob)));
    const reply = await send(node, { url: `/api/v4/files/${one.id}`, headers: { cookie: ours.admin.cookie } });
    assert.equal(Buffer.byteLength(reply.text), one.size);
    const info = await call(node, getFileInfo, { as: ours.admin, params: { fileId: one.id } });
    assert.equal(info.body.name, one.name);
    assert.deepEqual((await sql`select 1 from loose_blobs`.execute(node.db)).rows, []);
  });

  it('is not cut off by a team without members', async () => {
    const empty = await team(node);
    assert.deepEqual(await fillAll(node, empty, FEW), ADDED);
  });

  it('goes into general where the team has nothing else', async () => {
    const quiet = await team(node);
    assert.deepEqual(await fillAll(node, quiet, { ...FEW, channels: 0 }), [0, 120, 10, 40]);
    const { rows } = await sql<{ name: string }>`select distinct c.name from messages m join channels c
      on c.team_id = m.team_id and c.id = m.channel_id where m.team_id = ${quiet}`.execute(node.db);
    assert.deepEqual(rows, [{ name: 'general' }]);
  });

  it('comes by the quick way as by the slow one, which leaves the indexes as they were', async () => {
    const [slow, quick] = [await team(node), await team(node)];
    const shape = () =>
      sql`select indexdef from pg_indexes where schemaname = 'public' order by 1`.execute(node.db).then((r) => r.rows);
    const before = await shape();
    assert.deepEqual(await fillAll(node, slow, FEW, { rebuildsIndexes: false }), ADDED);
    const files = { ...FEW, files: 1_001 };
    assert.deepEqual(await fillAll(node, quick, files, { rebuildsIndexes: true }), [4, 120, 1_001, 40]);
    assert.deepEqual(await shape(), before);
    const { rows } = await sql`select count(*)::int as count, count(blob)::int as kept from files
      where team_id = ${quick}`.execute(node.db);
    assert.deepEqual(rows, [{ count: 1_001, kept: 1_000 }]);
  });
});
