import assert from 'node:assert/strict';
import { saveTeamSettings } from '@steward/contract/team';
import {
  confirmInactivityNight,
  getInactivity,
  type InactivityNight,
  type InactivityRule,
  saveInactivity,
} from '@steward/contract/users/inactivity';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { setNow } from '#testing/workspace/ends.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { legalHold } from '#testing/workspace/holds.ts';
import { activitySource, inactiveMember, setLastActive } from '#testing/workspace/inactivity.ts';
import { runInactivityNights } from './night.job.ts';
import { getRule, planRule, removeException, saveException } from './rule.store.ts';
import { listPlannedSteps, type Step } from './steps.store.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ pool: 1, work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ZONES = ['UTC', 'America/Havana', 'Europe/Berlin', 'Pacific/Kiritimati', 'Pacific/Niue', 'Australia/Lord_Howe'];
const SEED = 20_270_310;
const MEMBERS = 30;
const ROUNDS = Number(process.env.MODEL_RUNS ?? 2);

/** The ids of a night by step; the dates of all of them. */
type Nights = Map<string, Record<Step, string[]>>;

interface World {
  team: TestTeam;
  members: string[];
  now: number;
  roll: (below: number) => number;
  /** What the nights did to each member, in order. */
  history: Map<string, { night: string; step: Step }[]>;
}

