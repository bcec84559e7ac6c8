import assert from 'node:assert/strict';
import { previewRetention } from '@steward/contract/retention';
import {
  type Duration,
  RETENTION_KINDS,
  type RetentionKind,
  type RetentionRule,
} from '@steward/contract/retention/fields';
import { getRetentionAges, getRetentionForecast, listDueItems } from '@steward/contract/retention/foresight';
import { isMarkable } from '@steward/contract/retention/rules';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { createFairQueue } from '#platform/jobs/fair-queue.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { team as createTeam, createTeamWithMembers, type TestTeam, user } from '#testing/workspace/factories.ts';
import { addChannels, addItem, getIds, runNow, setRule } from '#testing/workspace/retention.ts';
import { addHold } from '#workspace/content/holds/holds.store.ts';
import type { RuleState } from '#workspace/content/retention/rule-schedule.rules.ts';
import { findTeamRules } from '#workspace/content/retention/team-rules.store.ts';
import { RETENTION_TARGETS } from '../rules/retention-targets.ts';
import { saveRule } from '../rules/rules.store.ts';
import { countAges, forecast } from './foresight.actions.ts';
import { getScopeAt, listNights } from './nights.rules.ts';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
  team = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NIGHTS = 6;
const FOREVER = (NIGHTS + 1) * 24;
/** Dates of items are relative to this. */
const NOW = Date.now();
const queue = createFairQueue({ atOnce: 1, waitingPerKey: 1, waiting: 1 });

const duration: fc.Arbitrary<Duration> = fc.oneof(
  fc.record({ count: fc.integer({ min: 1, max: 40 }), period: fc.constant('d' as const) }),
  fc.record({ count: fc.integer({ min: 1, max: 3 }), period: fc.constant('m' as const) }),
);
const rule: fc.Arbitrary<RetentionRule> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ value: fc.constant(1 as const), duration }) },
  { weight: 2, arbitrary: fc.record({ value: fc.constant(0 as const), canmark: fc.constant(1 as const), duration }) },
  fc.constant<RetentionRule>({ value: 0 }),
);
const item = fc.record({
  hoursAgo: fc.oneof(fc.integer({ min: 0, max: 45 * 24 }), fc.integer({ min: 0, max: 100 * 24 })),
  size: fc.integer({ min: 0, max: 5_000 }),
  marked: fc.boolean(),
  author: fc.integer({ min: 0, max: 2 }),
  /** Hours since a service moved the date back; undefined for most items. */
  backdated: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fc.integer({ min: 0, max: 25 })),
});
/** A hold over some of three authors, some kinds, some channels, and items of some age; a few holds cover everything. */
const hold = fc.record({
  users: fc.subarray([0, 1, 2]),
  channels: fc.oneof(
    { weight: 3, arbitrary: fc.constant<('O' | 'P' | 'D')[]>([]) },
    fc.subarray(['O', 'P', 'D'] as const),
  ),
  isOfKind: fc.boolean(),
  from: fc.option(fc.integer({ min: 0, max: 60 * 24 })),
  to: fc.option(fc.integer({ min: 0, max: 60 * 24 })),
  endsInHours: fc.option(fc.integer({ min: -2, max: 5 * 24 }), { freq: 2 }),
});
const scene = fc.record({
  holds: fc.array(hold, { maxLength: 3 }),
  kind: fc.constantFrom(...RETENTION_KINDS),
  current: rule,
  scheduled: fc.option(fc.record({ rule, inHours: fc.integer({ min: 0, max: 30 }) })),
  zone: fc.constantFrom('UTC', 'America/St_Johns', 'Pacific/Kiritimati', 'Europe/Berlin'),
  items: fc.array(item, { maxLength: 15 }),
});
type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Scene = Drawn<typeof scene>;

const fit = (kind: RetentionKind, drawn: RetentionRule): RetentionRule =>
  isMarkable(kind) ? { canmark: 0, ...drawn } : { value: drawn.value, duration: drawn.duration };

