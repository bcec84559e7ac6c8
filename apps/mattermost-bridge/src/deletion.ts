// Deletes whole threads for good, in the order that leaves nothing behind and destroys nothing young.
import type { Row } from './answers.ts';
import { CallError, type Mattermost } from './mattermost.client.ts';
import { isInScope, listChanges, type Scope } from './sweep.ts';

/** A row as it was known when its deletion was decided. */
export type DueRow = Pick<Row, 'id' | 'root_id' | 'original_id' | 'create_at' | 'file_ids'>;

/** Rows of whole threads of one channel: the root, every reply and every version, soft-deleted ones too. */
export interface Permit {
  channel: string;
  rows: readonly DueRow[];
  /** Only rows that were created before are deleted. */
  cutoff: number;
  /** When the channel was swept last, by the server's clock. */
  sweptAt: number;
  /** Threads that changed within this time are kept. */
  quietMs: number;
  /** Rows of one thread that is too large for a permit; its root comes last, in another one. */
  isPartial?: boolean;
  /** The deletion was interrupted: what it began has lost its files already and is finished, however new its last change is. */
  isBegun: boolean;
  /** The team doesn't govern the server anymore: rows are only read. */
  onlyRead?: boolean;
  /** The last attempt: messages that the server still has afterwards are residue. */
  isLast?: boolean;
}

/** `held` is decided before a permit is given. `young` also means that the thread changed within its quiet time. */
export type Reason = 'held' | 'thread' | 'changed' | 'young' | 'residue';
/** A row is gone only after a reading that says 404. */
export type Outcome = 'gone' | Reason;

export interface Report {
  /** By row. A row without an outcome is open, and its permit has to be repeated. Versions that came later are in it too. */
  outcomes: Map<string, Outcome>;
  /** Versions that the permit doesn't name, and their messages. */
  versions: Map<string, string>;
  /** Replies that arrived while their root was deleted. They are young, and stay. */
  orphans: string[];
  /** Every row was read again, or the server refused to tell about it. */
  isComplete: boolean;
}

interface Work {
  mattermost: Mattermost;
  permit: Permit;
  report: Report;
  /** When the rows were read, by the server's clock. */
  start: number;
  /** Rows as they are now, by id. No other row is deleted: what is missing has been read by itself and is gone. */
  fresh: Map<string, Row>;
  /** Rows about which the server refuses to tell. Nothing of their threads is deleted. */
  unread: Set<string>;
  /** Ids of files by row; all of them must be unreachable in the end. */
  files: Map<string, Set<string>>;
}

/** The most ids of one reading: a tenth of what the server allows, because a thousand take seconds. */
const READ_ROWS = 100;
export const PERMIT_ROWS = 400;
/** The most rounds of looking for versions that edits in flight left. */
const SWEEP_ROUNDS = 5;

/** Deletes the threads of a permit. Whatever the server answers, the outcome of a row is what a reading says afterwards. */
export async function deleteThreads(mattermost: Mattermost, permit: Permit, scope: Scope): Promise<Report> {
  const report: Report = { outcomes: new Map(), versions: new Map(), orphans: [], isComplete: false };
  try {
    if (permit.rows.length > PERMIT_ROWS) throw new Error(`A permit has at most ${PERMIT_ROWS} rows.`);
    const channel = await mattermost.find('readChannel', { ids: { channel: permit.channel } });
    const known = { fresh: new Map(), files: new Map(), unread: new Set<string>() };
    const work: Work = { mattermost, permit, report, start: mattermost.time(), ...known };
    const isGoverned = permit.onlyRead !== true && channel !== undefined && isInScope(scope, channel);
    await (isGoverned ? deleteAll(work) : readAll(work));
    report.isComplete = true;
  } catch (error) {
    // What has no outcome yet is open.
    if (!(error instanceof CallError)) throw error;
  }
  return report;
}

async function deleteAll(work: Work): Promise<void> {
  const { mattermost, permit } = work;
  await readFresh(work);
  const changes = await listChanges(mattermost, permit.channel, permit.sweptAt - 1);
  for (const thread of toThreads(work, changes)) await attempt(() => deleteThread(work, thread));
  await sweepOrphans(work);
  await proveAll(work);
}

const UNKNOWN = Symbol('unknown');

/**
 * If the server refuses one row or thread, only that stays open. Without an answer or rights, or with a 404 that may come from a
 * proxy, the whole permit ends.
 */