/** The same numbers on every machine. */
function createRoll(seed: number): World['roll'] {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const RULE: InactivityRule = { is_on: true, source: 'reports', days: 60, skips_held: true, skips_provisioned: true };

async function createWorld(): Promise<World> {
  const now = Date.parse('2027-01-10T12:00:00Z');
  const team = await createTeamWithMembers(node);
  await setNow(node, now);
  await activitySource(node, team.id);
  const world: World = { team, members: [], now, roll: createRoll(SEED), history: new Map() };
  for (let at = 0; at < MEMBERS; at += 1)
    world.members.push((await inactiveMember(node, team.id, world.roll(200), at % 7 === 0 ? 'admin' : 'member')).id);
  await setNow(node, now);
  await saveRule(world, RULE);
  return world;
}

async function saveRule({ team }: World, rule: InactivityRule): Promise<void> {
  const { status, text } = await call(node, saveInactivity, {
    as: team.owner,
    params: { teamId: team.id },
    body: rule,
  });
  assert.equal(status, 200, text);
}

const pick = ({ members, roll }: World) => members[roll(members.length)] ?? assert.fail();

/** Random changes between two previews. */
const CHANGES: readonly ((world: World) => Promise<unknown>)[] = [
  (world) => setLastActive(node, { teamId: world.team.id, userId: pick(world) }, world.roll(100)),
  (world) => setLastActive(node, { teamId: world.team.id, userId: pick(world) }, 0),
  (world) => setLastActive(node, { teamId: world.team.id, userId: pick(world) }, null),
  (world) => except(world, world.roll(3) === 0 ? null : 1 + world.roll(50)),
  (world) => inTransaction(node.db, (trx) => removeException(trx, world.team.id, pick(world))),
  (world) => end(world, 1 + world.roll(80)),
  (world) => reactivate(world, pick(world)),
  (world) => reactivate(world, pick(world)),
  (world) => hold(world, world.roll(40)),
  (world) => failMails(world, pick(world)),
  (world) => saveRule(world, { ...RULE, days: 30 + world.roll(60), skips_held: world.roll(3) > 0 }),
  (world) => setZone(world),
];

async function except({ team, ...world }: World, days: number | null): Promise<void> {
  const until = days === null ? null : new Date(world.now + days * DAY_MS).toISOString().slice(0, 10);
  const userId = pick({ team, ...world });
  await inTransaction(node.db, (trx) =>
    saveException(trx, { teamId: team.id, userId, addedBy: team.owner.id, reason: 'Away', until }),
  );
}

const end = (world: World, days: number) =>
  sql`update memberships m set ends_on = (now() at time zone t.time_zone)::date + ${days}::int,
      ends_at = ((now() at time zone t.time_zone)::date + ${days}::int + 1)::timestamp at time zone t.time_zone
    from teams t where t.id = m.team_id and m.team_id = ${world.team.id} and m.person_id = ${pick(world)}`.execute(
    node.db,
  );

const reactivate = (world: World, userId: string) =>
  sql`update memberships set deactivated = false, deactivated_at = null, ends_on = null, ends_at = null,
      reactivated_at = extract(epoch from now())::bigint * 1000
    where team_id = ${world.team.id} and person_id = ${userId} and deactivated`.execute(node.db);

/** Releases the hold after some days, or never. */
async function hold(world: World, days: number): Promise<void> {
  const id = await legalHold(node, { teamId: world.team.id, user_ids: [pick(world)] });
  if (days > 10)
    await sql`update holds set release_at = now() + make_interval(days => ${days}) where id = ${id}`.execute(node.db);
}

const failMails = (world: World, userId: string) =>
  sql`update mails set state = 'failed' where team_id = ${world.team.id} and person_id = ${userId}`.execute(node.db);

async function setZone({ team, roll }: World): Promise<void> {
  const body = { time_zone: ZONES[roll(ZONES.length)] ?? 'UTC' };
  await call(node, saveTeamSettings, { as: team.owner, params: { teamId: team.id }, body });
}

/** What the preview says about the nights up to a date. */
async function preview(world: World, nights: number): Promise<Nights> {
  const { rule } = await getRule(node.db, world.team.id);
  const planned = await planRule(node.db, world.team.id, rule);
  const until = new Date(Date.parse(planned.tonight) + (nights - 1) * DAY_MS).toISOString().slice(0, 10);
  const found: Nights = new Map();
  for (const { night, step, users } of await listPlannedSteps(node.db, planned, MEMBERS)) {
    if (night > until) continue;
    const steps = found.get(night) ?? { warn: [], remind: [], deactivate: [] };
    steps[step] = users.map(({ id }) => id).sort();
    found.set(night, steps);
  }
  return found;
}

/** Lets the next night happen some minutes after it began; an owner confirms it if it asks. */
async function live(world: World): Promise<void> {
  const { team } = world;
  const { rule } = await getRule(node.db, team.id);
  const { tonight, zone } = await planRule(node.db, team.id, rule);
  const { rows } = await sql<{
    at: number;
  }>`select extract(epoch from (${tonight}::date + time '02:00') at time zone ${zone})::int
    as at`.execute(node.db);
  world.now = Math.max(world.now, (rows[0]?.at ?? 0) * 1_000) + world.roll(50) * 60_000;
  await setNow(node, world.now);
  await activitySource(node, team.id);
  await runInactivityNights(node.deps);
  const params = { teamId: team.id, night: tonight };
  const { body } = await call(node, getInactivity, { as: team.owner, params });
  if (body.nights[0]?.state === 'asks') {
    assert.equal((await call(node, confirmInactivityNight, { as: team.owner, params })).status, 200);
    await runInactivityNights(node.deps);
  }
  await sql`update mails set state = 'sent' where state = 'waiting'`.execute(node.db);
}

async function readNights({ team }: World): Promise<[string, Record<Step, string[]>][]> {
  const { rows } = await sql<
    { night: string } & Record<'w' | 'r' | 'd', string[]> & { state: InactivityNight['state'] }
  >`
    select night::text as night, state, warned_ids as w, reminded_ids as r, deactivated_ids as d from inactivity_nights
    where team_id = ${team.id} order by inactivity_nights.night`.execute(node.db);
  assert.deepEqual([...new Set(rows.map(({ state }) => state))], ['done']);
  return rows
    .filter(({ w, r, d }) => w.length + r.length + d.length > 0)
    .map(({ night, w, r, d }) => [night, { warn: w.toSorted(), remind: r.toSorted(), deactivate: d.toSorted() }]);
}

/** Whatever happened, these hold for each deactivation. */
async function assertFair({ team, history }: World): Promise<void> {
  const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS;
  for (const [id, steps] of history)
    for (const [at, { night, step }] of steps.entries()) {
      if (step !== 'deactivate') continue;
      const [first, second] = [steps[at - 2], steps[at - 1]];
      assert.deepEqual([first?.step, second?.step], ['warn', 'remind'], id);
      assert.ok(days(first?.night ?? night, night) >= 14 && days(second?.night ?? night, night) >= 3, id);
      assert.notEqual(id, team.owner.id);
    }
  const { rows } =
    await sql`select 1 from memberships where team_id = ${team.id} and 'team_owner' = any(roles) and deactivated`.execute(
      node.db,
    );
  assert.deepEqual(rows, []);
}

test('the preview says exactly what the nights then do, after any changes and in any time zone', async () => {
  const world = await createWorld();
  let known = 0;
  let steps = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let at = 0; at < 8; at += 1) await CHANGES[world.roll(CHANGES.length)]?.(world);
    const nights = 5 + world.roll(40);
    const expected = await preview(world, nights);
    for (let at = 0; at < nights; at += 1) await live(world);
    const all = await readNights(world);
    const happened = all.slice(known);
    known = all.length;
    assert.deepEqual(
      happened,
      [...expected].toSorted(([a], [b]) => (a < b ? -1 : 1)),
      `round ${round}`,
    );
    for (const [night, did] of happened)
      for (const step of ['warn', 'remind', 'deactivate'] as const)
        for (const id of did[step]) {
          world.history.set(id, [...(world.history.get(id) ?? []), { night, step }]);
          steps += 1;
        }
    await assertFair(world);
  }
  assert.ok(steps > 10 * ROUNDS, 'the rounds are not empty');
});
