// A plain model of end dates beside a real team: random changes go to both, and real requests tell whether they agree. The model
// asks the calendar of the zone which day it is; it knows no instants.
import assert from 'node:assert/strict';
import { listTeams } from '@steward/contract/session/teams';
import { saveTeamSettings } from '@steward/contract/team';
import { deactivateUser, reactivateUser } from '@steward/contract/users/lifecycle';
import { saveUsers } from '@steward/contract/users/multi';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { endDueMemberships } from '#features/users/ends/end-memberships.job.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { scim, scimToken, type TestProvisioner, toPatch } from '#testing/peers/scim.ts';
import { addSession } from '#testing/sessions/sessions.ts';
import { setNow } from '#testing/workspace/ends.ts';
import { addMembers, createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ZONES = ['UTC', 'America/Havana', 'Asia/Beirut', 'Pacific/Kiritimati', 'Pacific/Niue', 'Australia/Lord_Howe'];

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ pool: 1, work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

interface Member {
  id: string;
  email: string;
  endsOn: string | null;
  /** By an admin, or by the job. */
  isDeactivated: boolean;
}

interface World {
  node: TestApp;
  team: TestTeam;
  provisioner: TestProvisioner;
  /** A whole number from 0, below another one. */
  roll: (below: number) => number;
  now: number;
  zone: string;
  members: Member[];
}

async function createWorld({ seed, count }: { seed: number; count: number }): Promise<World> {
  const team = await createTeamWithMembers(node);
  await addMembers(node, team.id, count);
  const { rows } = await sql<{ id: string; email: string }>`select p.id, p.email from people p
    join memberships m on m.person_id = p.id where m.team_id = ${team.id} and p.first_name = 'Person'
    order by p.id`.execute(node.db);
  const members = rows.map((row) => ({ ...row, endsOn: null, isDeactivated: false }));
  const provisioner = await scimToken(node, team.id, team.owner.id);
  const world = { node, team, provisioner, roll: createRoll(seed), now: Date.parse('2027-01-15T12:00:00Z') };
  await setNow(node, world.now);
  return { ...world, zone: 'UTC', members };
}

/** The same numbers on every machine. */
function createRoll(seed: number): World['roll'] {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const calendars = new Map(
  ['UTC', ...ZONES].map((timeZone) => [timeZone, new Intl.DateTimeFormat('en-CA', { timeZone })]),
);
const toDay = (moment: number, timeZone: string) => calendars.get(timeZone)?.format(moment) ?? '';
const getToday = ({ now, zone }: World) => toDay(now, zone);
const inDays = (world: World, days: number) => toDay(Date.parse(getToday(world)) + days * DAY_MS, 'UTC');
const isOver = (world: World, { endsOn }: Member) => endsOn !== null && getToday(world) > endsOn;
const hasAccess = (world: World, member: Member) => !member.isDeactivated && !isOver(world, member);

function pick(world: World, count: number): Member[] {
  const found = Array.from({ length: count }, () => world.members[world.roll(world.members.length)]);
  return [...new Set(found.filter((member) => member !== undefined))];
}

const params = ({ team }: World, userId = '') => ({ teamId: team.id, userId });

/** Sets, moves and removes dates. Only those with access can be edited. */
async function changeDates(world: World, chosen: readonly Member[]): Promise<void> {
  const rows = chosen.map((member) => ({ member, ends_on: inDays(world, world.roll(40)) }));
  const { body, status, text } = await call(world.node, saveUsers, {
    as: world.team.admin,
    params: params(world),
    body: rows.map(({ member, ends_on }) => ({ email: member.email, ends_on })),
  });
  assert.equal(status, 200, text);
  const refused = new Set(body.errors.map(({ row }: { row: number }) => row));
  for (const [at, { member, ends_on }] of rows.entries()) {
    assert.equal(refused.has(at), !hasAccess(world, member), JSON.stringify({ member, now: new Date(world.now) }));
    if (!refused.has(at)) member.endsOn = ends_on;
  }
}

async function removeDate(world: World, member: Member): Promise<void> {
  const body = [{ email: member.email, ends_on: null }];
  await call(world.node, saveUsers, { as: world.team.admin, params: params(world), body });
  if (hasAccess(world, member)) member.endsOn = null;
}

async function changeZone(world: World): Promise<void> {
  const zone = ZONES[world.roll(ZONES.length)] ?? 'UTC';
  const body = { time_zone: zone };
  const { status, text } = await call(world.node, saveTeamSettings, {
    as: world.team.owner,
    params: params(world),
    body,
  });
  assert.equal(status, 200, text);
  world.zone = zone;
}

async function deactivate(world: World, member: Member): Promise<void> {
  await call(world.node, deactivateUser, { as: world.team.admin, params: params(world, member.id) });
  if (hasAccess(world, member)) member.isDeactivated = true;
}

/** With another date, without any, or leaving the stored one to the server. */
async function reactivate(world: World, member: Member): Promise<void> {
  const ends_on = [undefined, null, inDays(world, world.roll(20))][world.roll(3)];
  const body = ends_on === undefined ? {} : { ends_on };
  const reply = await call(world.node, reactivateUser, {
    as: world.team.admin,
    params: params(world, member.id),
    body,
  });
  assert.equal(reply.status, 200, reply.text);
  if (hasAccess(world, member)) return;
  const kept = isOver(world, member) ? null : member.endsOn;
  member.endsOn = ends_on === undefined ? kept : ends_on;
  member.isDeactivated = false;
}

/** An identity provider insists that someone is active, which changes nothing: it deactivated nobody. */
async function insist(world: World, member: Member): Promise<void> {
  const body = toPatch({ op: 'replace', path: 'active', value: true });
  const { body: answer } = await scim(world.node, world.provisioner, `PATCH /Users/${member.id}`, { body });
  assert.equal(answer.active, hasAccess(world, member));
}

async function pass(world: World, hours: number): Promise<void> {
  world.now += hours * HOUR_MS;
  await setNow(world.node, world.now);
}

/** Runs the job; with a number, it is killed before the batch with that number and runs again. */
async function runJob(world: World, killedBefore?: number): Promise<void> {
  const { deps } = world.node;
  let batches = 0;
  const isStopping = () => {
    batches += 1;
    if (batches === killedBefore) throw new Error('killed between two transactions');
    return false;
  };
  await endDueMemberships({ ...deps, jobs: { ...deps.jobs, isStopping } });
  if (killedBefore !== undefined) await endDueMemberships(deps);
  for (const member of world.members) if (isOver(world, member)) member.isDeactivated = true;
}

/** A request in a fresh session, which reads the guards' own query. */
async function assertAccess(world: World, members: readonly Member[]): Promise<void> {
  const { node, team } = world;
  for (const member of members) {
    const token = await addSession(node, { userId: member.id, deviceId: '', userAgent: '', address: '192.0.2.7' });
    await sql`update sessions set created_at = now(), active_at = now() where person_id = ${member.id}`.execute(
      node.db,
    );
    const cookie = `steward_token=${token}; steward_user=${member.id}`;
    const as = { ...team.member, id: member.id, token, cookie };
    const reply = await call(node, listTeams, { as, params: { userId: member.id } });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.length, hasAccess(world, member) ? 1 : 0, JSON.stringify({ member, zone: world.zone }));
  }
}

/** What is stored is the model, member by member; and the owner is still there. */
async function assertStored(world: World): Promise<void> {
  const { rows } = await sql<{ id: string; endsOn: string | null; isDeactivated: boolean; hasAccess: boolean }>`
    select person_id as id, ends_on::text as "endsOn", deactivated as "isDeactivated",
      not deactivated and coalesce(ends_at > now(), true) as "hasAccess"
    from memberships where team_id = ${world.team.id} order by person_id`.execute(world.node.db);
  const stored = new Map(rows.map((row) => [row.id, row]));
  // Comparing the texts takes a tenth of the time of comparing objects.
  const toText = ({ id, endsOn, isDeactivated, hasAccess: has }: (typeof rows)[number]) =>
    `${id} ${endsOn} ${isDeactivated} ${has}`;
  for (const member of world.members) {
    const row = stored.get(member.id);
    assert.equal(row && toText(row), toText({ ...member, hasAccess: hasAccess(world, member) }));
  }
  assert.equal(stored.get(world.team.owner.id)?.hasAccess, true);
}

/** Those whose last day is today or was yesterday. */
function findAtTheEdge(world: World): Member[] {
  const days = [inDays(world, -1), inDays(world, 0)];
  return world.members.filter(({ endsOn }) => endsOn !== null && days.includes(endsOn));
}

const STEPS: readonly ((world: World) => Promise<void>)[] = [
  (world) => changeDates(world, pick(world, 6)),
  (world) => changeDates(world, pick(world, 6)),
  (world) => pass(world, 1 + world.roll(40)),
  (world) => pass(world, 1 + world.roll(100)),
  (world) => runJob(world),
  (world) => runJob(world, 1 + world.roll(2)),
  (world) => changeZone(world),
  (world) => eachOf(world, removeDate),
  (world) => eachOf(world, deactivate),
  (world) => eachOf(world, reactivate),
  (world) => eachOf(world, reactivate),
  (world) => eachOf(world, insist),
];

async function eachOf(world: World, change: typeof insist): Promise<void> {
  for (const member of pick(world, 4)) await change(world, member);
}

test('after any changes, zones and days, exactly those have access whose last day is not over', async () => {
  const world = await createWorld({ seed: 20_270_331, count: 40 });
  for (let step = 0; step < 30; step += 1) {
    await STEPS[world.roll(STEPS.length)]?.(world);
    await assertStored(world);
    await assertAccess(world, [...pick(world, 3), ...findAtTheEdge(world).slice(0, 3)]);
  }
});

/** CI has 2,000 members and 20 days. DRILL_MEMBERS=10000 DRILL_DAYS=400 takes six minutes. */
const MEMBERS = Number(process.env.DRILL_MEMBERS ?? 2_000);
const DAYS = Number(process.env.DRILL_DAYS ?? 20);

/** One day of a large team: some dates, a few exceptions, and the job, which is killed between two batches on every third day. */
async function live(world: World, day: number): Promise<void> {
  await changeDates(world, pick(world, 60));
  for (const change of [removeDate, deactivate, reactivate, reactivate, insist])
    for (const member of pick(world, 2)) await change(world, member);
  if (day % 20 === 0) await changeZone(world);
  await pass(world, 1 + world.roll(47));
  await assertAccess(world, [...pick(world, 4), ...findAtTheEdge(world).slice(0, 12)]);
  if (day % 5 !== 0) await runJob(world, day % 3 === 0 ? 1 + world.roll(3) : undefined);
  await assertStored(world);
}

if (process.env.TEST_DRILLS)
  test(`${MEMBERS} members over ${DAYS} days: access ends with the first request after the last day, without exception`, async () => {
    const world = await createWorld({ seed: 4_041, count: MEMBERS });
    for (let day = 0; day < DAYS; day += 1) await live(world, day);
  });