async function attempt<T>(work: () => Promise<T>): Promise<T | typeof UNKNOWN> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CallError) || error.call === 'deleteForever') throw error;
    if ([0, 401, 404, 429, 501].includes(error.status)) throw error;
    return UNKNOWN;
  }
}

/** A list may lack a row for other reasons than that it is gone, so what it lacks is read by itself. */
async function readFresh({ mattermost, permit, fresh, unread }: Work): Promise<void> {
  const ids = permit.rows.map((row) => row.id);
  for (let at = 0; at < ids.length; at += READ_ROWS) {
    const found = await attempt(() => readRows(mattermost, ids.slice(at, at + READ_ROWS)));
    if (found !== UNKNOWN) for (const [id, row] of found) fresh.set(id, row);
  }
  for (const id of ids) {
    const row = fresh.get(id) ?? (await attempt(() => mattermost.find('readRow', { ids: { post: id } })));
    if (row === UNKNOWN) unread.add(id);
    else if (row) fresh.set(id, row);
  }
}

/** Changes nothing: a row is gone or kept as it is. One that lost its files by an interrupted deletion is residue. */
async function readAll({ mattermost, permit, report }: Work): Promise<void> {
  for (const { id, file_ids } of permit.rows) {
    const row = await attempt(() => mattermost.find('readRow', { ids: { post: id } }));
    if (row === UNKNOWN) continue;
    const isAlive = row !== undefined && row.delete_at === 0 && row.original_id === '';
    // The server tells nothing about files of rows that are marked deleted.
    const files = row === undefined ? file_ids : isAlive ? row.file_ids : [];
    const reachable = await attempt(() => countReachable(mattermost, files));
    if (reachable === UNKNOWN) continue;
    if (row === undefined) report.outcomes.set(id, reachable === 0 ? 'gone' : 'residue');
    else report.outcomes.set(id, reachable < files.length ? 'residue' : 'changed');
  }
}

async function countReachable(mattermost: Mattermost, files: Iterable<string>): Promise<number> {
  let count = 0;
  for (const file of files) if ((await mattermost.find('readFile', { ids: { file } })) !== undefined) count += 1;
  return count;
}

/** Reads rows by their ids. The server answers 404 if there is none of them. */
export async function readRows(mattermost: Mattermost, ids: readonly string[]): Promise<Map<string, Row>> {
  const found = new Map<string, Row>();
  for (let at = 0; at < ids.length; at += READ_ROWS) {
    const rows = await mattermost.find('readRows', { body: ids.slice(at, at + READ_ROWS) });
    for (const row of rows ?? []) found.set(row.id, row);
  }
  return found;
}

interface Thread {
  root: string;
  due: DueRow[];
  /** Versions that are newer than the permit, of rows that are in it. */
  newVersions: Row[];
  /** Other rows that are newer than the permit. */
  strangers: Row[];
}

const threadOf = ({ id, root_id, original_id }: DueRow) => root_id || original_id || id;

function toThreads({ permit }: Work, changes: readonly Row[]): Thread[] {
  const threads = new Map<string, Thread>();
  const known = new Set(permit.rows.map((row) => row.id));
  for (const row of permit.rows) {
    const root = threadOf(row);
    const thread = threads.get(root) ?? { root, due: [], newVersions: [], strangers: [] };
    thread.due.push(row);
    threads.set(root, thread);
  }
  for (const row of changes) {
    if (known.has(row.id)) continue;
    const thread = threads.get(threadOf(row));
    if (known.has(row.original_id)) thread?.newVersions.push(row);
    else thread?.strangers.push(row);
  }
  return [...threads.values()];
}

async function deleteThread(work: Work, thread: Thread): Promise<void> {
  if (thread.due.some(({ id }) => work.unread.has(id))) return;
  const reason = (await findReasonToKeep(work, thread)) ?? (await repairFiles(work, thread));
  if (reason !== undefined) {
    // Rows that an earlier attempt deleted also count as gone.
    for (const { id } of thread.due) if (work.fresh.has(id)) work.report.outcomes.set(id, reason);
    return;
  }
  const { due, newVersions } = thread;
  for (const row of newVersions) {
    work.fresh.set(row.id, row);
    work.report.versions.set(row.id, row.original_id);
  }
  for (const row of [...due, ...newVersions]) {
    const ids = work.files.get(row.id) ?? new Set(row.file_ids);
    for (const id of work.fresh.get(row.id)?.file_ids ?? []) ids.add(id);
    work.files.set(row.id, ids);
  }
  const versions = [...newVersions, ...due.filter((row) => row.original_id !== '')];
  const replies = due.filter((row) => row.original_id === '' && row.root_id !== '');
  for (const row of [...versions, ...replies]) await deleteRow(work, row.id);
  if (!due.some((row) => row.id === thread.root)) return;
  // A root destroys every reply with it, so it is read once more right before, unless that is what was done last.
  if (due.length === 1 && newVersions.length === 0) return deleteRow(work, thread.root);
  await deleteRoot(work, thread);
}

