// The actions on people of the server that admins of a connected team can request. Nothing is ever done to a system admin, a bot, the owner
// of the bridge's bot, or in a team that isn't connected.
import { type Channel, Id, type Person } from './answers.ts';
import { CallError, type Mattermost } from './mattermost.client.ts';
import type { Work as StewardWork } from './steward.client.ts';
import { isInScope, listAll, type Scope } from './sweep.ts';

export type Work = Omit<StewardWork, 'id'>;

/** `detail` is the reason of a refusal, or the access that stays. Without an outcome the work is open and has to be repeated. */
export interface WorkOutcome {
  outcome: 'done' | 'refused';
  detail: string;
}

export interface Actor {
  mattermost: Mattermost;
  scope: Scope;
  me: Person;
  /** The owner of the bridge's bot; undefined if that isn't known, and then nothing is done. */
  owner: string | undefined;
}

/** A refusal. Its message is the reason, as a sentence. */
class Refusal extends Error {}

/** Does a piece of work. Each can be repeated: what is done already stays as it is. Throws a `CallError` if it stays open. */
export async function doWork(actor: Actor, work: Work): Promise<WorkOutcome> {
  try {
    const person = await requirePerson(actor, work);
    const detail = await ACTIONS[work.action](actor, work, person);
    return { outcome: 'done', detail };
  } catch (error) {
    if (error instanceof Refusal) return { outcome: 'refused', detail: error.message };
    // The server understood and declined. Rights and settings that are missing can come back, so they don't end the work.
    if (error instanceof CallError && error.status === 400) {
      return { outcome: 'refused', detail: `The server refused it: ${error.error ?? 'no reason'}.` };
    }
    throw error;
  }
}

/** Returns the person as they are now, or refuses. */
async function requirePerson({ mattermost, scope, me, owner }: Actor, { user_id, team_id }: Work): Promise<Person> {
  if (!scope.teams.has(team_id)) throw new Refusal('The team of the server is not connected.');
  if (!Id.safeParse(user_id).success) throw new Refusal('There is no such account at the server.');
  const person = await mattermost.find('readPerson', { ids: { user: user_id } });
  if (person === undefined) throw new Refusal('There is no such account at the server.');
  if (owner === undefined || person.id === owner || person.id === me.id || person.is_bot || isPrivileged(person)) {
    throw new Refusal('Nothing is changed for system admins of the server, bots, or the owner of the bridge.');
  }
  return person;
}

/** Roles of the system other than these let their holders administer it. */
const PLAIN = new Set([
  'system_user',
  'system_guest',
  'system_user_access_token',
  'system_post_all',
  'system_post_all_public',
]);
export const isPrivileged = ({ roles }: Person) =>
  roles.split(' ').some((role) => role.startsWith('system_') && !PLAIN.has(role));

const ACTIONS: Record<Work['action'], (actor: Actor, work: Work, person: Person) => Promise<string>> = {
  async revoke_sessions(actor, work, person) {
    await requireMember(actor, work);
    return revokeSessions(actor, person);
  },
  async send_password_reset(actor, work, { email, delete_at }) {
    await requireMember(actor, work);
    if (delete_at > 0) throw new Refusal('The account is deactivated.');
    await actor.mattermost.call('sendPasswordReset', { body: { email } });
    return 'The email was handed over to the server. Sessions go on until they are revoked.';
  },
  deactivate: (actor, work, person) => setActive(actor, work, { person, active: false }),
  reactivate: (actor, work, person) => setActive(actor, work, { person, active: true }),
  remove_from_team: (actor, work) => removeFromTeam(actor, work),
  add_to_channels: (actor, work) => addToChannels(actor, work),
};

/** Teams that the person belongs to. Memberships that ended are in the list too, with the time of their end. */
async function listTeamIds({ mattermost }: Actor, { user_id }: Work): Promise<string[]> {
  const memberships = await mattermost.call('listTeamsOfPerson', { ids: { user: user_id } });
  return memberships.filter(({ delete_at }) => delete_at === 0).map(({ team_id }) => team_id);
}

async function requireMember(actor: Actor, work: Work): Promise<string[]> {
  const teams = await listTeamIds(actor, work);
  if (!teams.includes(work.team_id)) throw new Refusal('The account is not in the team.');
  return teams;
}

