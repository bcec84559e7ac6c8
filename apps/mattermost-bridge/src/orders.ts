// Deletes what Steward's permits name, and reports the outcomes.
import { type Channel, Id } from './answers.ts';
import { deleteThreads, type Permit, type Report } from './deletion.ts';
import type { Mattermost } from './mattermost.client.ts';
import { sendMessages } from './mirror.ts';
import { type Steward, StewardError, type StewardPermit } from './steward.client.ts';
import type { Scope } from './sweep.ts';

export interface Orders {
  steward: Steward;
  mattermost: Mattermost;
  scope: Scope;
  /** When the latest complete list of a channel began, by the clock of the server. Only of lists that this process read. */
  sweptAt: Map<Channel['id'], number>;
  /** Channels that had too many changes right after they were read. */
  busy: Set<Channel['id']>;
  /** Reads all messages of a channel, unless that failed a short time ago. */
  read: (channel: Channel['id']) => Promise<Progress>;
  now: () => number;
}

/** A thread that changed within a day is kept. */
const QUIET_MS = 86_400_000;
/** Before any message. */
const NEVER = 2;

/** Something was done, nothing is to be done, or it can't continue now. */
export type Progress = 'done' | 'nothing' | 'stuck';

/** Takes the next permit and deletes what it names. */
export async function runPermit(orders: Orders): Promise<Progress> {
  const { steward } = orders;
  const { permit, reason, channel_id } = await steward.call('takePermit');
  if (permit === null) {
    if (orders.scope.teams.size === 0) return 'nothing';
    if (reason === 'list') return orders.read(channel_id);
    // Without a reason, outcomes were written without a deletion.
    return reason === '' ? 'done' : 'nothing';
  }
  const { begun, channel_id: channel } = permit;
  if (!begun && orders.scope.teams.size === 0) return 'nothing';
  // Steward gives permits after a list of the channel. What changed since can only be told from a list that this process read.
  if (!begun && !(await isSweepFresh(orders, channel))) return orders.read(channel);
  if (!begun && !(await begin(steward, permit))) return 'done';
  const report = await deleteThreads(orders.mattermost, toPermit(orders, permit), orders.scope);
  return sendOutcomes(steward, permit, report);
}

export async function readChannel({ sweptAt, ...orders }: Orders, channel: string): Promise<void> {
  sweptAt.set(channel, await sendMessages(orders, channel));
}

/** The server tells at most a thousand changes, and not that there are more. */
const CHANGES_MOST = 1_000;

/** If there are as many changes right after a new list, they are looked for among all messages of the channel. */
async function isSweepFresh({ mattermost, sweptAt, busy }: Orders, channel: string): Promise<boolean> {
  const began = sweptAt.get(channel);
  if (began === undefined) return false;
  const changed = await mattermost.call('listChangedRows', { ids: { channel }, query: { since: began - 1 } });
  if (changed.length >= CHANGES_MOST) {
    if (busy.has(channel)) return true;
    busy.add(channel);
    return false;
  }
  busy.delete(channel);
  return true;
}

/** Returns false if Steward decided otherwise since. */
async function begin(steward: Steward, { id }: StewardPermit): Promise<boolean> {
  try {
    await steward.call('beginPermit', { parts: { permit: id } });
    return true;
  } catch (error) {
    if (error instanceof StewardError && error.error === 'connector.permit_void') return false;
    throw error;
  }
}

/** A permit whose deletion another process began is compared with everything that the channel has now. */
function toPermit({ sweptAt }: Orders, permit: StewardPermit): Permit {
  const { channel_id, rows, whole_threads, begun, only_read, last } = permit;
  return {
    channel: channel_id,
    rows: rows.map(({ id, thread_id, original_id, created_at, file_ids }) => ({
      id,
      original_id,
      create_at: created_at,
      file_ids,
      root_id: id === thread_id || original_id === thread_id ? '' : thread_id,
    })),
    // Steward compares with the rule. Here a message only must be as old as it was.
    cutoff: Math.max(...rows.map(({ created_at }) => created_at)) + 1,
    sweptAt: sweptAt.get(channel_id) ?? NEVER,
    quietMs: QUIET_MS,
    isPartial: !whole_threads,
    isBegun: begun,
    onlyRead: only_read,
    isLast: last,
  };
}

/** Versions that edits in flight left are no rows of the permit: they are counted, and their message isn't gone before they are. */
async function sendOutcomes(steward: Steward, permit: StewardPermit, report: Report): Promise<Progress> {
  const known = new Map(report.outcomes);
  for (const [version, message] of report.versions) {
    const outcome = report.outcomes.get(version);
    if (known.get(message) !== 'gone' || outcome === 'gone') continue;
    if (outcome === undefined) known.delete(message);
    else known.set(message, outcome);
  }
  const outcomes = permit.rows.flatMap(({ id }) => {
    const outcome = known.get(id);
    if (outcome === undefined) return [];
    return [outcome === 'gone' ? { id, outcome } : { id, outcome: 'kept', reason: outcome }];
  });
  const orphans = [...report.versions.keys()].filter((id) => report.outcomes.get(id) === 'gone').length;
  const body = { outcomes, orphans, complete: report.isComplete };
  const { open } = await steward.call('reportOutcomes', { parts: { permit: permit.id }, body });
  return open > 0 ? 'stuck' : 'done';
}

/** A scope of the teams whose owners accepted the connection. */
export function toScope(
  mappings: readonly { remote_team_id: string; accepted: boolean; direct_messages: boolean }[],
): Scope {
  const accepted = mappings.filter((mapping) => mapping.accepted && Id.safeParse(mapping.remote_team_id).success);
  return {
    teams: new Set(accepted.map(({ remote_team_id }) => remote_team_id)),
    directMessages: accepted.some(({ direct_messages }) => direct_messages),
  };
}
