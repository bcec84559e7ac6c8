import assert from 'node:assert/strict';
import {
  type Duration,
  RETENTION_KINDS,
  type RetentionKind,
  type RetentionRule,
} from '@steward/contract/retention/fields';
import { getRemoval, isMarkable } from '@steward/contract/retention/rules';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { createFairQueue } from '#platform/jobs/fair-queue.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel, file, isKept, type TestChannel } from '#testing/workspace/content.ts';
import { team as createTeam, user } from '#testing/workspace/factories.ts';
import { legalHold } from '#testing/workspace/holds.ts';
import { addItem, getIds, setDatabaseClock, setRecovery } from '#testing/workspace/retention.ts';
import { computeCutoff } from '#workspace/content/retention/cutoff.rules.ts';
import { getCurrentScope } from '#workspace/content/retention/retention-scope.rules.ts';
import { findTeamRules } from '#workspace/content/retention/team-rules.store.ts';
import { forecast, listDue } from '../foresight/foresight.actions.ts';
import { countKind, previewRules } from '../rules/preview-rules.actions.ts';
import { saveRule } from '../rules/rules.store.ts';
import { startTeamRuns } from '../runs/runs.actions.ts';
import { findRun, startRestore } from '../runs/runs.store.ts';
import { createExpireArchivesWorker } from './expire-archives.job.ts';
import { createRestoreWorker } from './restore.job.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NIGHTS = 4;
/** Dates of rules, holds and items are relative to this. */
const NOW = Date.now();
const PLACES = ['O', 'P', 'D'] as const;
type Place = (typeof PLACES)[number];
const attempt = { isLast: false } as never;
const queue = createFairQueue({ atOnce: 1, waitingPerKey: 1, waiting: 1 });

const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
const duration: fc.Arbitrary<Duration> = fc.oneof(
  fc.record({ count: fc.integer({ min: 1, max: 20 }), period: fc.constant('d' as const) }),
  fc.constant<Duration>({ count: 1, period: 'm' }),
);
const rule: fc.Arbitrary<RetentionRule> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ value: fc.constant(1 as const), duration }) },
  { weight: 2, arbitrary: fc.record({ value: fc.constant(0 as const), canmark: fc.constant(1 as const), duration }) },
  fc.constant<RetentionRule>({ value: 0 }),
);
const rules = fc.record({
  current: rule,
  scheduled: fc.option(fc.record({ rule, inHours: fc.integer({ min: 0, max: 60 }) })),
});
/** Multiples of twelve hours, so that dates of items often equal the start or end of a hold. */
const hoursAgo = fc.integer({ min: 0, max: 80 }).map((half) => half * 12);
const item = fc.record({
  kind: fc.nat(),
  hoursAgo,
  isMarked: fc.boolean(),
  author: fc.integer({ min: 0, max: 2 }),
  /** For files only; messages are in the channel of their kind. */
  place: fc.option(fc.constantFrom(...PLACES)),
  size: fc.integer({ min: 1, max: 50 }),
  /** Hours since a service moved the date back; undefined for most items. */
  backdated: rarely(fc.integer({ min: 0, max: 25 })),
});
const hold = fc.record({
  users: fc.subarray([0, 1, 2]),
  places: fc.oneof({ weight: 3, arbitrary: fc.constant<Place[]>([]) }, fc.subarray([...PLACES])),
  isOfFirstKind: fc.boolean(),
  from: rarely(hoursAgo),
  to: rarely(hoursAgo),
  endsInHours: rarely(fc.integer({ min: -2, max: 80 })),
});
const scene = fc.record({
  zone: fc.constantFrom('UTC', 'America/St_Johns', 'Pacific/Kiritimati', 'Europe/Berlin', 'Asia/Kathmandu'),
  // Kinds with channels and marks are more frequent.
  kinds: fc.oneof(
    fc.subarray([...RETENTION_KINDS], { minLength: 1, maxLength: 4 }),
    fc.subarray(['direct_messages', 'files', 'private_channels'] as const, { minLength: 1 }),
  ),
  rules: fc.array(rules, { minLength: 4, maxLength: 4 }),
  items: fc.array(item, { maxLength: 25, size: 'max' }),
  holds: fc.array(hold, { maxLength: 2 }),
  nextHolds: fc.array(hold, { minLength: NIGHTS, maxLength: NIGHTS }),
  days: fc.constantFrom(0, 1, 2, 7),
  /** Actions after each night. */
  afterwards: fc.array(fc.constantFrom('nothing', 'restore', 'expire', 'hold, expire'), {
    minLength: NIGHTS,
    maxLength: NIGHTS,
  }),
});
type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Scene = Drawn<typeof scene>;

