// The teams, channels and the account of the drill: found from the last time or created, and left as they were found.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Channel, Id, Person, type Row, type Team } from '../src/answers.ts';
import { deleteThreads, PERMIT_ROWS, type Permit } from '../src/deletion.ts';
import type { Mattermost } from '../src/mattermost.client.ts';
import { listPages, type Scope, sweepChannel } from '../src/sweep.ts';
import type { Reply, Server } from './server.ts';

/** The drill can't begin. Its message is the reason, as a sentence. */
export class Refused extends Error {}

export interface Stage {
  mattermost: Mattermost;
  server: Server;
  me: Person;
  /** The bot's owner. Nothing is ever done to this account. */
  owner: string | undefined;
  /** A team that is connected, and one that isn't, each with a private channel. */
  team: Team;
  other: Team;
  talk: Channel;
  quay: Channel;
  scope: Scope;
  /** The account of a person, unless the server refused to create it. */
  person: Person | undefined;
  /** That person with a session and as a member of the first team; or the reason why there is none. */
  helper: Helper | string;
}

export interface Helper {
  person: Person;
  password: string;
  /** The token of a session. */
  session: string;
}

const TEAM_NAMES = { team: 'retention-drill', other: 'retention-drill-other' };
const HELPER = {
  username: 'retention-drill-helper',
  /** Nobody can have an address of this domain. */
  email: 'retention-drill-helper@example.test',
  first_name: 'Retention',
  last_name: 'Drill',
  position: 'Made by the retention drill',
};
export const OLD_MS = 400 * 86_400_000;

export async function openStage(
  mattermost: Mattermost,
  server: Server,
  { me, owner }: { me: Person; owner: string | undefined },
): Promise<Stage> {
  server.own.add(me.id);
  const teams = (await Array.fromAsync(listPages(mattermost, 'listTeams'))).flat();
  const people = (await Array.fromAsync(listPages(mattermost, 'listPeople'))).flat();
  const known = people.find(({ username, email }) => username === HELPER.username || email === HELPER.email);
  const found = Object.values(TEAM_NAMES).map((name) => teams.find((each) => each.name === name));
  // Everything is compared before anything is changed.
  for (const team of found) if (team) await requireOwnTeam(mattermost, team, { me, known });
  if (known) await requireOwnPerson(mattermost, server, { known, teams: found.flatMap((each) => each?.id ?? []) });
  const [team, other] = [
    await openTeam(mattermost, server, { name: TEAM_NAMES.team, found: found[0] }),
    await openTeam(mattermost, server, { name: TEAM_NAMES.other, found: found[1] }),
  ];
  const talk = await openChannel(mattermost, server, { team, name: 'talk' });
  const quay = await openChannel(mattermost, server, { team: other, name: 'quay' });
  const scope = { teams: new Set([team.id]), directMessages: false };
  const person = known ?? (await createPerson(server).catch(toReason));
  const stage: Stage = { mattermost, server, me, owner, team, other, talk, quay, scope, ...NOBODY };
  if (typeof person === 'string') stage.helper = person;
  else {
    server.own.add(person.id);
    stage.person = person;
    stage.helper = await openHelper(stage, person).catch(toReason);
  }
  await clear(stage);
  return stage;
}

/** Refuses a team of the name that somebody else made or uses. */
async function requireOwnTeam(
  mattermost: Mattermost,
  team: Team,
  { me, known }: { me: Person; known: Person | undefined },
): Promise<void> {
  const refuse = (reason: string) => {
    throw new Refused(`There is a team ${team.name} that is not the drill's: ${reason}. Nothing was changed.`);
  };
  if (team.email !== me.email) refuse(`${me.username} did not create it`);
  const members = (await Array.fromAsync(listPages(mattermost, 'listTeamMembers', { team: team.id }))).flat();
  if (members.some(({ user_id }) => user_id !== me.id && user_id !== known?.id)) refuse('it has other members');
  for (const channel of await listChannelsOf(mattermost, [team.id])) {
    for await (const rows of sweepChannel(mattermost, channel.id)) {
      const isForeign = rows.some(({ type, user_id }) => type === '' && user_id !== me.id && user_id !== known?.id);
      if (isForeign) refuse('it has messages of others');
    }
  }
}

