import assert from 'node:assert/strict';
import { previewRetention, saveNoteRetention } from '@steward/contract/retention';
import type { RetentionKind, RetentionRule } from '@steward/contract/retention/fields';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel, ingest, serviceToken, type TestChannel, type TestService } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { runNow, setRule } from '#testing/workspace/retention.ts';

let node: TestApp;
let team: TestTeam;
let service: TestService;
let rooms: Record<'O' | 'P', TestChannel>;

const keepFor = (count: number, period: 'd' | 'm' | 'y' = 'd'): RetentionRule => ({
  value: 1,
  duration: { count, period },
});
const KINDS: RetentionKind[] = ['public_channels', 'files', 'archived_notes', 'call_history'];

beforeAll(async () => {
  node = await startApp({ work: false });
  team = await createTeamWithMembers(node);
  service = await serviceToken(node, team.id);
  rooms = { O: await channel(node, team.id), P: await channel(node, team.id, { type: 'P' }) };
  for (const kind of KINDS) await setRule(node, team.id, kind, keepFor(30));
});

afterAll(() => node[Symbol.asyncDispose]());

const NOW = Date.now();
const OLD = Date.UTC(2020, 0, 1);

/** One item of each kind with this date. */
const lines = (external_id: string, at: number, channel_id = rooms.O.id) => [
  { kind: 'message', external_id, created_at: at, channel_id, text: 'Hello' },
  { kind: 'file', external_id, created_at: at, name: 'a.txt' },
  { kind: 'note', external_id, created_at: OLD, archived_at: at },
  { kind: 'call', external_id, created_at: at },
];
const send = async (items: object[], by = service) => {
  const { body } = await ingest(node, by, items);
  assert.deepEqual([body.accepted + body.unchanged, body.errors], [items.length, []]);
};

