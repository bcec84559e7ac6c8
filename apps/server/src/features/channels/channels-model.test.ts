// A plain model of people who come and go, their groups and their channels, beside a real team: random changes by the identity
// provider, admins, invitation links and time go to both, and after each night both have to agree.
import assert from 'node:assert/strict';
import { answerInvitation } from '@steward/contract/account/memberships';
import { saveDefaultChannels } from '@steward/contract/channels/defaults';
import { saveChannelGroup } from '@steward/contract/channels/groups';
import { deactivateUser, reactivateUser, removeUser } from '@steward/contract/users/lifecycle';
import { saveUsers } from '@steward/contract/users/multi';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { processBatches } from '#features/channels/join-channels.job.ts';
import { endDueMemberships } from '#features/users/ends/end-memberships.job.ts';
import { inTransaction } from '#platform/database/database.ts';
import { createBatchQueue } from '#platform/jobs/work-in-turns.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { buildGroup, scim, scimToken, type TestProvisioner, toPatch } from '#testing/peers/scim.ts';
import { channel, findGeneralChannel, type TestChannel } from '#testing/workspace/content.ts';
import { setNow } from '#testing/workspace/ends.ts';
import { addMembers, createTeamWithMembers, signedIn, type TestTeam, team } from '#testing/workspace/factories.ts';
import { invitationLink } from '#testing/workspace/signup.ts';
import { addInvitations } from '#workspace/users/memberships.store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ pool: 1, work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

interface Person {
  id: string;
  email: string;
  /** Someone without a session never accepts an invitation, so they come once at most. */
  cookie: string | undefined;
  /** What the identity provider calls them: the id of their invitation lasts. Undefined outside the team. */
  scimId: string | undefined;
  state: 'outside' | 'invited' | 'member';
  wasMember: boolean;
  deactivatedBy: 'admin' | 'provider' | 'end' | null;
  endsOn: string | null;
}

type Reason = 'person' | 'default' | 'group';

interface Channel extends TestChannel {
  isArchived: boolean;
  /** Without the owner, who is in all private channels. */
  joined: Map<Person, Reason>;
}

interface Group {
  id: string;
  members: Set<Person>;
  channels: Set<Channel>;
}

interface World {
  node: TestApp;
  team: TestTeam;
  provisioner: TestProvisioner;
  general: TestChannel;
  linkId: string;
  /** A whole number from 0, below another one. */
  roll: (below: number) => number;
  now: number;
  people: Person[];
  channels: Channel[];
  groups: Group[];
  defaults: Set<Channel>;
  /** Runs over all members that wait for the night; one of default channels adds members to these. */
  groupsRun: boolean;
  defaultsRun: Set<Channel> | undefined;
  linkUses: number;
}

interface Size {
  seed: number;
  /** Members from the beginning. */
  members: number;
  /** People with another team, who come by invitations. */
  comers: number;
}

async function createWorld({ seed, members, comers }: Size): Promise<World> {
  const ours = await createTeamWithMembers(node);
  await addMembers(node, ours.id, members);
  const { rows } = await sql<{ id: string; email: string }>`select p.id, p.email from people p
    join memberships m on m.person_id = p.id where m.team_id = ${ours.id} and p.first_name = 'Person'
    order by p.id`.execute(node.db);
  const nobody = { cookie: undefined, wasMember: false, deactivatedBy: null, endsOn: null };
  const people: Person[] = rows.map((row) => ({ ...nobody, ...row, scimId: row.id, state: 'member' }));
  const others = await team(node);
  for (let count = 0; count < comers; count += 1) {
    const { id, email, cookie } = await signedIn(node, { team: others });
    people.push({ ...nobody, id, email, cookie, scimId: undefined, state: 'outside' });
  }
  const channels: Channel[] = [];
  for (const type of ['O', 'P', 'O', 'P', 'O', 'O'] as const) {
    const own = type === 'P' ? [ours.owner.id] : [];
    channels.push({ ...(await channel(node, ours.id, { type, members: own })), isArchived: false, joined: new Map() });
  }
  const now = Date.parse('2027-01-15T12:00:00Z');
  await setNow(node, now);
  const link = { teamId: ours.id, createdBy: ours.owner.id, hours: 24 * 1_000 };
  const world: World = {
    node,
    team: ours,
    roll: createRoll(seed),
    now,
    people,
    channels,
    groups: [],
    defaults: new Set(),
    groupsRun: false,
    defaultsRun: undefined,
    linkUses: 0,
    provisioner: await scimToken(node, ours.id, ours.owner.id),
    general: await findGeneralChannel(node, ours.id),
    linkId: (await invitationLink(node, link)).id,
  };
  for (let count = 0; count < 4; count += 1) await addGroup(world);
  return world;
}