const Membership = z.object({ team_id: Id, delete_at: z.number() });

/** Refuses an account of the name that the drill did not create, or that somebody uses. */
async function requireOwnPerson(
  mattermost: Mattermost,
  server: Server,
  { known, teams }: { known: Person; teams: readonly string[] },
): Promise<void> {
  const isSame = Object.entries(HELPER).every(([key, value]) => known[key as keyof typeof HELPER] === value);
  const bots = (await Array.fromAsync(listPages(mattermost, 'listBots'))).flat();
  const { body } = await server.send(`GET users/${known.id}/teams/members`);
  const memberships = z
    .array(Membership)
    .parse(body)
    .filter((each) => each.delete_at === 0);
  const isUsed = known.roles !== 'system_user' || bots.some((bot) => bot.owner_id === known.id);
  if (isSame && !isUsed && memberships.every(({ team_id }) => teams.includes(team_id))) return;
  throw new Refused(`There is an account ${known.username} that is not the drill's. Nothing was changed.`);
}

interface Place {
  name: string;
  found: Team | undefined;
}

async function openTeam(mattermost: Mattermost, { own }: Server, { name, found }: Place): Promise<Team> {
  const body = { name, display_name: `Made by the retention drill (${name})`, type: 'I' };
  const team = found ?? (await mattermost.call('createTeam', { body }));
  own.add(team.id);
  return team.delete_at > 0 ? mattermost.call('restoreTeam', { ids: { team: team.id } }) : team;
}

async function openChannel(mattermost: Mattermost, { own }: Server, { team, name }: { team: Team; name: string }) {
  const channels = await listChannelsOf(mattermost, [team.id]);
  for (const { id } of channels) own.add(id);
  const body = { team_id: team.id, name, display_name: name, type: 'P' };
  const channel = channels.find((each) => each.name === name) ?? (await mattermost.call('createChannel', { body }));
  own.add(channel.id);
  return channel;
}

async function listChannelsOf(mattermost: Mattermost, teams: readonly string[]): Promise<Channel[]> {
  const channels = (await Array.fromAsync(listPages(mattermost, 'listChannels'))).flat();
  return channels.filter((channel) => teams.includes(channel.team_id));
}

const NOBODY = { person: undefined, helper: '' };
const toReason = (error: Error) => error.message;
/** The hyphens keep it from looking like an id. */
const newPassword = () => `Aa1-${randomBytes(12).toString('hex')}-drill`;

async function createPerson(server: Server): Promise<Person> {
  const { body } = await succeed(server, 'POST users', { body: { ...HELPER, password: newPassword() } });
  return Person.parse(body);
}

/** Gives the person a new password and a session, and brings it into the team. */
async function openHelper(stage: Stage, person: Person): Promise<Helper> {
  const { server } = stage;
  const password = newPassword();
  await succeed(server, `PUT users/${person.id}/password`, { body: { new_password: password } });
  if (person.delete_at > 0) await succeed(server, `PUT users/${person.id}/active`, { body: { active: true } });
  const helper = { person, password, session: await logIn(server, password) };
  // A server may demand a second factor before anything else.
  const { status } = await server.send('GET users/me', { as: helper.session });
  if (status !== 200) throw new Error(`the server answers ${status} to its session`);
  await addToTeam(stage, helper);
  return helper;
}

/** Opens a session of the helper and returns its token. */
export async function logIn(server: Server, password: string): Promise<string> {
  const said = await succeed(server, 'POST users/login', {
    body: { login_id: HELPER.username, password },
    as: '',
  });
  return said.headers.get('token') ?? '';
}

/** Sends a call that has to succeed. */
export async function succeed(
  server: Server,
  call: string,
  options: { body?: unknown; as?: string } = {},
): Promise<Reply> {
  const said = await server.send(call, options);
  if (said.status < 300) return said;
  const error = z.object({ id: z.string() }).safeParse(said.body).data?.id ?? '';
  // Not with the ids, which differ from run to run.
  throw new Error(
    `the server answers ${`${said.status} ${error}`.trim()} to ${call.replace(/\b[a-z0-9]{26}\b/g, '…')}`,
  );
}