/** Computes without the database whether a hold covers an item now and for this many hours. */
function isCovered({ kind, holds }: Scene, { author, hoursAgo }: Drawn<typeof item>, hours = 0): boolean {
  const type = CHANNEL_OF[kind];
  return holds.some(
    ({ users, channels, from, to, endsInHours }) =>
      (endsInHours === null || endsInHours > hours) &&
      (users.length === 0 || users.includes(author)) &&
      (channels.length === 0 || (type !== undefined && channels.includes(type))) &&
      (from === null || hoursAgo <= from) &&
      (to === null || hoursAgo > to),
  );
}

const CHANNEL_OF: Partial<Record<RetentionKind, 'O' | 'P' | 'D'>> = {
  public_channels: 'O',
  private_channels: 'P',
  direct_messages: 'D',
};

/**
 * Creates a team with the drawn rules, holds and items. Returns the ids of the items covered now, and of those covered longer
 * than the forecast.
 */
async function arrange(drawn: Scene): Promise<{ teamId: string; covered: Set<string>; kept: Set<string> }> {
  const { kind, current, scheduled, zone, items, holds } = drawn;
  const [covered, kept] = [new Set<string>(), new Set<string>()];
  const teamId = await createTeam(node);
  await sql`update teams set time_zone = ${zone} where id = ${teamId}`.execute(node.db);
  const channels = await addChannels(node, teamId);
  const isMessage = kind.endsWith('channels') || kind === 'direct_messages';
  const authors = [newId(), newId(), newId()];
  for (const each of items) {
    const { hoursAgo, size, marked, backdated, author } = each;
    const body = isMessage ? { text: 'x'.repeat(size % 100) } : { size };
    const clock = NOW - hoursAgo * HOUR;
    const id = await addItem(
      node,
      { teamId, kind, channels },
      { clock, marked: marked && isMarkable(kind), ...body, userId: authors[author] ?? '' },
    );
    if (isCovered(drawn, each)) covered.add(id);
    if (isCovered(drawn, each, FOREVER)) kept.add(id);
    if (backdated !== undefined)
      await sql`insert into backdated_items (team_id, item_id, at)
        values (${teamId}, ${id}, now() - make_interval(hours => ${backdated}))`.execute(node.db);
  }
  for (const drawn of holds)
    await addDrawnHold(teamId, {
      hold: drawn,
      kind,
      authors,
      channelIds: { O: channels.O.id, P: channels.P.id, D: channels.D.id },
    });
  const state: RuleState = {
    current: fit(kind, current),
    scheduled: scheduled && { rule: fit(kind, scheduled.rule), effectiveAt: Date.now() + scheduled.inHours * HOUR },
  };
  await inTransaction(node.db, (trx) => saveRule(trx, { teamId, kind, savedBy: null }, state));
  // Saved long ago, so that the rule protects no backdated item.
  await sql`update retention_policies set rule_saved_at = now() - interval '9 days' where team_id = ${teamId}`.execute(
    node.db,
  );
  return { teamId, covered, kept };
}

async function addDrawnHold(
  teamId: string,
  {
    hold: { users, channels, isOfKind, from, to, endsInHours },
    kind,
    authors,
    channelIds,
  }: { hold: Drawn<typeof hold>; kind: RetentionKind; authors: string[]; channelIds: Record<'O' | 'P' | 'D', string> },
): Promise<void> {
  const id = newId();
  const toDate = (hoursAgo: number | null) => (hoursAgo === null ? null : NOW - hoursAgo * HOUR);
  await inTransaction(node.db, (trx) =>
    addHold(
      trx,
      { teamId, id, createdBy: null },
      {
        name: 'Hold',
        reason: 'Drawn',
        from: toDate(from),
        to: toDate(to),
        user_ids: users.map((at) => authors[at] ?? ''),
        channel_ids: channels.map((type) => channelIds[type]),
        connected_user_ids: [],
        connected_channel_ids: [],
        settings: isOfKind ? [kind] : [],
      },
    ),
  );
  if (endsInHours !== null)
    await sql`update holds set release_at = now() + make_interval(hours => ${endsInHours})
      where team_id = ${teamId} and id = ${id}`.execute(node.db);
}