/**
 * Deletes a root when nothing is left below it. Versions of its replies that came later, by a repair or by an edit or a pin in
 * flight, are deleted first. If only rows of the permit are left, because a deletion failed, the root stays open with them.
 */
async function deleteRoot(work: Work, { root, due, newVersions }: Thread): Promise<void> {
  const { mattermost, report } = work;
  const ours = new Set([...due, ...newVersions].map((row) => row.id));
  for (let round = 0; round < SWEEP_ROUNDS; round += 1) {
    const now = await mattermost.find('readRow', { ids: { post: root } });
    if (now === undefined) return;
    if (now.reply_count === 0) return deleteRow(work, root);
    const versions = await listLaterVersions(work, root, ours);
    for (const { id } of versions) ours.add(id);
    const left = (await readRows(mattermost, [...ours])).values().filter((row) => row.root_id === root);
    if (now.reply_count > [...left].length) return void report.outcomes.set(root, 'thread');
    if (versions.length === 0) return;
    await deleteVersions(work, versions);
  }
}

/** Lists versions of replies that are newer than the reading of the permit's rows, without those that are known. */
async function listLaterVersions(work: Work, root: string, ours: ReadonlySet<string>): Promise<Row[]> {
  const changes = await listChanges(work.mattermost, work.permit.channel, work.start);
  return changes.filter((row) => row.root_id === root && ours.has(row.original_id) && !ours.has(row.id));
}

/** Deletes versions that are newer than the reading of the permit's rows. */
async function deleteVersions(work: Work, versions: readonly Row[]): Promise<void> {
  for (const row of versions) {
    work.fresh.set(row.id, row);
    work.report.versions.set(row.id, row.original_id);
    work.files.set(row.id, new Set(row.file_ids));
    await deleteRow(work, row.id);
  }
}

/** Compares a thread with what is there now. */
async function findReasonToKeep(
  work: Work,
  { root, due, newVersions, strangers }: Thread,
): Promise<Reason | undefined> {
  const { permit, fresh, mattermost } = work;
  const rows = due.flatMap((row) => fresh.get(row.id) ?? []);
  if (rows.some((row) => row.create_at >= permit.cutoff)) return 'young';
  if (rows.some((row) => row.channel_id !== permit.channel)) return 'changed';
  let now = await mattermost.find('readRow', { ids: { post: root } });
  const count = () => [...rows, ...newVersions].filter((row) => row.root_id === root).length;
  if (permit.isPartial !== true && now && now.reply_count > count()) {
    // Other threads of the permit took their time, and replies of this one may have got versions since.
    const ours = new Set([...due, ...newVersions].map((row) => row.id));
    newVersions.push(...(await listLaterVersions(work, root, ours)));
    now = await mattermost.find('readRow', { ids: { post: root } });
  }
  const hasRoot = due.some((row) => row.id === root) || permit.isPartial === true;
  const isWhole = hasRoot && strangers.length === 0;
  // The server counts versions and soft-deleted replies too. Without a root, nothing is destroyed along with it.
  const isGrown = permit.isPartial !== true && now !== undefined && now.reply_count > count();
  if (now && (!isWhole || isGrown)) return 'thread';
  if (permit.isBegun) return undefined;
  if (newVersions.length > 0) return 'changed';
  if (due.some((row) => isChanged(row, fresh.get(row.id)))) return 'changed';
  const quietSince = mattermost.time() - permit.quietMs;
  return permit.quietMs > 0 && rows.some((row) => row.update_at > quietSince) ? 'young' : undefined;
}

function isChanged(row: DueRow, now: Row | undefined): boolean {
  if (now === undefined) return false;
  const isSame = now.create_at === row.create_at && now.root_id === row.root_id && now.original_id === row.original_id;
  return !isSame || now.file_ids.join() !== row.file_ids.join();
}

