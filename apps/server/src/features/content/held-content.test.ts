import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import {
  findGeneralChannel,
  ingest,
  serviceToken,
  type TestChannel,
  type TestService,
} from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { legalHold } from '#testing/workspace/holds.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let team: TestTeam;
let service: TestService;
let general: TestChannel;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  team = await createTeamWithMembers(node);
  service = await serviceToken(node, team.id);
  general = await findGeneralChannel(node, team.id);
});

const stored = async () => {
  const all = await Promise.all(
    (['messages', 'files', 'records'] as const).map((table) =>
      sql`select * from ${sql.table(table)} where team_id = ${team.id} order by id`.execute(node.db),
    ),
  );
  return all.map(({ rows }) => rows);
};

const by = (user_id: string, fields: object = {}) => ({ user_id, created_at: 1_000, ...fields });
const lines = (user_id: string, prefix: string) => [
  { ...by(user_id), kind: 'message', external_id: `${prefix}-message`, channel_id: general.id, text: 'Before' },
  { ...by(user_id), kind: 'file', external_id: `${prefix}-file`, name: 'a.txt', size: 5 },
  { ...by(user_id), kind: 'note', external_id: `${prefix}-note`, title: 'Before', archived_at: 1_000 },
];

/** The same lines with another text, title, name and date, and a deletion mark. */
const changed = (all: ReturnType<typeof lines>) =>
  all.map((line) => ({
    ...line,
    created_at: 2_000,
    deleted_at: 3_000,
    ...('text' in line ? { text: 'After' } : {}),
    ...('title' in line ? { title: 'After', archived_at: 2_000 } : {}),
    ...('name' in line ? { name: 'b.txt' } : {}),
  }));

test('a line for a held item changes nothing, and the answer and one audit row count it', async () => {
  const [held, free] = [lines(team.member.id, 'held'), lines(team.admin.id, 'free')];
  assert.equal((await ingest(node, service, [...held, ...free])).body.accepted, 6);
  await legalHold(node, { teamId: team.id, user_ids: [team.member.id] });
  const before = await stored();
  const { status, body } = await ingest(node, service, changed(held));
  assert.deepEqual([status, body], [200, { accepted: 0, unchanged: 0, held: 3, failed: 0, errors: [] }]);
  assert.deepEqual(await stored(), before);
  const rows = (await auditRows(node, 'content.held')).filter((row) => row.team_id === team.id);
  assert.deepEqual(
    rows.map(({ details }) => (details as { held: number }).held),
    [3],
  );
  const others = await ingest(node, service, [...changed(free), ...lines(team.member.id, 'new')]);
  assert.deepEqual([others.body.accepted, others.body.held], [6, 0], 'free items change and new ones are added');
});

test('a line can’t move an item out of a hold, by its author or its date', async () => {
  const [line] = lines(team.member.id, 'held');
  await ingest(node, service, [line ?? assert.fail()]);
  await legalHold(node, { teamId: team.id, user_ids: [team.member.id], from: 500, to: 1_500 });
  const before = await stored();
  for (const moved of [{ user_id: team.admin.id }, { created_at: 5_000 }, { created_at: 1 }]) {
    const { body } = await ingest(node, service, [{ ...line, ...moved }]);
    assert.deepEqual([body.accepted, body.held], [0, 1], JSON.stringify(moved));
  }
  assert.deepEqual(await stored(), before);
});

test('a hold of one kind leaves other kinds alone', async () => {
  const all = lines(team.member.id, 'held');
  await ingest(node, service, all);
  await legalHold(node, { teamId: team.id, settings: ['archived_notes'] });
  const { body } = await ingest(node, service, changed(all));
  assert.deepEqual([body.accepted, body.held], [2, 1]);
});
