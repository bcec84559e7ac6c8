// Stands between one Mattermost server and Steward: reports what is there, does what admins ask for, and deletes under permits.
import { setTimeout as wait } from 'node:timers/promises';
import { checkSetup, type Setup } from './check.ts';
import { CallError, type Mattermost } from './mattermost.client.ts';
import { sendChanges, sendChannels, sendUsers } from './mirror.ts';
import { type Orders, type Progress, readChannel, runPermit, toScope } from './orders.ts';
import { type Actor, doWork, isPrivileged } from './people.ts';
import { rehearse } from './rehearsal.ts';
import {
  type ChannelToRead,
  type Lease,
  SENTENCE_MOST,
  type Steward,
  StewardError,
  sendFailedList,
} from './steward.client.ts';

export interface BridgeOptions {
  steward: Steward;
  /** For everything that may take long. It gives way to others. */
  mattermost: Mattermost;
  /** For what an admin waits for. */
  urgent: Mattermost;
  /** Names this process in Steward. */
  name: string;
  print: (line: string) => void;
  now?: () => number;
}

export interface Bridge extends Required<BridgeOptions> {
  lease: Lease | undefined;
  setup: Setup | undefined;
  sweptAt: Orders['sweptAt'];
  busy: Orders['busy'];
  /** Names the teams whose people and channels were listed last; undefined if they have to be listed. */
  listedScope: string | undefined;
  /** Something was done to a person, so that the list of people is old. */
  isDirty: boolean;
  /** When the changes of all channels were read last, and when a rehearsal or a permit may be tried again. */
  changesAt: number;
  rehearsalFrom: number;
  permitsFrom: number;
  /** The lines about the state that were printed last. */
  printed: string;
  /** Channels that can't be read, and until when they are left alone. */
  unreadable: Map<string, number>;
  /** Channels that are due by Steward's last answer, and until when it counts. */
  due: { channels: ChannelToRead[]; until: number };
  /** Failures of the server in a row, by channel. */
  failures: Map<string, number>;
}

export function createBridge({ now = Date.now, ...options }: BridgeOptions): Bridge {
  const times = { changesAt: 0, rehearsalFrom: 0, permitsFrom: 0 };
  const unknown = { lease: undefined, setup: undefined, listedScope: undefined, isDirty: false, printed: '' };
  const channels = { sweptAt: new Map(), busy: new Set<string>(), unreadable: new Map(), failures: new Map() };
  return { ...options, ...unknown, ...times, ...channels, due: { channels: [], until: 0 }, now };
}

const HOUR_MS = 3_600_000;
const CHANGES_MS = 60_000;
const DUE_MS = 600_000;
/** Messages that are imported or dated back are found by nothing else, so every channel is read completely within a week. */
const SWEEP_MS = 6 * 24 * HOUR_MS;
const REHEARSAL_AGAIN_MS = 600_000;
const PERMIT_AGAIN_MS = 30_000;

/** Takes or extends the lease, which also tells what Steward wants. */
export async function takeLease(bridge: Bridge): Promise<Lease> {
  const { steward, name } = bridge;
  try {
    const body = { bridge: name, ...(steward.lease !== undefined && { lease: steward.lease }) };
    bridge.lease = await steward.call('takeLease', { body });
  } catch (error) {
    // Another bridge has it. What this one knows may be old when it gets the lease again.
    if (error instanceof StewardError && error.error === 'connector.leased') {
      Object.assign(bridge, { lease: undefined, listedScope: undefined, due: { channels: [], until: 0 } });
      bridge.sweptAt.clear();
      bridge.busy.clear();
      steward.lease = undefined;
    }
    throw error;
  }
  steward.lease = bridge.lease.lease;
  return bridge.lease;
}