interface Item {
  id: string;
  kind: RetentionKind;
  clock: number;
  isMarked: boolean;
  author: number;
  place: Place | undefined;
  size: number;
  backdatedAt: number;
  blob: string | null;
  /** The hold of a restore keeps the item until this time. */
  keptUntil: number;
}

interface Team {
  teamId: string;
  channels: Record<Place, TestChannel>;
  /** The first author is in the direct channel. */
  authors: string[];
  kinds: RetentionKind[];
}

/** The expected place of every item, computed without the database. */
interface World extends Team {
  drawn: Scene;
  holds: Scene['holds'];
  stored: Set<Item>;
  archives: { runId: string; kind: RetentionKind; items: Item[]; until: number }[];
}

const CHANNEL_OF: Partial<Record<RetentionKind, Place>> = {
  public_channels: 'O',
  private_channels: 'P',
  direct_messages: 'D',
};
const fit = (kind: RetentionKind, drawn: RetentionRule): RetentionRule =>
  isMarkable(kind) ? { canmark: 0, ...drawn } : { value: drawn.value, duration: drawn.duration };
const byId = (items: Iterable<{ id: string }>) => [...items].map(({ id }) => id).sort();
const getSize = (items: readonly Item[]) => items.reduce((sum, { size }) => sum + size, 0);

function isHeld({ holds, kinds }: World, { kind, author, place, clock, keptUntil }: Item, at: number) {
  const isCovered = holds.some(
    ({ users, places, isOfFirstKind, from, to, endsInHours }) =>
      (endsInHours === null || NOW + endsInHours * HOUR > at) &&
      (!isOfFirstKind || kind === kinds[0]) &&
      (users.length === 0 || users.includes(author) || (place === 'D' && users.includes(0))) &&
      (places.length === 0 || (place !== undefined && places.includes(place))) &&
      (from === null || clock >= NOW - from * HOUR) &&
      (to === null || clock < NOW - to * HOUR),
  );
  return isCovered || keptUntil > at;
}

/** Returns undefined if the rule keeps everything. */
function findReached({ drawn: { rules: drawn, zone }, kinds, stored }: World, kind: RetentionKind, at: number) {
  const { current, scheduled } = drawn[kinds.indexOf(kind)] ?? assert.fail();
  const effectiveAt = scheduled === null ? Number.POSITIVE_INFINITY : NOW + scheduled.inHours * HOUR;
  const inForce = scheduled !== null && effectiveAt <= at ? scheduled.rule : current;
  const removal = getRemoval(fit(kind, inForce));
  const cutoff = removal && computeCutoff(removal.duration, at, zone);
  if (removal === null || cutoff === null) return undefined;
  const keptSince = Math.max(at - DAY, effectiveAt <= at ? effectiveAt - DAY : 0);
  return [...stored].filter(
    (each) =>
      each.kind === kind &&
      each.clock < cutoff &&
      (removal.clock === 'own' || each.isMarked) &&
      each.backdatedAt <= keptSince,
  );
}

async function addDrawnItem({ teamId, channels, authors, kinds }: Team, drawn: Drawn<typeof item>): Promise<Item> {
  const kind = kinds[drawn.kind % kinds.length] ?? assert.fail();
  const [clock, isMarked] = [NOW - drawn.hoursAgo * HOUR, drawn.isMarked && isMarkable(kind)];
  const place = kind === 'files' ? (drawn.place ?? undefined) : CHANNEL_OF[kind];
  const content = 'x'.repeat(drawn.size);
  const userId = authors[drawn.author] ?? '';
  let [id, blob]: [string, string | null] = ['', null];
  if (kind === 'files') {
    const at = { userId, createAt: clock, deleteAt: isMarked ? clock : 0 };
    ({ id, blob } = await file(node, teamId, { ...at, data: content, ...(place && { channel: channels[place] }) }));
  } else {
    const body = place === undefined ? { size: drawn.size } : { text: content };
    id = await addItem(node, { teamId, kind, channels }, { clock, marked: isMarked, userId, ...body });
  }
  const backdatedAt = drawn.backdated === null ? 0 : NOW - drawn.backdated * HOUR;
  if (backdatedAt > 0)
    await sql`insert into backdated_items (team_id, item_id, at)
      values (${teamId}, ${id}, to_timestamp(${backdatedAt / 1_000}::double precision))`.execute(node.db);
  const { author, size } = drawn;
  return { id, kind, clock, isMarked, author, place, size, backdatedAt, blob, keptUntil: 0 };
}

