import { createHash } from 'node:crypto';
import type { ChannelType } from '@steward/contract/channels';
import { newBlobKey } from '#platform/blobs/blobs.ts';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { mapConcurrently } from '#platform/jobs/fair-queue.ts';
import type { Service } from '#workspace/access/access.ts';
import { inAuthorizedTransaction } from '#workspace/access/authorized-transaction.ts';
import { addAuditEvent, JOB_ORIGIN } from '#workspace/audit/audit.store.ts';
import { findChannelTypes, recordPosts } from '#workspace/channels/channels.store.ts';
import { keepBackdatedFiles, keepBackdatedMessages, keepBackdatedRecords } from '#workspace/content/backdated.store.ts';
import { adoptFiles, findFileDigests, ingestFiles } from '#workspace/content/files.store.ts';
import { findHeldAmong, listActiveHolds } from '#workspace/content/holds/held.store.ts';
import type {
  IncomingFile,
  IncomingMessage,
  IncomingRecord,
  IngestResult,
  ItemSource,
} from '#workspace/content/ingest.ts';
import { adoptMessages, ingestMessages } from '#workspace/content/messages.store.ts';
import { adoptRecords, findRecordDigests, ingestRecords } from '#workspace/content/records.store.ts';
import type { Cutoffs } from '#workspace/content/retention/retention-scope.rules.ts';
import { claimUnreferencedBlobs, trackUnreferencedBlobs } from '#workspace/content/unreferenced-blobs.store.ts';
import { findMembersAmong } from '#workspace/users/members.store.ts';
import type { Batch, Line, LineError } from './batch-builder.ts';
import { findUnknownReference, inChannel } from './content.rules.ts';
import type { ImportContext } from './import-context.actions.ts';
import {
  findFilesBelow,
  findMessagesBelow,
  findRecordsBelow,
  getLastPostTimes,
  getMessageCutoffs,
  type StoredBlob,
  toFile,
  toMessage,
  toRecord,
} from './incoming.rules.ts';

export interface Stored {
  accepted: number;
  unchanged: number;
  /** Lines ignored because a hold keeps their items unchanged. */
  held: number;
  errors: LineError[];
  itemIds: string[];
}

/** Attempts to store a batch while others change the same items. */
const MAX_ATTEMPTS = 5;

/** Stores the valid lines of a batch in one transaction and returns the errors of the others. */
export async function storeBatch(deps: Deps, context: ImportContext, batch: Batch): Promise<Stored> {
  const known = await loadReferences(deps, context.service.teamId, batch.lines);
  const stored: Stored = { accepted: 0, unchanged: 0, held: 0, errors: [...batch.errors], itemIds: [] };
  let lines: Line[] = [];
  for (const line of batch.lines) {
    const error = findUnknownReference(line.item, known);
    if (error === undefined) lines.push(line);
    else stored.errors.push(toError(line, error));
  }
  for (let attempt = 1; lines.length > 0; attempt += 1) {
    if (attempt > MAX_ATTEMPTS) refuse('record.conflict', 'Another request is importing the same items. Try again.');
    const ready = await prepareLines(deps, context, { lines, channels: known.channels });
    const { again, ...done } = await inAuthorizedTransaction({ db: deps.db, authorize: context.authorize }, (trx) =>
      store(trx, deps, { service: context.service, sent: ready }),
    );
    stored.accepted += done.accepted;
    stored.unchanged += done.unchanged;
    stored.held += done.held;
    stored.errors.push(...done.errors);
    stored.itemIds.push(...done.itemIds);
    lines = again;
  }
  return stored;
}

async function loadReferences({ db }: Deps, teamId: string, lines: readonly Line[]) {
  const channelIds = new Set(lines.filter(({ item }) => inChannel(item)).map(({ item }) => item.channel_id ?? ''));
  const userIds = new Set(lines.flatMap(({ item }) => (item.user_id ? [item.user_id] : [])));
  return {
    channels: await findChannelTypes(db, teamId, [...channelIds]),
    members: await findMembersAmong(db, teamId, [...userIds]),
  };
}