/** Checks the server and reports it. With anything missing, Steward gives no permits. */
export async function reportSetup(bridge: Bridge): Promise<Setup> {
  const setup = await checkSetup(bridge.urgent);
  bridge.setup = setup;
  const failed = setup.problems.map((detail) => ({ name: 'Set-up', passed: false, detail }));
  const noted = setup.notes.map((detail) => ({ name: 'Note', passed: true, detail }));
  const checks = [...(failed.length > 0 ? failed : [{ name: 'Set-up', passed: true, detail: '' }]), ...noted];
  await bridge.steward.call('reportStatus', {
    body: { server_version: setup.version, checks: checks.map(shorten).slice(0, CHECKS_MOST) },
  });
  return setup;
}

const CHECKS_MOST = 30;
const shorten = <R extends { detail: string }>(row: R): R => ({ ...row, detail: row.detail.slice(0, SENTENCE_MOST) });

/** Prints what is missing, if that is something else than before. */
function tellState(bridge: Bridge): void {
  const { setup, lease } = bridge;
  if (setup === undefined || lease === undefined) return;
  const { name, mappings } = lease.connection;
  const isAccepted = mappings.some(({ accepted }) => accepted);
  const missing = [
    ...setup.problems.map((problem) => `Missing: ${problem}`),
    ...(isAccepted ? [] : ['Missing: No owner of a team has accepted the connection yet.']),
  ];
  const state = missing.length > 0 ? 'nothing will be deleted.' : 'everything that deletion needs is there.';
  const notes = setup.notes.map((note) => `Note: ${note}`);
  const lines = [`Connected as “${name}”. Mattermost ${setup.version}: ${state}`, ...missing, ...notes];
  if (lines.join() === bridge.printed) return;
  bridge.printed = lines.join();
  for (const line of lines) bridge.print(line);
}

/** Undefined if the token isn't that of an admin's bot. Other problems only forbid deletion. */
function toActor({ lease, setup, mattermost }: Bridge): Actor | undefined {
  const scope = toScope(lease?.connection.mappings ?? []);
  const me = setup?.me;
  if (me === undefined || !me.is_bot || !isPrivileged(me)) return undefined;
  return { mattermost, scope, me, owner: setup?.owner };
}

const isConnected = ({ scope }: Actor) => scope.teams.size > 0;

/** Waits for work and does it. Returns how many pieces were done. */
export async function serveWork(bridge: Bridge, signal?: AbortSignal): Promise<number> {
  const { records } = await bridge.steward.call('takeWork', signal ? { signal } : {});
  const actor = toActor(bridge);
  if (actor === undefined || !isConnected(actor)) return 0;
  let done = 0;
  for (const { id, ...work } of records) {
    try {
      const { outcome, detail } = await doWork({ ...actor, mattermost: bridge.urgent }, work);
      await bridge.steward.call('reportWork', { parts: { work: id }, body: shorten({ outcome, detail }) });
      bridge.isDirty = true;
      done += 1;
    } catch (error) {
      // It is given again.
      if (!(error instanceof CallError)) throw error;
      bridge.print(`${work.action} stays open. ${error.message}`);
    }
  }
  return done;
}

/** Does the next thing that takes long: lists of people and channels, a permit, a channel that is due, changes. */
export async function runRound(bridge: Bridge): Promise<Progress> {
  const actor = toActor(bridge);
  if (actor === undefined || bridge.lease === undefined) return 'nothing';
  // After the last team left, a permit that was begun still needs its outcomes.
  if (!isConnected(actor)) return takePermit(bridge, actor);
  if (await sendStructure(bridge, actor, bridge.lease)) return 'done';
  const progress = bridge.setup?.problems.length === 0 ? await runOrder(bridge, actor, bridge.lease) : 'nothing';
  if (progress === 'done') return 'done';
  const due = await findDueChannel(bridge);
  if (due === undefined) return sendAllChanges(bridge);
  return toOrders(bridge, actor).read(due.id);
}