const readRules = async (teamId: string) => (await findTeamRules(node.db, teamId)) ?? assert.fail();

/** Deletes the items of a night's runs with the runs' own statements. */
async function deleteAt(teamId: string, kind: RetentionKind, at: number) {
  const scope = getScopeAt(teamId, { kind, at }, await readRules(teamId));
  if (scope === null) return undefined;
  const target = RETENTION_TARGETS[kind];
  const range = { after: { clock: -1, id: '' }, limit: 1_000 };
  return inTransaction(node.db, async (trx) => {
    if ('deleteExpired' in target) {
      const { count, bytes, held } = await target.deleteExpired(trx, scope, range);
      return { count, bytes, held };
    }
    const { items, held } = await target.markExpired(trx, scope, range);
    const { rows: hidden } = await sql<{ count: number }>`select count(*)::int as count from (
      select 1 from files where team_id = ${teamId} and doomed
      union all select 1 from records where team_id = ${teamId} and doomed) marked`.execute(trx);
    assert.equal(hidden[0]?.count, items.length, 'nothing is marked that will stay');
    await target.purge(
      trx,
      teamId,
      items.map(({ id }) => id),
    );
    return { count: items.length, bytes: items.reduce((sum, { size }) => sum + size, 0), held };
  });
}

describe('for random rules, items and time zones', () => {
  test('the forecast is what the runs of each night delete', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async (drawn) => {
        const { teamId, kept } = await arrange(drawn);
        const rules = await readRules(teamId);
        const { records, total } = await forecast(
          { db: node.db, queue, share: { key: teamId } },
          { teamId, days: NIGHTS },
          rules,
        );
        assert.deepEqual(
          records.map(({ night, at }) => ({ night, at })),
          listNights(rules, NIGHTS),
        );
        let count = 0;
        for (const { at, settings } of records) {
          const deleted = await deleteAt(teamId, drawn.kind, at);
          assert.deepEqual(settings[drawn.kind], deleted);
          count += deleted?.count ?? 0;
        }
        assert.equal(total.count, count);
        const left = await getIds(node, teamId);
        assert.deepEqual(
          [...kept].filter((id) => !left.has(id)),
          [],
        );
      }),
      { numRuns: 80 },
    );
  });

  test('the ages have every item in the month of its date', async () => {
    await fc.assert(
      fc.asyncProperty(scene, fc.constantFrom('own' as const, 'marked' as const), async (drawn, clock) => {
        const { kind, zone } = drawn;
        const { teamId } = await arrange(drawn);
        const { months } = await countAges(node.db, { teamId, kind, clock }, await readRules(teamId));
        const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit' });
        const expected = new Map<string, [free: number, held: number]>();
        for (const each of drawn.items) {
          const { hoursAgo, marked } = each;
          if (clock === 'marked' && !(marked && isMarkable(kind))) continue;
          const month = format.format(NOW - hoursAgo * HOUR).slice(0, 7);
          const counts = expected.get(month) ?? [0, 0];
          counts[isCovered(drawn, each) ? 1 : 0] += 1;
          expected.set(month, counts);
        }
        assert.deepEqual(
          months.map(({ month, count, held }) => [month, [count, held]]),
          [...expected].sort(([one], [other]) => (one < other ? -1 : 1)),
        );
      }),
      { numRuns: 40 },
    );
  });
});

const read = (endpoint: typeof getRetentionAges | typeof getRetentionForecast | typeof listDueItems, query: object) =>
  call(node, endpoint, { as: team.admin, params: { teamId: team.id }, query: query as Record<string, string> });