async function left(externalId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select (
    (select count(*) from messages where team_id = ${team.id} and external_id = ${externalId}) +
    (select count(*) from files where team_id = ${team.id} and external_id = ${externalId}) +
    (select count(*) from records where team_id = ${team.id} and external_id = ${externalId}))::int as count`.execute(
    node.db,
  );
  return rows[0]?.count ?? 0;
}

/** Moves recorded times into the past. */
async function passHours(hours: number): Promise<void> {
  const earlier = sql`make_interval(secs => ${hours * 3_600})`;
  await sql`update backdated_items set at = at - ${earlier}`.execute(node.db);
  await sql`update retention_policies set rule_saved_at = rule_saved_at - ${earlier},
    effective_at = effective_at - ${earlier}`.execute(node.db);
}

const countBackdated = async () => (await sql`select 1 from backdated_items`.execute(node.db)).rows.length;

describe('an update that moves an item below the cutoff of a rule', () => {
  test('keeps it for 24 hours', async () => {
    const id = newId();
    await send(lines(id, NOW));
    await send(lines(id, OLD));
    await runNow(node, team.id);
    assert.equal(await left(id), 4);
    await passHours(23);
    await runNow(node, team.id);
    assert.equal(await left(id), 4);
    await passHours(1.01);
    await runNow(node, team.id);
    assert.equal(await left(id), 0);
  });

  test('is only recorded if the item was above the cutoff before, and is below it now', async () => {
    const [kept, below] = [newId(), newId()];
    await send(lines(kept, NOW));
    await send(lines(below, OLD));
    const before = await countBackdated();
    await send(lines(kept, NOW - 60_000));
    await send(lines(below, OLD + 60_000));
    assert.equal(await countBackdated(), before);
  });

  test('keeps it until a rule that is saved afterwards takes effect', async () => {
    const id = newId();
    await send(lines(id, NOW));
    await send(lines(id, OLD));
    for (const kind of KINDS) await setRule(node, team.id, kind, keepFor(31));
    await runNow(node, team.id);
    assert.equal(await left(id), 0);
    for (const kind of KINDS) await setRule(node, team.id, kind, keepFor(30));
  });

  test('keeps it while a stricter rule that is saved afterwards waits', async () => {
    const id = newId();
    await send(lines(id, NOW).slice(2, 3));
    await send(lines(id, OLD).slice(2, 3));
    const params = { teamId: team.id };
    const save = (days: number) =>
      call(node, saveNoteRetention, { as: team.owner, params, body: { archived_notes: keepFor(days) } });
    assert.equal((await save(7)).status, 200);
    await runNow(node, team.id);
    assert.equal(await left(id), 1);
    await passHours(23.9);
    await runNow(node, team.id);
    assert.equal(await left(id), 1);
    await send(lines(id, NOW).slice(2, 3));
    await send(lines(id, OLD).slice(2, 3));
    await passHours(0.2);
    await runNow(node, team.id);
    assert.equal(await left(id), 1, 'a rule that was saved before the update took effect');
    await passHours(23.9);
    await runNow(node, team.id);
    assert.equal(await left(id), 0);
    await setRule(node, team.id, 'archived_notes', keepFor(30));
  });

  test('keeps it however often it is repeated, and for no longer', async () => {
    const id = newId();
    await send(lines(id, NOW));
    await send(lines(id, OLD));
    await passHours(20);
    for (const at of [OLD, OLD + 1, OLD + 2]) await send(lines(id, at));
    await passHours(4.01);
    await runNow(node, team.id);
    assert.equal(await left(id), 0);
  });

  test('keeps a message that is marked deleted long ago, or moved to a channel with a rule', async () => {
    const [marked, moved] = [newId(), newId()];
    const file = { kind: 'file', external_id: marked, created_at: NOW, name: 'a.txt' };
    await setRule(node, team.id, 'files', { value: 0, canmark: 1, duration: { count: 30, period: 'd' } });
    await send([file, ...lines(moved, OLD, rooms.P.id).slice(0, 1)]);
    await send([{ ...file, marked_deleted_at: OLD }, ...lines(moved, OLD).slice(0, 1)]);
    await runNow(node, team.id);
    assert.deepEqual([await left(marked), await left(moved)], [1, 1]);
    await passHours(24.01);
    await runNow(node, team.id);
    assert.deepEqual([await left(marked), await left(moved)], [0, 0]);
    await setRule(node, team.id, 'files', keepFor(30));
  });

  test('of a token that replaced the one that sent it keeps it too', async () => {
    const id = newId();
    await send(lines(id, NOW));
    await send(lines(id, OLD), await serviceToken(node, team.id, { sourceId: service.sourceId }));
    await runNow(node, team.id);
    assert.equal(await left(id), 4);
    await passHours(24.01);
    await runNow(node, team.id);
  });

  test('is not counted by the preview of the current rule, but by that of another', async () => {
    const id = newId();
    await send(lines(id, NOW));
    await send(lines(id, OLD));
    const preview = async (days: number) => {
      const body = Object.fromEntries(KINDS.map((kind) => [kind, keepFor(days)]));
      const reply = await call(node, previewRetention, { as: team.owner, params: { teamId: team.id }, body });
      assert.equal(reply.status, 200);
      return KINDS.map((kind) => reply.body[kind].count);
    };
    assert.deepEqual(await preview(30), [0, 0, 0, 0]);
    assert.deepEqual(await preview(29), [1, 1, 1, 1]);
    await passHours(24.01);
    assert.deepEqual(await preview(30), [1, 1, 1, 1]);
    await runNow(node, team.id);
  });
});

test('new items, and those that were below the cutoff already, are deleted by the next run', async () => {
  const [fresh, older] = [newId(), newId()];
  const before = await countBackdated();
  await send(lines(fresh, OLD));
  await send(lines(older, OLD + 5));
  await send(lines(older, OLD));
  assert.equal(await countBackdated(), before);
  await runNow(node, team.id);
  assert.deepEqual([await left(fresh), await left(older)], [0, 0]);
});

test('items of a kind without a rule can be moved back, and the 24 hours of a rule saved later protect them', async () => {
  const id = newId();
  await send([{ kind: 'task', external_id: id, created_at: OLD, completed_at: NOW }]);
  await send([{ kind: 'task', external_id: id, created_at: OLD, completed_at: OLD }]);
  await runNow(node, team.id);
  assert.equal(await left(id), 1);
});