interface Ready {
  lines: readonly Line[];
  messages: IncomingMessage[];
  others: readonly Line[];
  files: IncomingFile[];
  records: IncomingRecord[];
  hasOldContent: boolean;
  cutoffs: Cutoffs | null;
}

async function prepareLines(
  deps: Deps,
  context: ImportContext,
  { lines, channels }: { lines: readonly Line[]; channels: ReadonlyMap<string, ChannelType> },
): Promise<Ready> {
  const blobs = await storeBlobs(deps, context, lines);
  const author = await context.getAuthor();
  const files = lines.filter(({ item }) => item.kind === 'file');
  const records = lines.filter(({ item }) => item.kind !== 'file' && item.kind !== 'message');
  return {
    lines,
    messages: lines.flatMap(({ item }) => (item.kind === 'message' ? toMessage(item, { author, channels }) : [])),
    others: [...files, ...records],
    files: files.map((line) => toFile(line.item, author, blobs.get(line))),
    records: records.map((line) => toRecord(line.item, author, blobs.get(line))),
    hasOldContent: await context.hasOldContent(),
    cutoffs: await context.getCutoffs(),
  };
}

async function store(trx: Trx, deps: Deps, { service, sent }: { service: Service; sent: Ready }): Promise<Done> {
  const { teamId } = service;
  if (sent.hasOldContent) await adopt(trx, service, sent);
  const ready = await leaveOutHeld(trx, deps, { ...service, sent });
  const { messages, files, records, others } = ready;
  if (ready.cutoffs) await keepBackdated(trx, service, { ...ready, cutoffs: ready.cutoffs });
  const itemIds = await ingestMessages(trx, service, messages);
  if (itemIds.length > 0) await recordPosts(trx, teamId, getLastPostTimes(messages));
  const done: Done = {
    accepted: itemIds.length,
    unchanged: messages.length - itemIds.length,
    held: sent.lines.length - ready.lines.length,
    errors: [],
    itemIds,
    again: [],
  };
  const outcomes = [...(await ingestFiles(trx, service, files)), ...(await ingestRecords(trx, service, records))];
  for (const [at, line] of others.entries()) settle(done, line, outcomes[at]);
  const taken = outcomes.flatMap(({ taken }) => taken ?? []);
  // The cleanup may have removed these old blobs: committed lines stay, the rest can be sent again.
  if (!(await claimUnreferencedBlobs(trx, taken))) refuse('server.unavailable');
  await trackUnreferencedBlobs(
    trx,
    teamId,
    outcomes.flatMap(({ freed }) => freed ?? []),
  );
  return done;
}

/** Removes the lines of items that a hold keeps unchanged. One audit row contains their number. */
async function leaveOutHeld(
  trx: Trx,
  deps: Deps,
  { teamId, sourceId, tokenId, sent }: Service & { sent: Ready },
): Promise<Ready> {
  const holds = await listActiveHolds(trx, teamId);
  if (holds.length === 0) return sent;
  const held = await findHeldAmong(trx, { teamId, sourceId, holds }, sent);
  const isFree = ({ item: { kind, external_id } }: Line) => {
    if (kind === 'message') return !held.messages.has(external_id);
    return kind === 'file' ? !held.files.has(external_id) : !held.records.has(`${kind} ${external_id}`);
  };
  const lines = sent.lines.filter(isFree);
  const count = sent.lines.length - lines.length;
  if (count === 0) return sent;
  const details = { token_id: tokenId, source_id: sourceId, held: count };
  await addAuditEvent(trx, deps, {
    action: 'content.held',
    teamId,
    actorId: null,
    target: null,
    details,
    origin: JOB_ORIGIN,
  });
  return {
    ...sent,
    lines,
    others: sent.others.filter(isFree),
    messages: sent.messages.filter(({ external_id }) => !held.messages.has(external_id)),
    files: sent.files.filter(({ external_id }) => !held.files.has(external_id)),
    records: sent.records.filter(({ kind, external_id }) => !held.records.has(`${kind} ${external_id}`)),
  };
}

