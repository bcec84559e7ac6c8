import type { Person } from './answers.ts';
import { CallError, type Mattermost } from './mattermost.client.ts';
import { listAll } from './sweep.ts';

export interface Setup {
  version: string;
  /** The bridge's own account and its owner, whom it never touches; undefined if the token isn't accepted. */
  me: Person | undefined;
  owner: string | undefined;
  /** What must be changed first, one sentence each. Nothing is deleted while there is one. */
  problems: string[];
  /** What an operator should know, one sentence each. */
  notes: string[];
}

/** Versions that the bridge was tried with. Permanent deletion exists from 10.2 on. */
const KNOWN = { major: 10, from: 2, to: 12 };
/** An id that no post has: asking for its deletion shows the rights and harms nothing. */
const NO_POST = 'z'.repeat(26);

export interface CheckOptions {
  /** A version that the bridge doesn't know is only noted. For the drill, which tries such versions in teams of its own. */
  anyVersion?: boolean;
}

/** Checks everything that deletion needs. */
export async function checkSetup(mattermost: Mattermost, { anyVersion = false }: CheckOptions = {}): Promise<Setup> {
  const setup: Setup = { version: 'unknown', me: undefined, owner: undefined, problems: [], notes: [] };
  try {
    await checkHealth(mattermost, setup);
    const strange = await checkVersion(mattermost, setup);
    if (strange !== undefined) (anyVersion ? setup.notes : setup.problems).push(strange);
    setup.me = await checkToken(mattermost, setup);
    if (setup.me === undefined) return setup;
    await checkDeletion(mattermost, setup);
    // Only an admin can read the rest.
    if (!isAdmin(setup.me)) return setup;
    await checkSettings(mattermost, setup);
    await checkOwnRetention(mattermost, setup);
    await checkLimits(mattermost, setup);
    setup.owner = await findOwner(mattermost, setup.me);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    setup.problems.push(`The checks could not be finished. ${error.message}`);
  }
  return setup;
}

const isAdmin = ({ roles }: Person) => roles.split(' ').includes('system_admin');

async function checkHealth(mattermost: Mattermost, setup: Setup): Promise<void> {
  const { database_status = 'OK', filestore_status = 'OK' } = await mattermost.call('ping');
  if (database_status !== 'OK') setup.problems.push('The server says that its database is not healthy.');
  if (filestore_status !== 'OK') setup.problems.push('The server says that its file storage is not healthy.');
}

async function checkVersion(mattermost: Mattermost, setup: Setup): Promise<string | undefined> {
  setup.version = (await mattermost.call('readClientConfig')).Version;
  const [major = 0, minor = 0] = setup.version.split('.').map(Number);
  if (major === KNOWN.major && minor >= KNOWN.from && minor <= KNOWN.to) return undefined;
  const known = `${KNOWN.major}.${KNOWN.from} to ${KNOWN.major}.${KNOWN.to}`;
  return `The server has version ${setup.version}, and the bridge knows ${known} only.`;
}

async function checkToken(mattermost: Mattermost, { problems }: Setup): Promise<Person | undefined> {
  const me = await mattermost.call('readMyself').catch((error) => {
    if (error instanceof CallError && error.status === 401) return undefined;
    throw error;
  });
  if (me === undefined) {
    problems.push('The server does not accept the token: it is wrong, disabled, or its account is deactivated.');
    return undefined;
  }
  if (!me.is_bot) problems.push(`The token belongs to the person ${me.username}; the bridge needs a bot of its own.`);
  if (!isAdmin(me)) {
    problems.push(`The account ${me.username} needs the role system admin; no lesser role can delete.`);
  }
  return me;
}

async function checkDeletion(mattermost: Mattermost, { problems }: Setup): Promise<void> {
  let status = 200;
  try {
    if ((await mattermost.find('deleteForever', { ids: { post: NO_POST } })) === undefined) return;
  } catch (error) {
    if (!(error instanceof CallError) || error.status === 0) throw error;
    status = error.status;
  }
  if (status === 501) problems.push('The setting EnableAPIPostDeletion is off at the server; switch it on.');
  else if (status !== 403) {
    problems.push(`The server answers ${status} where it should say that a post does not exist.`);
  }
}

async function checkSettings(mattermost: Mattermost, { problems, notes }: Setup): Promise<void> {
  const config = await mattermost.call('readConfig');
  if (!config.TeamSettings.ExperimentalViewArchivedChannels) {
    problems.push('The setting ExperimentalViewArchivedChannels is off, so archived channels cannot be read.');
  }
  if (config.RateLimitSettings.Enable) {
    notes.push('The rate limit of the server is on, and everything takes longer; it counts the bridge too.');
  }
}

/** A licensed server may delete what a hold keeps. Without a license its settings do nothing. */
async function checkOwnRetention(mattermost: Mattermost, { problems, notes }: Setup): Promise<void> {
  if ((await mattermost.call('readLicense')).IsLicensed !== 'true') return;
  notes.push('The server has a license.');
  const policy = await mattermost.call('readRetentionPolicy').catch((error) => {
    if (error instanceof CallError && error.status === 501) return undefined;
    throw error;
  });
  if (policy === undefined) return;
  const { total_count } = await mattermost.call('listRetentionPolicies');
  if (policy.message_deletion_enabled || policy.file_deletion_enabled || total_count > 0) {
    problems.push('The server has a retention of its own, which may delete what is kept here; switch it off.');
  }
}

async function checkLimits(mattermost: Mattermost, { problems }: Setup): Promise<void> {
  const { postHistoryLimit = 0 } = await mattermost.call('readLimits');
  if (postHistoryLimit > 0) {
    problems.push('The server hides old messages (post history limit), and hidden ones look like deleted ones.');
  }
}

async function findOwner(mattermost: Mattermost, me: Person): Promise<string | undefined> {
  const bots = await listAll(mattermost, 'listBots');
  return bots.find((bot) => bot.user_id === me.id)?.owner_id;
}