/**
 * The server deletes the files of a post only if the post names one. If an edit removed all, the post gets a new file first. A
 * soft-deleted post can't be changed, and its files would stay for good.
 */
async function repairFiles(work: Work, { due, newVersions }: Thread): Promise<Reason | undefined> {
  for (const { id, original_id } of due) {
    const post = work.fresh.get(id);
    if (original_id !== '' || post === undefined || post.file_ids.length > 0) continue;
    const versions = [
      ...due.filter((row) => row.original_id === id),
      ...newVersions.filter((row) => row.original_id === id),
    ];
    const detached = versions.flatMap((row) => row.file_ids);
    if (detached.length === 0) continue;
    if (post.delete_at > 0) return 'residue';
    const file = await attachFile(work, post);
    if (file === undefined) return 'residue';
    work.files.set(id, new Set([...detached, file]));
  }
  return undefined;
}

async function attachFile({ mattermost }: Work, { id, channel_id }: Row): Promise<string | undefined> {
  const form = new FormData();
  form.set('channel_id', channel_id);
  form.append('files', new Blob([' ']), 'empty.txt');
  try {
    const [file] = (await mattermost.call('upload', { body: form })).file_infos;
    await mattermost.call('changePost', { ids: { post: id }, body: { file_ids: [file?.id] } });
    return file?.id;
  } catch (error) {
    if (error instanceof CallError && error.status > 0) return undefined;
    throw error;
  }
}

/** Asks for a deletion. Its answer proves nothing, so only the rights are read from it. */
async function deleteRow({ mattermost, fresh }: Work, post: string): Promise<void> {
  if (!fresh.has(post)) return;
  try {
    await mattermost.call('deleteForever', { ids: { post } });
  } catch (error) {
    if (!(error instanceof CallError) || [401, 403, 501].includes(error.status)) throw error;
  }
}

/**
 * An edit or a pin in flight leaves a version of a row that is gone. They are found by their change, deleted and looked for again.
 * Replies in flight stay: they are young.
 */
async function sweepOrphans(work: Work): Promise<void> {
  const { mattermost, permit, report, start } = work;
  const ours = new Set([...permit.rows.map((row) => row.id), ...work.files.keys()]);
  const kept = new Set(report.outcomes.keys());
  for (let round = 0; round < SWEEP_ROUNDS; round += 1) {
    const changes = await listChanges(mattermost, permit.channel, start);
    const candidates = changes.filter(({ original_id }) => ours.has(original_id) && !kept.has(original_id));
    const originals = await readRows(mattermost, [...new Set(candidates.map((row) => row.original_id))]);
    const versions = candidates.filter(({ original_id }) => !originals.has(original_id));
    const replies = changes.filter((row) => ours.has(row.root_id) && row.original_id === '' && !kept.has(row.root_id));
    for (const row of replies) if (!ours.has(row.id) && !report.orphans.includes(row.id)) report.orphans.push(row.id);
    if (versions.length === 0) return;
    await deleteVersions(work, versions);
  }
}

/**
 * Reads every row and every file again, one by one: a list of rows also lacks what the token may not read. After the last attempt,
 * what is still there is residue; a root that stays because of its replies is kept for its thread.
 */
async function proveAll(work: Work): Promise<void> {
  const { mattermost, permit, report, files } = work;
  const roots = new Set(permit.rows.filter(isRoot).map(({ id }) => id));
  const ids = [...new Set([...permit.rows.map((row) => row.id), ...files.keys()])];
  for (const id of [...ids.filter((each) => !roots.has(each)), ...roots].filter((each) => !report.outcomes.has(each))) {
    const row = await attempt(() => mattermost.find('readRow', { ids: { post: id } }));
    if (row === UNKNOWN) continue;
    if (row === undefined) {
      const reachable = await attempt(() => countReachable(mattermost, files.get(id) ?? []));
      if (reachable !== UNKNOWN) report.outcomes.set(id, reachable > 0 ? 'residue' : 'gone');
    } else if (permit.isLast) report.outcomes.set(id, isLeftAlone(work, id) ? 'thread' : 'residue');
  }
}

const isRoot = ({ root_id, original_id }: DueRow) => root_id === '' && original_id === '';

/** A root isn't deleted while a row below it is there or unknown. */
const isLeftAlone = ({ permit, report }: Work, root: string) =>
  permit.rows.some((row) => row.id !== root && threadOf(row) === root && report.outcomes.get(row.id) !== 'gone');