async function addDrawnHolds({ teamId, channels, authors, kinds }: Team, holds: Scene['holds']): Promise<void> {
  for (const { users, places, isOfFirstKind, from, to, endsInHours } of holds) {
    const id = await legalHold(node, {
      teamId,
      user_ids: users.map((at) => authors[at] ?? ''),
      channel_ids: places.map((place) => channels[place].id),
      settings: isOfFirstKind ? kinds.slice(0, 1) : [],
      ...(from !== null && { from: NOW - from * HOUR }),
      ...(to !== null && { to: NOW - to * HOUR }),
    });
    if (endsInHours !== null)
      await sql`update holds set release_at = to_timestamp(${(NOW + endsInHours * HOUR) / 1_000}::double precision)
        where team_id = ${teamId} and id = ${id}`.execute(node.db);
  }
}

async function arrange(drawn: Scene): Promise<World> {
  const { zone, kinds, days } = drawn;
  await setDatabaseClock(node, NOW);
  const teamId = await createTeam(node);
  await sql`update teams set time_zone = ${zone} where id = ${teamId}`.execute(node.db);
  const authors = [(await user(node, { team: teamId })).id, newId(), newId()];
  const channels = {
    O: await channel(node, teamId),
    P: await channel(node, teamId, { type: 'P' }),
    D: await channel(node, teamId, { type: 'D', members: authors.slice(0, 1) }),
  };
  const team = { teamId, channels, authors, kinds };
  const stored = new Set<Item>();
  for (const each of drawn.items) stored.add(await addDrawnItem(team, each));
  await addDrawnHolds(team, drawn.holds);
  await setRecovery(node, teamId, days);
  for (const [at, kind] of kinds.entries()) {
    const { current, scheduled } = drawn.rules[at] ?? assert.fail();
    const state = {
      current: fit(kind, current),
      scheduled: scheduled && { rule: fit(kind, scheduled.rule), effectiveAt: NOW + scheduled.inHours * HOUR },
    };
    await inTransaction(node.db, (trx) => saveRule(trx, { teamId, kind, savedBy: null }, state));
  }
  // Saved long ago, so that the rule protects no backdated item.
  await sql`update retention_policies set rule_saved_at = to_timestamp(0) where team_id = ${teamId}`.execute(node.db);
  return { ...team, drawn, holds: [...drawn.holds], stored, archives: [] };
}

const readRules = async (teamId: string) => (await findTeamRules(node.db, teamId)) ?? assert.fail();

async function lookAhead({ teamId }: World) {
  const { records } = await forecast(
    { db: node.db, queue, share: { key: teamId } },
    { teamId, days: NIGHTS },
    await readRules(teamId),
  );
  return records;
}

/** Reads the overview, the preview and the list of due items under the current rule. */
async function ask({ teamId }: World, kind: RetentionKind) {
  const teamRules = await readRules(teamId);
  const scope = getCurrentScope(teamId, kind, teamRules);
  const { current, scheduled } = teamRules.byKind[kind];
  if (scope === null || current === null) return undefined;
  const { overdue, overdue_bytes, held } = await countKind(node.db, { teamId, kind, teamRules });
  const overview = { count: overdue, bytes: overdue_bytes, held: held.count };
  // Saving the current rule again cancels the scheduled one, so the preview is that of a rule saved now.
  const previewed = scheduled === null ? { [kind]: current } : {};
  const preview = (await previewRules(node.db, { teamId, rules: previewed, teamRules }))[kind];
  const setting = { teamId, kind, clock: scope.clock };
  const page = { cutoff: scope.cutoff, readerId: '', after: undefined, limit: 1_000 };
  return { overview, preview, listed: await listDue(node.db, { setting, ...page }, teamRules) };
}