/** Ends sessions first, and then disables the tokens that would open new ones. */
async function revokeSessions({ mattermost }: Actor, { id }: Person): Promise<string> {
  await mattermost.call('revokeSessions', { ids: { user: id } });
  const disabled = await disableTokens(mattermost, id);
  // A session that a token opened in between.
  if (disabled > 0) await mattermost.call('revokeSessions', { ids: { user: id } });
  const owned = await countBots(mattermost, id);
  const tokens = disabled > 0 ? `${disabled} personal ${disabled === 1 ? 'token was' : 'tokens were'} disabled. ` : '';
  const survivors = owned > 0 ? `${owned} ${owned === 1 ? 'bot' : 'bots'} of this person and webhooks` : 'Webhooks';
  return `${tokens}${survivors} go on working.`;
}

async function countBots(mattermost: Mattermost, owner: string): Promise<number> {
  const bots = await listAll(mattermost, 'listBots');
  return bots.filter(({ owner_id, delete_at }) => owner_id === owner && delete_at === 0).length;
}

/** Returns how many were disabled. Requires that none is active in the end. */
async function disableTokens(mattermost: Mattermost, user: string): Promise<number> {
  const active = await listActiveTokens(mattermost, user);
  for (const token_id of active) await mattermost.call('disableToken', { body: { token_id } });
  const left = active.length > 0 ? await listActiveTokens(mattermost, user) : [];
  if (left.length > 0) throw new CallError('disableToken', 200, { reason: `${left.length} tokens are still active` });
  return active.length;
}

async function listActiveTokens(mattermost: Mattermost, user: string): Promise<string[]> {
  try {
    const tokens = await listAll(mattermost, 'listTokens', { user });
    return tokens.filter(({ is_active }) => is_active).map(({ id }) => id);
  } catch (error) {
    // Personal tokens are switched off, and then none of a person works.
    if (error instanceof CallError && error.status === 501) return [];
    throw error;
  }
}

async function setActive(
  actor: Actor,
  work: Work,
  { person, active }: { person: Person; active: boolean },
): Promise<string> {
  const { mattermost, scope } = actor;
  const teams = await requireMember(actor, work);
  if (!teams.every((id) => scope.teams.has(id))) {
    throw new Refusal('The account also belongs to teams that are not connected. Remove it from this team instead.');
  }
  if ((await countBots(mattermost, person.id)) > 0) {
    throw new Refusal('The account owns bots, which would stop for good. Remove it from this team instead.');
  }
  if ((person.delete_at === 0) !== active) {
    await mattermost.call('setActive', { ids: { user: person.id }, body: { active } });
    const now = await mattermost.call('readPerson', { ids: { user: person.id } });
    if ((now.delete_at === 0) !== active) throw new CallError('setActive', 200, { reason: 'nothing changed' });
  }
  return active ? 'Personal tokens of this person work again; sessions have to be opened anew.' : '';
}

/** The memberships in channels of the team are gone with it, and don't come back. */
async function removeFromTeam(actor: Actor, work: Work): Promise<string> {
  const ids = { team: work.team_id, user: work.user_id };
  if ((await listTeamIds(actor, work)).includes(work.team_id)) {
    await actor.mattermost.call('removeFromTeam', { ids });
    if ((await listTeamIds(actor, work)).includes(work.team_id)) {
      throw new CallError('removeFromTeam', 200, { reason: 'nothing changed' });
    }
  }
  return 'Memberships in channels of the team do not come back. Direct messages and sessions go on.';
}

async function addToChannels(actor: Actor, work: Work): Promise<string> {
  const { mattermost } = actor;
  await requireMember(actor, work);
  const read = async () => {
    const found = await mattermost.find('listChannelsOfPerson', { ids: { user: work.user_id } });
    return new Set((found ?? []).map(({ id }) => id));
  };
  const before = await read();
  const channels = await Promise.all(work.channel_ids.map((id) => findOpenChannel(actor, work, id)));
  const missing = channels.filter((channel) => channel !== undefined).filter(({ id }) => !before.has(id));
  for (const { id } of missing) {
    await mattermost.call('addToChannel', { ids: { channel: id }, body: { user_id: work.user_id } });
  }
  const after = missing.length > 0 ? await read() : before;
  if (missing.some(({ id }) => !after.has(id))) throw new CallError('addToChannel', 200, { reason: 'nothing changed' });
  const skipped = channels.filter((channel) => channel === undefined).length;
  return skipped > 0 ? `${skipped} channels were left out: they are archived, private, or not of this team.` : '';
}

/** Only public channels of the team. The server would also add people to archived ones. */
async function findOpenChannel(
  { mattermost, scope }: Actor,
  { team_id }: Work,
  id: string,
): Promise<Channel | undefined> {
  if (!Id.safeParse(id).success) return undefined;
  const channel = await mattermost.find('readChannel', { ids: { channel: id } });
  const isOpen = channel?.type === 'O' && channel.delete_at === 0;
  return isOpen && channel.team_id === team_id && isInScope(scope, channel) ? channel : undefined;
}