test('the items name channels that the reader sees, and nothing of what they hold', async () => {
  const author = await user(node);
  const channels = await addChannels(node, team.id);
  const clock = Date.now() - 10 * DAY;
  for (const kind of ['public_channels', 'private_channels', 'direct_messages'] as const)
    await addItem(node, { teamId: team.id, kind, channels }, { clock, text: 'a secret' });
  await sql`update messages set user_id = ${author.id} where team_id = ${team.id}`.execute(node.db);
  const list = async (setting: RetentionKind) =>
    (await read(listDueItems, { setting, cutoff: String(clock + 1) })).body;
  const [open, closed, direct] = [
    await list('public_channels'),
    await list('private_channels'),
    await list('direct_messages'),
  ];
  assert.deepEqual([open.records.length, closed.records.length, direct.records.length], [1, 1, 1]);
  assert.notEqual(open.records[0].channel_name, '');
  assert.deepEqual([closed.records[0].channel_name, direct.records[0].channel_name], ['', '']);
  assert.equal(open.records[0].author_id, author.id);
  assert.notEqual(open.records[0].author_name, '');
  assert.doesNotMatch(JSON.stringify([open, closed, direct]), /secret/);
});

test('the items are paged in order of their dates, each once', async () => {
  const other = await createTeamWithMembers(node);
  const channels = await addChannels(node, other.id);
  for (let day = 1; day <= 5; day += 1)
    await addItem(node, { teamId: other.id, kind: 'files', channels }, { clock: Date.now() - day * DAY });
  const query = { setting: 'files', cutoff: String(Date.now() - HOUR), limit: '2' };
  const clocks: number[] = [];
  let last_key: string | null | undefined;
  do {
    const { body } = await call(node, listDueItems, {
      as: other.admin,
      params: { teamId: other.id },
      query: last_key ? { ...query, last_key } : query,
    });
    clocks.push(...body.records.map((row: { clock: number }) => row.clock));
    last_key = body.last_key;
    if (last_key) {
      const foreign = await read(listDueItems, { ...query, last_key });
      assert.equal(foreign.status, 400, 'a key of another team');
    }
  } while (last_key);
  assert.equal(clocks.length, 5);
  assert.deepEqual(
    clocks,
    [...clocks].sort((one, two) => one - two),
  );
});

test('a rule, a run and a minute make a new answer; the same question in between is answered from the cache', async () => {
  const other = await createTeamWithMembers(node);
  const channels = await addChannels(node, other.id);
  const add = () => addItem(node, { teamId: other.id, kind: 'files', channels }, { clock: Date.now() - 40 * DAY });
  const ask = async () =>
    (await call(node, getRetentionForecast, { as: other.admin, params: { teamId: other.id }, query: { days: '2' } }))
      .body.total.count;
  const month: RetentionRule = { value: 1, canmark: 0, duration: { count: 30, period: 'd' } };
  assert.equal(await ask(), 0);
  await setRule(node, other.id, 'files', month);
  await add();
  assert.equal(await ask(), 1);
  await add();
  assert.equal(await ask(), 1, 'from the cache');
  await setRule(node, other.id, 'files', { ...month, duration: { count: 31, period: 'd' } });
  assert.equal(await ask(), 2);
  await runNow(node, other.id);
  assert.equal(await ask(), 0);
});

test('input that is out of range is refused', async () => {
  for (const [endpoint, query] of [
    [getRetentionAges, {}],
    [getRetentionAges, { setting: 'nothing' }],
    [getRetentionAges, { setting: 'files', clock: 'other' }],
    [getRetentionAges, { setting: 'archived_notes', clock: 'marked' }],
    [getRetentionForecast, { days: '0' }],
    [getRetentionForecast, { days: '91' }],
    [getRetentionForecast, { days: '1.5' }],
    [listDueItems, { setting: 'files' }],
    [listDueItems, { setting: 'files', cutoff: '-1' }],
    [listDueItems, { setting: 'files', cutoff: String(Date.now() + DAY) }],
    [listDueItems, { setting: 'voicemails', clock: 'marked', cutoff: '1' }],
    [listDueItems, { setting: 'files', cutoff: '1', last_key: 'a.b' }],
    [listDueItems, { setting: 'files', cutoff: '1', limit: '2001' }],
  ] as const) {
    const reply = await read(endpoint, query);
    assert.deepEqual([reply.status, reply.body.id], [400, 'request.invalid'], JSON.stringify(query));
  }
  const preview = await call(node, previewRetention, {
    as: team.admin,
    params: { teamId: team.id },
    body: { value: 0 },
  });
  assert.equal(preview.status, 200);
});
