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
import { storeBlobs } from '../blobs/store-blobs.actions.ts';
import type { Batch, Line, LineError } from './batch-builder.ts';
import { findUnknownReference, inChannel } from './content.rules.ts';
import { getLastPostTimes, type StoredBlob, toFile, toMessage, toRecord } from './incoming.rules.ts';
import { findMembersAmong } from './members.store.ts';

/** What became of a batch. */
export interface Stored {
  accepted: number;
  unchanged: number;
  errors: LineError[];
}

/** So often a batch is tried when others change the same items at the same time. */
const TRIES = 5;

type BatchContext = Awaited<ReturnType<typeof loadBatchContext>>;

/** Stores the lines of a batch, all in one transaction, and tells what is wrong with the others. */
export async function storeBatch(deps: Deps, service: Service, batch: Batch): Promise<Stored> {
  const around = await loadBatchContext(deps, service.teamId, batch.lines);
  const stored: Stored = { accepted: 0, unchanged: 0, errors: [...batch.errors] };
  let lines: Line[] = [];
  for (const line of batch.lines) {
    const error = findUnknownReference(line.item, around);
    if (error === undefined) lines.push(line);
    else stored.errors.push(toError(line, error));
  }
  for (let tried = 1; lines.length > 0; tried += 1) {
    if (tried > TRIES) refuse('record.conflict', 'Somebody else is sending the same items. Please send them again.');
    const blobs = await storeBlobs(deps, service.teamId, lines);
    const { again, ...done } = await inTransaction(deps.db, (trx) => store(trx, service, { lines, blobs, around }));
    stored.accepted += done.accepted;
    stored.unchanged += done.unchanged;
    stored.errors.push(...done.errors);
    lines = again;
  }
  return stored;
}

/** The channels and people that the lines name, as far as they are the team's. */
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
  around: BatchContext;
}

async function store(trx: Trx, { teamId, tokenId }: Service, ready: Ready): Promise<Done> {
  // Somebody may have ended the token while its body is being taken in.
  if (!(await isActiveToken(trx, teamId, tokenId))) refuse('token.required');
  const { lines, blobs, around } = ready;
  const messages = lines.flatMap(({ item }) => (item.kind === 'message' ? toMessage(item, around.channels) : []));
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
  // They were written so long ago that they may be gone: what is committed stays, the rest can be sent again.
  if (!(await claimUnreferencedBlobs(trx, taken))) refuse('server.unavailable');
  await trackUnreferencedBlobs(
    trx,
    teamId,
    outcomes.flatMap(({ freed }) => freed ?? []),
  );
  return done;
}

interface Done extends Stored {
  /** Lines that others came between. */
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