/** The same numbers on every machine. */
function createRoll(seed: number): World['roll'] {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const toDay = (moment: number) => new Date(moment).toISOString().slice(0, 10);
const isOver = ({ now }: World, { endsOn }: Person) => endsOn !== null && toDay(now) > endsOn;
/** Only those with access can join channels. */
const hasAccess = (world: World, person: Person) =>
  person.state === 'member' && person.deactivatedBy === null && !isOver(world, person);

const one = <T>({ roll }: World, from: readonly T[]): T => from[roll(from.length)] ?? assert.fail('nothing to choose');
const some = <T>(world: World, from: readonly T[], most: number): T[] => [
  ...new Set(Array.from({ length: world.roll(most + 1) }, () => one(world, from))),
];
const onlySome = (world: World, channels: Iterable<Channel>) => [...channels].filter(() => world.roll(2) === 0);

/** The groups of these people decide about channels in which nothing else had put them. */
function applyGroups(world: World, people: Iterable<Person>): void {
  for (const person of people)
    for (const place of world.channels) {
      const isMapped = world.groups.some(({ members, channels }) => members.has(person) && channels.has(place));
      if (!isMapped && place.joined.get(person) === 'group') place.joined.delete(person);
      if (isMapped && hasAccess(world, person) && !place.isArchived && !place.joined.has(person))
        place.joined.set(person, 'group');
    }
}

async function addGroup(world: World): Promise<void> {
  const { node, provisioner, people, groups } = world;
  const members = some(world, people, 5);
  const body = buildGroup(`Group ${world.roll(1_000)}`, members.map(toScimId));
  const reply = await scim(node, provisioner, 'POST /Groups', { body });
  assert.equal(reply.status, 201, reply.text);
  const known = members.filter(({ scimId }) => scimId !== undefined);
  groups.push({ id: reply.body.id, members: new Set(known), channels: new Set() });
  applyGroups(world, known);
}

/** The id of someone outside the team is unknown; the provider may send it all the same. */
const toScimId = ({ scimId, id }: Person) => scimId ?? id;

async function replaceGroup(world: World): Promise<void> {
  const { node, provisioner, groups } = world;
  const [gone] = groups.splice(world.roll(groups.length), 1);
  const reply = await scim(node, provisioner, `DELETE /Groups/${gone?.id}`);
  assert.equal(reply.status, 204, reply.text);
  applyGroups(world, gone?.members ?? []);
  await addGroup(world);
}

async function regroup(world: World): Promise<void> {
  const { node, provisioner, people, groups } = world;
  const group = one(world, groups);
  const chosen = some(world, people, 5);
  const known = chosen.filter(({ scimId }) => scimId !== undefined);
  const before = [...group.members];
  const way = one(world, ['add', 'add', 'remove', 'replace'] as const);
  const path = `/Groups/${group.id}`;
  if (way === 'replace') {
    const body = buildGroup('Renamed', chosen.map(toScimId));
    const reply = await scim(node, provisioner, `PUT ${path}`, { body });
    assert.equal(reply.status, 200, reply.text);
    group.members = new Set(known);
    // With another name, the whole group is applied.
    return applyGroups(world, [...before, ...known]);
  }
  const values = chosen.map((person) => ({ value: toScimId(person) }));
  const removing = values.map(({ value }) => ({ op: 'remove', path: `members[value eq "${value}"]` }));
  const operations = way === 'add' ? [{ op: 'add', path: 'members', value: values }] : removing;
  if (chosen.length === 0) return;
  const reply = await scim(node, provisioner, `PATCH ${path}`, { body: toPatch(...operations) });
  assert.equal(reply.status, 204, reply.text);
  const changed = known.filter((person) => group.members.has(person) === (way === 'remove'));
  for (const person of changed) if (way === 'add') group.members.add(person);
  for (const person of changed) if (way === 'remove') group.members.delete(person);
  applyGroups(world, changed);
}

const about = ({ team: { id: teamId, owner } }: World, userId = '') => ({ as: owner, params: { teamId, userId } });

async function mapGroup(world: World): Promise<void> {
  const group = one(world, world.groups);
  const offered = world.channels.filter((place) => !place.isArchived || group.channels.has(place));
  const after = new Set(onlySome(world, offered));
  const body = { group_id: group.id, channel_ids: [...after].map(({ id }) => id) };
  const reply = await call(world.node, saveChannelGroup, { ...about(world), body });
  assert.equal(reply.status, 200, reply.text);
  if (after.symmetricDifference(group.channels).size > 0) world.groupsRun = true;
  group.channels = after;
}

/** Only three channels ever are default channels, because nothing but leaving the team removes anyone there. */
async function setDefaults(world: World): Promise<void> {
  const offered = world.channels.slice(3).filter((place) => !place.isArchived || world.defaults.has(place));
  const after = new Set(onlySome(world, offered));
  const add_existing = world.roll(3) === 0;
  const body = { default_channels: [world.general, ...after].map(({ id }) => id), add_existing };
  const reply = await call(world.node, saveDefaultChannels, { ...about(world), body });
  if (add_existing && world.defaultsRun !== undefined) return assert.equal(reply.body.id, 'channels.join_running');
  assert.equal(reply.status, 200, reply.text);
  world.defaults = after;
  if (add_existing) world.defaultsRun = after;
}

/** As if done in a connected server. */
async function archive(world: World): Promise<void> {
  const place = one(world, world.channels);
  place.isArchived = !place.isArchived;
  const delete_at = place.isArchived ? 5 : 0;
  await world.node.db.updateTable('channels').set({ delete_at }).where('id', '=', place.id).execute();
}

async function joinByHand(world: World): Promise<void> {
  const [place, person] = [one(world, world.channels), one(world, world.people)];
  if (!hasAccess(world, person)) return;
  const row = { team_id: world.team.id, channel_id: place.id, person_id: person.id, create_at: 1 };
  const adding = world.node.db.insertInto('channel_members').values(row);
  await adding.onConflict((conflict) => conflict.doNothing()).execute();
  if (!place.joined.has(person)) place.joined.set(person, 'person');
}

const oneMember = (world: World) => {
  const person = one(world, world.people);
  return person.state === 'member' ? person : undefined;
};

async function deactivate(world: World): Promise<void> {
  const person = oneMember(world);
  if (!person) return;
  await call(world.node, deactivateUser, about(world, person.id));
  if (hasAccess(world, person)) person.deactivatedBy = 'admin';
}

async function reactivate(world: World): Promise<void> {
  const person = oneMember(world);
  if (!person) return;
  const reply = await call(world.node, reactivateUser, { ...about(world, person.id), body: {} });
  assert.equal(reply.status, 200, reply.text);
  if (hasAccess(world, person)) return;
  if (isOver(world, person)) person.endsOn = null;
  person.deactivatedBy = null;
  applyGroups(world, [person]);
}

async function setEnd(world: World): Promise<void> {
  const person = oneMember(world);
  if (!person || !hasAccess(world, person)) return;
  const ends_on = world.roll(4) === 0 ? null : toDay(world.now + world.roll(5) * DAY_MS);
  const body = [{ email: person.email, ends_on }];
  const reply = await call(world.node, saveUsers, { ...about(world), body });
  assert.deepEqual([reply.status, reply.body.errors], [200, []], reply.text);
  person.endsOn = ends_on;
}

/** By the provider, which lifts only what it did, and no end. */
async function suspend(world: World): Promise<void> {
  const active = world.roll(2) === 0;
  const suspended = world.people.filter(({ deactivatedBy }) => deactivatedBy === 'provider');
  const person = active && suspended.length > 0 ? one(world, suspended) : oneMember(world);
  if (!person) return;
  const body = toPatch({ op: 'replace', path: 'active', value: active });
  const reply = await scim(world.node, world.provisioner, `PATCH /Users/${toScimId(person)}`, { body });
  if (!active && hasAccess(world, person)) person.deactivatedBy = 'provider';
  if (active && person.deactivatedBy === 'provider' && !isOver(world, person)) {
    person.deactivatedBy = null;
    applyGroups(world, [person]);
  }
  assert.deepEqual([reply.status, reply.body.active], [200, hasAccess(world, person)], reply.text);
}

async function remove(world: World): Promise<void> {
  const person = oneMember(world);
  if (!person) return;
  if (world.roll(2) === 0) {
    const reply = await scim(world.node, world.provisioner, `DELETE /Users/${toScimId(person)}`);
    assert.equal(reply.status, 204, reply.text);
  } else {
    const reply = await call(world.node, removeUser, about(world, person.id));
    assert.equal(reply.status, 200, reply.text);
  }
  for (const { members } of world.groups) members.delete(person);
  for (const { joined } of world.channels) joined.delete(person);
  Object.assign(person, { state: 'outside', scimId: undefined, deactivatedBy: null, endsOn: null, wasMember: true });
}

/** A link doesn't admit whom the team removed; an admin may invite them again. */
async function invite(world: World): Promise<void> {
  const { node, team: ours, linkId } = world;
  const person = one(world, world.people);
  if (person.state !== 'outside' || person.cookie === undefined) return;
  const inviting = { teamId: ours.id, invitedBy: ours.owner.id, ...(!person.wasMember && { linkId }) };
  await inTransaction(node.db, (trx) => addInvitations(trx, inviting, [{ email: person.email, roles: ['team_user'] }]));
  const invitations = node.db.selectFrom('memberships').select('person_id as id').where('team_id', '=', ours.id);
  person.scimId = (await invitations.where('email', '=', person.email).executeTakeFirstOrThrow()).id;
  person.state = 'invited';
}

/** Who accepts joins the default channels first, so that leaving a group doesn't remove them there. */
async function accept(world: World): Promise<void> {
  const waiting = world.people.filter(({ state }) => state === 'invited');
  if (waiting.length === 0) return;
  const person = one(world, waiting);
  const as = { cookie: person.cookie ?? '' };
  const reply = await call(world.node, answerInvitation, { ...about(world), as, body: { accept: true } });
  assert.equal(reply.status, 200, reply.text);
  if (!person.wasMember) world.linkUses += 1;
  person.state = 'member';
  for (const place of world.defaults) if (!place.isArchived) place.joined.set(person, 'default');
  applyGroups(world, [person]);
}

/** The more often a change is listed, the more often it is made. */
const CHANGES = [
  ...[regroup, regroup, regroup, regroup, mapGroup, mapGroup, setDefaults, archive, joinByHand, deactivate, reactivate],
  ...[reactivate, setEnd, setEnd, setEnd, suspend, suspend, suspend, invite, invite, accept, accept, accept],
  ...[remove, replaceGroup],
];

async function liveOneDay(world: World, changes: number): Promise<void> {
  for (let count = 0; count < changes; count += 1) await one(world, CHANGES)(world);
}

/**
 * Time passes, and the jobs run in any order. They are killed between two batches, if there are several, and run again. In some
 * nights no membership is ended, so that the next day meets members whose last day is over.
 */
async function passNight(world: World): Promise<void> {
  world.now += (1 + world.roll(47)) * HOUR_MS;
  await setNow(world.node, world.now);
  const jobs = world.roll(2) === 0 ? [runGroups, runDefaults] : [endMemberships, runGroups, runDefaults];
  while (jobs.length > 0) for (const job of jobs.splice(world.roll(jobs.length), 1)) await job(world);
}

async function endMemberships(world: World): Promise<void> {
  await endDueMemberships(world.node.deps);
  for (const person of world.people)
    if (person.state === 'member' && person.deactivatedBy === null && isOver(world, person))
      person.deactivatedBy = 'end';
}

async function runGroups(world: World): Promise<void> {
  await runJoin(world, 'groups');
  if (world.groupsRun) applyGroups(world, world.people);
  world.groupsRun = false;
}

/** Fills the channels that are still default channels, and open. Members then stay there whatever their groups are. */
async function runDefaults(world: World): Promise<void> {
  await runJoin(world, 'defaults');
  for (const place of world.defaultsRun?.intersection(world.defaults) ?? [])
    for (const person of world.people)
      if (!place.isArchived && hasAccess(world, person) && place.joined.get(person) !== 'person')
        place.joined.set(person, 'default');
  world.defaultsRun = undefined;
}

async function runJoin({ node, team: { id: teamId }, roll }: World, source: 'groups' | 'defaults'): Promise<void> {
  const running = node.db.selectFrom('channel_joins').select('id').where('team_id', '=', teamId);
  const find = () => running.where('source', '=', source).where('ended_at', 'is', null).executeTakeFirst();
  let batches = roll(3);
  const isStopping = () => {
    batches -= 1;
    if (batches === 0) throw new Error('killed between two transactions');
    return false;
  };
  const deps = { ...node.deps, jobs: { ...node.deps.jobs, isStopping } };
  const limits = { queue: createBatchQueue(), turnMs: HOUR_MS };
  for (let run = await find(); run; run = await find())
    await processBatches(deps, { teamId, joinId: run.id }, limits).catch((error: Error) =>
      assert.equal(error.message, 'killed between two transactions'),
    );
}

/** Members, groups, channels with the reason of each member, and the uses of the link are those of the model. */
async function assertStored(world: World): Promise<void> {
  const { db } = world.node;
  const teamId = world.team.id;
  const ids = new Map(world.people.map((person) => [person.id, person]));
  const memberships = await db
    .selectFrom('memberships')
    .select(['person_id', 'deactivated', 'email'])
    .where('team_id', '=', teamId)
    .execute();
  const members = memberships.filter(({ person_id, email }) => email === null && ids.has(person_id));
  const expected = world.people.filter(({ state }) => state === 'member');
  assert.deepEqual(
    members.map(({ person_id, deactivated }) => `${person_id} ${deactivated}`).sort(),
    expected.map(({ id, deactivatedBy }) => `${id} ${deactivatedBy !== null}`).sort(),
  );
  for (const group of world.groups) {
    const { body } = await scim(world.node, world.provisioner, `GET /Groups/${group.id}`);
    const values = (body.members ?? []).map(({ value }: { value: string }) => value);
    assert.deepEqual(values.sort(), [...group.members].map(toScimId).sort());
  }
  const rows = await db
    .selectFrom('channel_members')
    .select(['channel_id', 'person_id', 'reason'])
    .where('team_id', '=', teamId)
    .execute();
  const stored = rows.filter(({ person_id }) => ids.has(person_id));
  assert.deepEqual(
    stored.map(({ channel_id, person_id, reason }) => `${channel_id} ${person_id} ${reason}`).sort(),
    world.channels
      .flatMap(({ id, joined }) => [...joined].map(([person, reason]) => `${id} ${person.id} ${reason}`))
      .sort(),
  );
  const link = await db.selectFrom('invitation_links').select('uses').where('id', '=', world.linkId).executeTakeFirst();
  assert.equal(link?.uses, world.linkUses);
}

test('after each night, members, groups and channels are those that people, groups and defaults demand', async () => {
  const world = await createWorld({ seed: 20_261_128, members: 6, comers: 14 });
  for (let night = 0; night < 20; night += 1) {
    await liveOneDay(world, 12);
    await passNight(world);
    await assertStored(world);
  }
});

/** CI runs 12 nights. DRILL_DAYS=400 takes five minutes. */
const NIGHTS = Number(process.env.DRILL_DAYS ?? 12);

if (process.env.TEST_DRILLS)
  test(`over ${NIGHTS} nights with jobs of several batches that are killed, members, groups and channels are those of the model`, async () => {
    const world = await createWorld({ seed: 401, members: 1_100, comers: 40 });
    for (let night = 0; night < NIGHTS; night += 1) {
      await liveOneDay(world, 16);
      await passNight(world);
      await assertStored(world);
    }
  });