/** Assigns items without a source to the source that repeats them. */
async function adopt(trx: Trx, source: ItemSource, { messages, files, records }: Ready): Promise<void> {
  const getId = ({ external_id }: { external_id: string }) => external_id;
  await adoptMessages(trx, source, messages.map(getId));
  await adoptFiles(trx, source, files.map(getId));
  await adoptRecords(trx, source, records);
}

/** Keeps stored items that the lines move below a cutoff. */
async function keepBackdated(
  trx: Trx,
  source: ItemSource,
  { messages, files, records, cutoffs }: Ready & { cutoffs: Cutoffs },
): Promise<void> {
  const below = findMessagesBelow(messages, cutoffs);
  await keepBackdatedMessages(trx, source, { externalIds: below, cutoffs: getMessageCutoffs(cutoffs) });
  await keepBackdatedFiles(trx, source, { externalIds: findFilesBelow(files, cutoffs), cutoffs: cutoffs.files });
  await keepBackdatedRecords(trx, source, findRecordsBelow(records, cutoffs));
}

interface Done extends Stored {
  /** Lines whose items were changed concurrently, to store again. */
  again: Line[];
}

function settle(done: Done, line: Line, result: IngestResult | undefined): void {
  const outcome = result?.outcome;
  if (outcome === 'accepted' || outcome === 'unchanged') done[outcome] += 1;
  else if (outcome === 'doomed') done.errors.push(toError(line, 'is being deleted; send it again later'));
  else done.again.push(line);
  if (result && outcome === 'accepted') done.itemIds.push(result.id);
}

function toError({ at, item }: Line, error: string): LineError {
  return { line: at, external_id: item.external_id, error };
}

const AT_ONCE = 4;

/** Writes blobs that the items don't have yet. Each is tracked as unreferenced first, so that a crash at any point orphans none. */
async function storeBlobs(
  deps: Deps,
  { service: source, authorize }: ImportContext,
  lines: readonly Line[],
): Promise<Map<Line, StoredBlob>> {
  const withData = lines.filter(({ item }) => item.kind !== 'message' && item.data);
  if (withData.length === 0) return new Map();
  const stored = await storedDigests(deps, source, withData);
  const kept = new Map<Line, StoredBlob>();
  const fresh: { key: string; line: Line }[] = [];
  for (const line of withData) {
    const digest = createHash('sha256').update(getContent(line)).digest('base64url');
    const isStored = stored.get(getId(line.item)) === digest;
    const key = newBlobKey(source.teamId, line.item.kind);
    if (!isStored) fresh.push({ key, line });
    kept.set(line, { blob: isStored ? null : key, digest });
  }
  const keys = fresh.map(({ key }) => key);
  if (keys.length > 0)
    await inAuthorizedTransaction({ db: deps.db, authorize }, (trx) =>
      trackUnreferencedBlobs(trx, source.teamId, keys),
    );
  await mapConcurrently(fresh, AT_ONCE, ({ key, line }) => put(deps, key, getContent(line)));
  return kept;
}

/** The blob is decoded again instead of cached: otherwise a batch of blobs would be in memory twice. */
function getContent({ item }: Line): Buffer {
  return Buffer.from(item.data ?? '', 'base64');
}

async function put({ blobs, log }: Deps, key: string, content: Buffer): Promise<void> {
  try {
    await blobs.put(key, content);
  } catch (error) {
    log.error({ err: error, key }, 'content: could not store a blob');
    refuse('server.unavailable');
  }
}

const getId = ({ kind, external_id }: { kind: string; external_id: string }) => `${kind} ${external_id}`;

async function storedDigests({ db }: Deps, source: ItemSource, lines: readonly Line[]): Promise<Map<string, string>> {
  const ids = (isFile: boolean) =>
    lines.filter(({ item }) => (item.kind === 'file') === isFile).map(({ item }) => item.external_id);
  const files = (await findFileDigests(db, source, ids(true))).map((file) => ({ kind: 'file', ...file }));
  const records = await findRecordDigests(db, source, ids(false));
  return new Map([...files, ...records].map((row) => [getId(row), row.digest]));
}