export async function addToTeam({ server, team, talk }: Stage, { person }: Pick<Helper, 'person'>): Promise<void> {
  await succeed(server, `POST teams/${team.id}/members`, { body: { team_id: team.id, user_id: person.id } });
  await succeed(server, `POST channels/${talk.id}/members`, { body: { user_id: person.id } });
}

/** Deletes every row of the drill's teams for good, as an order does except that they may be new. Returns how many are left. */
export async function clear({ mattermost, server, team, other }: Stage): Promise<number> {
  const scope = { teams: new Set([team.id, other.id]), directMessages: false };
  let left = 0;
  for (const channel of await listChannelsOf(mattermost, [team.id, other.id])) {
    const rows = await sweep(mattermost, channel);
    const own = rows.filter((row) => server.own.has(row.user_id));
    for (const part of splitThreads(own)) {
      await deleteThreads(mattermost, { ...(await permitFor(mattermost, channel, part)), isBegun: true }, scope);
    }
    if (rows.length > 0) left += (await sweep(mattermost, channel)).length;
  }
  return left;
}

/** Reads the whole channel. The rows in it are the drill's from then on. */
export async function sweep(mattermost: Mattermost, { id }: Channel): Promise<Row[]> {
  return (await Array.fromAsync(sweepChannel(mattermost, id))).flat();
}

const threadOf = ({ id, root_id, original_id }: Row) => root_id || original_id || id;

/** Splits rows into parts of whole threads that fit into a permit. */
export function splitThreads(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [[]];
  // A version of a reply has the root of the reply.
  for (const thread of Map.groupBy(rows, threadOf).values()) {
    if ((parts.at(-1)?.length ?? 0) + thread.length > PERMIT_ROWS) parts.push([]);
    parts.at(-1)?.push(...thread);
  }
  return parts.filter((part) => part.length > 0);
}

async function permitFor(mattermost: Mattermost, channel: Channel, rows: readonly Row[]): Promise<Permit> {
  await mattermost.call('ping');
  const sweptAt = mattermost.time();
  return { channel: channel.id, rows, cutoff: sweptAt + OLD_MS, sweptAt, quietMs: 0, isBegun: false };
}

/** Sweeps a channel and returns a permit for its threads that are wholly older than 30 days. */
export async function permitOld(mattermost: Mattermost, channel: Channel): Promise<Permit> {
  await mattermost.call('ping');
  const sweptAt = mattermost.time();
  const cutoff = sweptAt - 30 * 86_400_000;
  const rows = await sweep(mattermost, channel);
  const young = new Set(rows.filter((row) => row.create_at >= cutoff).map(threadOf));
  const due = rows.filter((row) => !young.has(threadOf(row)));
  return { channel: channel.id, rows: due, cutoff, sweptAt, quietMs: 0, isBegun: false };
}

/** Removes what the drill made, as far as the settings of the server allow it. Returns what stays, one sentence each. */
export async function closeStage(stage: Stage): Promise<string[]> {
  const { mattermost, server, team, other, person } = stage;
  const stays: string[] = [];
  if (person) await server.send(`DELETE teams/${team.id}/members/${person.id}`);
  // Some messages about members arrive a moment after the call.
  const left = (await clear(stage)) > 0 ? await clear(stage) : 0;
  if (left > 0) stays.push(`${left} messages in the teams of the drill, because their deletion failed`);
  if (person && (await server.send(`DELETE users/${person.id}?permanent=true`)).status !== 200) {
    const { status } = await server.send(`PUT users/${person.id}/active`, { body: { active: false } });
    const state = status === 200 ? 'deactivated' : 'active, because its deactivation failed';
    stays.push(`the account ${person.username}, ${state}; EnableAPIUserDeletion would allow its deletion`);
  }
  for (const { id, name } of [team, other]) {
    // Its messages are gone with their files. Without that, the files would stay on the disk for good.
    if (left === 0 && (await server.send(`DELETE teams/${id}?permanent=true`)).status === 200) continue;
    await mattermost.call('archiveTeam', { ids: { team: id } });
    stays.push(
      `the team ${name}, archived${left > 0 ? '' : ' and empty'}; EnableAPITeamDeletion would allow its deletion`,
    );
  }
  stays.push('the archived team of the rehearsal, and the direct channel of the bot with itself');
  return ['', ...stays.map((each) => `Stays at the server: ${each}.`)];
}
