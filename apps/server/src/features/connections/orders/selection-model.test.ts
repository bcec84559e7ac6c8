import assert from 'node:assert/strict';
import type { RemoteMessage } from '@steward/contract/connections/connector';
import type { RetentionKind } from '@steward/contract/retention/fields';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import {
  connectedRule,
  connectedServer,
  DAY,
  fillMirror,
  remoteChannel,
  remoteMessage,
} from '#testing/workspace/connections.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { legalHold } from '#testing/workspace/holds.ts';
import { openOrder } from './orders.actions.ts';
import { listOpenOrders } from './orders.store.ts';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
  team = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const AUTHORS = ['ada', 'bob', 'eve'];
/** Days that the rule of each type of channel keeps its messages; undefined keeps them forever. */
const KEPT_DAYS: Record<string, number | undefined> = { O: 30, P: 60, D: undefined };
const KINDS: Record<string, RetentionKind> = { O: 'public_channels', P: 'private_channels', D: 'direct_messages' };

const row = fc.record({
  author: fc.constantFrom(...AUTHORS),
  /** The message of its thread that it answers or is an earlier version of; 0 is the first one. */
  of: fc.nat(2),
  isVersion: fc.boolean(),
  daysOld: fc.constantFrom(5, 29, 31, 59, 61, 62, 400, 400, 400, 400),
  hoursSinceChange: fc.constantFrom(1, 23, 25, 30, 9_000, 9_000, 9_000),
  isDeleted: fc.boolean(),
  hasFile: fc.boolean(),
  /** Known here for two days, or new. */
  isKnown: fc.oneof({ weight: 20, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
});
const thread = fc.record({ type: fc.constantFrom('O', 'P', 'D'), rows: fc.array(row, { minLength: 1, maxLength: 4 }) });
const hold = fc.record({
  author: fc.option(fc.constantFrom(...AUTHORS)),
  channel: fc.option(fc.constantFrom('O', 'P', 'D')),
  setting: fc.option(fc.constantFrom<RetentionKind>('public_channels', 'private_channels', 'files', 'archived_notes')),
  fromDaysAgo: fc.option(fc.constantFrom(30, 60)),
  toDaysAgo: fc.option(fc.constantFrom(30, 60)),
});
type Row = (typeof row extends fc.Arbitrary<infer T> ? T : never) & { message: RemoteMessage };
type Hold = typeof hold extends fc.Arbitrary<infer T> ? T : never;
type Thread = { type: string; rows: Row[] };

function toMessages(thread: { type: string; rows: Omit<Row, 'message'>[] }, at: number, now: number): Thread {
  const ids = thread.rows.map((_, position) => `t${at}-${position}`);
  const rows = thread.rows.map((drawn, position): Row => {
    const created_at = now - drawn.daysOld * DAY;
    const isFirst = position === 0;
    const target = ids[Math.min(drawn.of, position - 1)] ?? '';
    const message = remoteMessage({
      id: ids[position] ?? '',
      user_id: drawn.author,
      root_id: isFirst || (drawn.isVersion && target === ids[0]) ? '' : (ids[0] ?? ''),
      original_id: !isFirst && drawn.isVersion ? target : '',
      created_at,
      updated_at: Math.max(created_at, now - drawn.hoursSinceChange * 3_600_000),
      deleted_at: drawn.isDeleted ? created_at : 0,
      files: drawn.hasFile ? [{ id: `file-${at}-${position}`, size: 1 }] : [],
    });
    return { ...drawn, message };
  });
  return { type: thread.type, rows };
}

/** The rule in plain words: every row of the thread is old, quiet, known, and covered by no hold. */
function isDue({ type, rows }: Thread, holds: readonly Hold[], now: number): boolean {
  const days = KEPT_DAYS[type];
  if (days === undefined) return false;
  return rows.every(({ author, daysOld, hoursSinceChange, hasFile, isKnown, message }) => {
    const isQuiet = Math.min(hoursSinceChange, daysOld * 24) >= 24;
    const isHeld = holds.some((each) => {
      const fitsSetting =
        each.setting === null || each.setting === KINDS[type] || (each.setting === 'files' && hasFile);
      const fitsAuthor = each.author === null || each.author === author || (type === 'D' && each.author === 'ada');
      const fitsChannel = each.channel === null || each.channel === type;
      const fitsDates =
        (each.fromDaysAgo === null || message.created_at >= now - each.fromDaysAgo * DAY) &&
        (each.toDaysAgo === null || message.created_at < now - each.toDaysAgo * DAY);
      return fitsSetting && fitsAuthor && fitsChannel && fitsDates;
    });
    return daysOld > days && isQuiet && isKnown && !isHeld;
  });
}

async function select(threads: Thread[], holds: readonly Hold[], now: number): Promise<string[]> {
  const chat = await connectedServer(node, { teamId: team.id, acceptedBy: team.owner.id, directMessages: true });
  const channels = ['O', 'P', 'D'].map((type) => ({
    ...remoteChannel({ id: type, type: type as 'O', team_id: type === 'D' ? '' : 'team1' }),
    member_ids: type === 'D' ? ['ada', 'bob'] : [],
    messages: threads.filter((each) => each.type === type).flatMap(({ rows }) => rows.map(({ message }) => message)),
  }));
  await fillMirror(chat, { channels });
  const known = threads.flatMap(({ rows }) => rows.filter(({ isKnown }) => isKnown).map(({ message }) => message.id));
  await sql`update connected_messages set arrived_at = now() - interval '2 days'
    where server_id = ${chat.id} and id = any(${known})`.execute(node.db);
  await sql`update connected_channels set arrived_at = now() - interval '2 days' where server_id = ${chat.id}`.execute(
    node.db,
  );
  for (const [type, count] of Object.entries(KEPT_DAYS))
    if (count !== undefined) {
      const rule = { value: 1, duration: { count, period: 'd' } } as const;
      await connectedRule(node, chat, { kind: KINDS[type] as 'public_channels', rule });
    }
  await sql`delete from holds where team_id = ${team.id}`.execute(node.db);
  for (const each of holds)
    await legalHold(node, {
      teamId: team.id,
      ...(each.author === null ? {} : { connected_user_ids: [`${chat.id}/${each.author}`] }),
      ...(each.channel === null ? {} : { connected_channel_ids: [`${chat.id}/${each.channel}`] }),
      settings: each.setting === null ? [] : [each.setting],
      ...(each.fromDaysAgo === null ? {} : { from: now - each.fromDaysAgo * DAY }),
      ...(each.toDaysAgo === null ? {} : { to: now - each.toDaysAgo * DAY }),
    });
  await inTransaction(node.db, (trx) => openOrder(trx, node.deps, { serverId: chat.id, teamId: team.id }));
  const [order] = await listOpenOrders(node.db, chat.id);
  if (!order) return [];
  const rows = await node.db.selectFrom('connected_order_rows').select('id').where('order_id', '=', order.id).execute();
  return rows.map(({ id }) => id).sort();
}

test('an order names exactly the threads of which every row is old, quiet, known and not held', async () => {
  let named = 0;
  const threads = fc.array(thread, { minLength: 1, maxLength: 12 });
  // Holds without a person, channel or setting would cover the whole team most of the time.
  const narrow = hold.filter(({ author, channel, setting }) => author !== null || channel !== null || setting !== null);
  await fc.assert(
    fc.asyncProperty(threads, fc.array(narrow, { maxLength: 2 }), async (drawn, holds) => {
      const now = Date.now();
      const all = drawn.map((each, at) => toMessages(each, at, now));
      const due = all.filter((each) => isDue(each, holds, now));
      const expected = due.flatMap(({ rows }) => rows.map(({ message }) => message.id)).sort();
      named += expected.length;
      assert.deepEqual(await select(all, holds, now), expected);
    }),
    { numRuns: 40 },
  );
  assert.ok(named > 40, `the model named only ${named} messages`);
});