/** One answer of Steward, which sorts all channels for it, lasts until its channels are read, for ten minutes at most. */
async function findDueChannel(bridge: Bridge): Promise<ChannelToRead | undefined> {
  const { steward, due, now } = bridge;
  const next = due.until < now() ? undefined : due.channels.find(({ id }) => !isLeftAlone(bridge, id));
  if (next !== undefined) return next;
  const { records } = await steward.call('listChannelsToRead');
  bridge.due = { channels: records.filter((channel) => isDue(bridge, channel)), until: now() + DUE_MS };
  return bridge.due.channels[0];
}

function toOrders(bridge: Bridge, { scope }: Actor): Orders {
  const { steward, mattermost, sweptAt, busy, now } = bridge;
  const read = async (id: string): Promise<Progress> => {
    if (isLeftAlone(bridge, id)) return 'stuck';
    await onChannel(bridge, id, () => readChannel(orders, id));
    bridge.due.channels = bridge.due.channels.filter((channel) => channel.id !== id);
    return 'done';
  };
  const orders: Orders = { steward, mattermost, scope, sweptAt, busy, now, read };
  return orders;
}

const isLeftAlone = ({ now, unreadable }: Bridge, id: string) => (unreadable.get(id) ?? 0) > now();

function isDue(bridge: Bridge, { id, needed, listed_at, read_only }: ChannelToRead): boolean {
  const isWanted = needed || read_only === 'refused' || listed_at < bridge.now() - SWEEP_MS;
  return isWanted && !isLeftAlone(bridge, id);
}

async function sendStructure(bridge: Bridge, actor: Actor, lease: Lease): Promise<boolean> {
  const { scope } = actor;
  const listed = JSON.stringify([[...scope.teams].sort(), scope.directMessages]);
  const oldest = bridge.now() - HOUR_MS;
  const isNew = listed !== bridge.listedScope;
  const { isDirty } = bridge;
  const wantsUsers = isNew || isDirty || lease.users_listed_at < oldest;
  const wantsChannels = isNew || lease.channels_listed_at < oldest;
  if (!wantsUsers && !wantsChannels) return false;
  bridge.isDirty = false;
  if (wantsUsers) await sendUsers(bridge.steward, actor);
  if (wantsChannels) await sendChannels(bridge.steward, actor);
  bridge.listedScope = listed;
  await takeLease(bridge);
  return true;
}

/** Rehearses if an order waits for it, or deletes what the next permit names. After a failure, other things go on for a while. */
async function runOrder(bridge: Bridge, actor: Actor, lease: Lease): Promise<Progress> {
  const { now } = bridge;
  if (lease.wants_rehearsal && bridge.rehearsalFrom <= now()) return reportRehearsal(bridge);
  return takePermit(bridge, actor);
}

async function takePermit(bridge: Bridge, actor: Actor): Promise<Progress> {
  const { now } = bridge;
  if (bridge.permitsFrom > now()) return 'nothing';
  bridge.permitsFrom = now() + PERMIT_AGAIN_MS;
  const progress = await runPermit(toOrders(bridge, actor));
  if (progress !== 'stuck') bridge.permitsFrom = 0;
  return progress;
}

async function reportRehearsal(bridge: Bridge): Promise<Progress> {
  bridge.rehearsalFrom = bridge.now() + REHEARSAL_AGAIN_MS;
  const { steps, version, calls } = await rehearse(bridge.mattermost);
  const checks = steps.map(shorten).slice(0, CHECKS_MOST);
  const { passed } = await bridge.steward.call('reportRehearsal', { body: { server_version: version, calls, checks } });
  bridge.print(passed ? 'The rehearsal passed.' : 'The rehearsal failed, so nothing is deleted.');
  await takeLease(bridge);
  return passed ? 'done' : 'stuck';
}

const FAILED_AGAIN_MS = 300_000;
/** A channel that the server fails to list so often in a row, while it answers otherwise, is only read. */
const FAILURES_MOST = 3;

/**
 * Does something with one channel. One that is gone or can't be read is left alone for an hour, and one that fails again and again
 * for five minutes, so that the others continue. Both are reported to Steward.
 */
