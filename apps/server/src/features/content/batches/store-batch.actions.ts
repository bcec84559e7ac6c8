import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Service } from '#workspace/access/service-access.ts';
import { findChannelTypes, recordPosts } from '#workspace/channels/channels.store.ts';
import { ingestFiles } from '#workspace/content/files.store.ts';
import type { Outcome } from '#workspace/content/ingest.ts';
import { ingestMessages } from '#workspace/content/messages.store.ts';
import { ingestRecords } from '#workspace/content/records.store.ts';
import { claimUnreferencedBlobs, trackUnreferencedBlobs } from '#workspace/content/unreferenced-blobs.store.ts';
import { isActiveToken } from '#workspace/tokens/tokens.store.ts';
import type { Batch, Line, LineError } from './batch-builder.ts';
import { findUnknownReference, inChannel } from './content.rules.ts';
import { getLastPostTimes, type StoredBlob, toFile, toMessage, toRecord } from './incoming.rules.ts';
import { findMembersAmong } from './members.store.ts';
import { storeBlobs } from './store-blobs.actions.ts';

/** Result of a batch. */
export interface Stored {
  accepted: number;
  unchanged: number;
  errors: LineError[];
}

/** Attempts to store a batch while others change the same items. */
const MAX_ATTEMPTS = 5;

type BatchContext = Awaited<ReturnType<typeof loadBatchContext>>;

/** Stores the valid lines of a batch in one transaction and returns the errors of the others. */
export async function storeBatch(deps: Deps, service: Service, batch: Batch): Promise<Stored> {
  const context = await loadBatchContext(deps, service.teamId, batch.lines);
  const stored: Stored = { accepted: 0, unchanged: 0, errors: [...batch.errors] };
  let lines: Line[] = [];
  for (const line of batch.lines) {
    const error = findUnknownReference(line.item, context);
    if (error === undefined) lines.push(line);
    else stored.errors.push(toError(line, error));
  }
  for (let attempt = 1; lines.length > 0; attempt += 1) {
    if (attempt > MAX_ATTEMPTS) refuse('record.conflict', 'Another request is importing the same items. Try again.');
    const blobs = await storeBlobs(deps, service.teamId, lines);
    const { again, ...done } = await inTransaction(deps.db, (trx) => store(trx, service, { lines, blobs, context }));
    stored.accepted += done.accepted;
    stored.unchanged += done.unchanged;
    stored.errors.push(...done.errors);
    lines = again;
  }
  return stored;
}

/** The team's channels and members that the lines refer to. */
async function loadBatchContext({ db }: Deps, teamId: string, lines: readonly Line[]) {
  const channelIds = new Set(lines.filter(({ item }) => inChannel(item)).map(({ item }) => item.channel_id ?? ''));
  const userIds = new Set(lines.flatMap(({ item }) => (item.user_id ? [item.user_id] : [])));
  return {
    channels: await findChannelTypes(db, teamId, [...channelIds]),
    members: await findMembersAmong(db, teamId, [...userIds]),
  };
}

interface Ready {
  lines: readonly Line[];
  blobs: ReadonlyMap<Line, StoredBlob>;
  context: BatchContext;
}

async function store(trx: Trx, { teamId, tokenId }: Service, ready: Ready): Promise<Done> {
  // The token may have been removed while its request is running.
  if (!(await isActiveToken(trx, teamId, tokenId))) refuse('token.required');
  const { lines, blobs, context } = ready;
  const messages = lines.flatMap(({ item }) => (item.kind === 'message' ? toMessage(item, context.channels) : []));
  const accepted = await ingestMessages(trx, teamId, messages);
  if (accepted > 0) await recordPosts(trx, teamId, getLastPostTimes(messages));
  const done: Done = { accepted, unchanged: messages.length - accepted, errors: [], again: [] };
  const files = lines.filter(({ item }) => item.kind === 'file');
  const records = lines.filter(({ item }) => item.kind !== 'file' && item.kind !== 'message');
  const outcomes = [
    ...(await ingestFiles(
      trx,
      teamId,
      files.map((line) => toFile(line.item, blobs.get(line))),
    )),
    ...(await ingestRecords(
      trx,
      teamId,
      records.map((line) => toRecord(line.item, blobs.get(line))),
    )),
  ];
  for (const [at, line] of [...files, ...records].entries()) settle(done, line, outcomes[at]?.outcome);
  const taken = outcomes.flatMap(({ taken }) => taken ?? []);
  // Written so long ago that the cleanup may have removed them: committed lines stay, the rest can be sent again.
  if (!(await claimUnreferencedBlobs(trx, taken))) refuse('server.unavailable');
  await trackUnreferencedBlobs(
    trx,
    teamId,
    outcomes.flatMap(({ freed }) => freed ?? []),
  );
  return done;
}

interface Done extends Stored {
  /** Lines whose items were changed concurrently, to store again. */
  again: Line[];
}

function settle(done: Done, line: Line, outcome: Outcome | undefined): void {
  if (outcome === 'accepted' || outcome === 'unchanged') done[outcome] += 1;
  else if (outcome === 'doomed') done.errors.push(toError(line, 'is being deleted; send it again later'));
  else done.again.push(line);
}

function toError({ at, item }: Line, error: string): LineError {
  return { line: at, external_id: item.external_id, error };
}