/** Runs a night, and compares the forecast, preview, list and report of each kind with the expected deletions. */
async function passNight(world: World, { at, settings }: Awaited<ReturnType<typeof lookAhead>>[number]) {
  const { teamId, stored, archives, drawn } = world;
  await setDatabaseClock(node, at);
  const answers = new Map<RetentionKind, Awaited<ReturnType<typeof ask>>>();
  for (const kind of drawn.kinds) answers.set(kind, await ask(world, kind));
  const ended = await startTeamRuns(node.deps, { teamId, origin: 'night', startedBy: null }, () => at);
  for (const kind of drawn.kinds) {
    const reached = findReached(world, kind, at);
    const run = ended.find((each) => each.kind === kind);
    const [answer, night] = [answers.get(kind), settings[kind]];
    if (reached === undefined) {
      assert.deepEqual([run, answer, night?.count ?? 0, night?.held ?? 0], [undefined, undefined, 0, 0]);
      continue;
    }
    const held = reached.filter((each) => isHeld(world, each, at));
    const gone = reached.filter((each) => !held.includes(each));
    const expected = { count: gone.length, bytes: getSize(gone), held: held.length };
    assert.deepEqual(night, expected, `the forecast of ${kind}`);
    assert.deepEqual(answer?.overview, expected, `the overview of ${kind}`);
    const { count, bytes, held: kept } = answer?.preview ?? { ...expected, held: { count: expected.held } };
    assert.deepEqual({ count, bytes, held: kept.count }, expected, `the preview of ${kind}`);
    assert.deepEqual(byId(answer?.listed ?? []), byId(gone), `the list of ${kind}`);
    assert.deepEqual(
      [run?.state, run?.deleted, run?.bytes, run?.held],
      ['finished', gone.length, getSize(gone), held.length],
    );
    for (const each of gone) stored.delete(each);
    if (drawn.days > 0 && gone.length > 0)
      archives.push({ runId: run?.id ?? '', kind, items: gone, until: at + drawn.days * DAY });
  }
}

async function restore({ teamId, stored, archives }: World, at: number): Promise<void> {
  const archive = archives.pop();
  if (archive === undefined) return;
  const { runId, items } = archive;
  await inTransaction(node.db, (trx) => startRestore(trx, { teamId, runId }));
  await createRestoreWorker(node.deps).handle({ team_id: teamId, run_id: runId }, attempt);
  const run = await findRun(node.db, { teamId, runId });
  assert.deepEqual([run?.restore_state, run?.restored, run?.skipped], ['finished', items.length, 0], run?.restore_note);
  for (const each of items) stored.add({ ...each, keptUntil: at + 30 * DAY });
}

/** Destroys expired archives, except those with a held item. */
async function expire(world: World, at: number): Promise<void> {
  const { teamId, archives } = world;
  await createExpireArchivesWorker(node.deps).handle({}, attempt);
  for (const archive of [...archives]) {
    const isOver = archive.until <= at && !archive.items.some((each) => isHeld(world, each, at));
    const run = await findRun(node.db, { teamId, runId: archive.runId });
    assert.equal(run?.proof !== null, isOver);
    if (!isOver) continue;
    archives.splice(archives.indexOf(archive), 1);
    for (const { blob } of archive.items) assert.equal(await isKept(node, blob), false);
  }
}

async function assertStored({ teamId, stored, archives }: World): Promise<void> {
  assert.deepEqual([...(await getIds(node, teamId))].sort(), byId(stored));
  for (const { blob } of [...stored, ...archives.flatMap(({ items }) => items)])
    if (blob !== null) assert.ok(await isKept(node, blob));
}

test('with random rules, holds, kinds, zones, restores and expiries, every night does what was forecast, previewed and listed', async () => {
  await fc.assert(
    fc.asyncProperty(scene, async (drawn) => {
      const world = await arrange(drawn);
      let ahead = await lookAhead(world);
      for (const [at, next] of drawn.afterwards.entries()) {
        const night = ahead.shift() ?? assert.fail();
        await passNight(world, night);
        if (next === 'restore') {
          await restore(world, night.at);
          ahead = await lookAhead(world);
        }
        if (next === 'hold, expire') {
          await addDrawnHolds(world, drawn.nextHolds.slice(at, at + 1));
          world.holds.push(...drawn.nextHolds.slice(at, at + 1));
          ahead = await lookAhead(world);
        }
        if (next.endsWith('expire')) await expire(world, night.at);
        await assertStored(world);
      }
    }),
    { numRuns: Number(process.env.MODEL_RUNS ?? 15) },
  );
});