async function onChannel(bridge: Bridge, id: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
    bridge.failures.delete(id);
  } catch (error) {
    const isKnown = error instanceof CallError || (error instanceof StewardError && error.status === 404);
    if (!isKnown) throw error;
    const isRefused = [403, 404].includes(error.status);
    const failures = (bridge.failures.get(id) ?? 0) + 1;
    bridge.failures.set(id, failures);
    if (!isRefused && failures === 1) throw error;
    // A server or a proxy that is away as a whole says nothing about one channel.
    await bridge.mattermost.call('ping');
    bridge.print(`The channel ${id} can't be read now. ${error.message}`);
    bridge.unreadable.set(id, bridge.now() + (isRefused ? HOUR_MS : FAILED_AGAIN_MS));
    if (isRefused) bridge.listedScope = undefined;
    if (error instanceof CallError && (isRefused || failures >= FAILURES_MOST)) await reportFailed(bridge, id);
  }
}

async function reportFailed({ steward }: Bridge, id: string): Promise<void> {
  await sendFailedList(steward, id).catch((error) => {
    if (!(error instanceof StewardError) || error.status !== 404) throw error;
  });
}

/** Asks every channel whether it changed, once a minute. */
async function sendAllChanges(bridge: Bridge): Promise<Progress> {
  const { steward, mattermost, now } = bridge;
  if (bridge.changesAt > now() - CHANGES_MS) return 'nothing';
  bridge.changesAt = now();
  for await (const channels of listAllChannels(steward)) {
    for (const channel of channels) {
      if (channel.listed_at === 0 || isLeftAlone(bridge, channel.id)) continue;
      await onChannel(bridge, channel.id, () => sendChanges(steward, mattermost, channel));
    }
  }
  return 'nothing';
}

async function* listAllChannels(steward: Steward): AsyncGenerator<ChannelToRead[]> {
  let last_key: string | null | undefined;
  do {
    const page = await steward.call('listChannelsToRead', { query: last_key ? { last_key } : {} });
    yield page.records;
    last_key = page.last_key;
  } while (last_key);
}

/** Milliseconds between two rounds with nothing to do, and after a failure. */
const REST_MS = 5_000;
/** Until the lease was taken and the server was checked. */
const READY_MS = 500;
const STATUS_MS = 300_000;

/** Runs until the signal. Three things go on at the same time, each on a connection of its own. */
export async function runBridge(bridge: Bridge, signal: AbortSignal): Promise<void> {
  let failure = '';
  const repeat = async (step: () => Promise<number>) => {
    while (!signal.aborted) {
      const rest = await step().catch((error: Error) => {
        // Either server may be away for a while. Anything else is a fault of this program.
        if (!(error instanceof CallError || error instanceof StewardError)) throw error;
        if (!signal.aborted && error.message !== failure) bridge.print(error.message);
        failure = error.message;
        return REST_MS;
      });
      if (rest > 0) await wait(rest, undefined, { signal }).catch(() => undefined);
    }
  };
  let statusAt = 0;
  const isReady = () => bridge.lease !== undefined && bridge.setup !== undefined;
  const keepLease = async () => {
    const { seconds } = await takeLease(bridge);
    if (statusAt <= bridge.now() - STATUS_MS) {
      await reportSetup(bridge);
      statusAt = bridge.now();
    }
    tellState(bridge);
    return (seconds * 1_000) / 3;
  };
  const work = async () => {
    if (!isReady()) return READY_MS;
    const began = performance.now();
    const done = await serveWork(bridge, signal);
    // Work that can't be done now comes back at once.
    return done === 0 && performance.now() - began < 1_000 ? REST_MS : 0;
  };
  const rounds = async () => {
    if (!isReady()) return READY_MS;
    return (await runRound(bridge)) === 'done' ? 0 : REST_MS;
  };
  await Promise.all([repeat(keepLease), repeat(work), repeat(rounds)]);
  await bridge.steward.call('releaseLease').catch(() => undefined);
}
