import { createHash } from 'node:crypto';
import { newBlobKey } from '#platform/blobs/blobs.ts';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { createConcurrencyLimiter } from '#platform/jobs/concurrency-limiter.ts';
import { findFileDigests } from '#workspace/content/files.store.ts';
import type { ItemSource } from '#workspace/content/ingest.ts';
import { findRecordDigests } from '#workspace/content/records.store.ts';
import { trackUnreferencedBlobs } from '#workspace/content/unreferenced-blobs.store.ts';
import type { Line } from './batch-builder.ts';
import type { StoredBlob } from './incoming.rules.ts';

/** Number of blobs written at a time. */
const AT_ONCE = 4;

/**
 * Writes the blobs of lines whose items don't have them yet. Each is tracked as unreferenced first, so that none is
 * orphaned wherever the server stops.
 */
export async function storeBlobs(
  deps: Deps,
  source: ItemSource,
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
  if (keys.length > 0) await inTransaction(deps.db, (trx) => trackUnreferencedBlobs(trx, source.teamId, keys));
  const limitConcurrency = createConcurrencyLimiter({ atOnce: AT_ONCE, waiting: fresh.length });
  await Promise.all(fresh.map(({ key, line }) => limitConcurrency(() => put(deps, key, getContent(line)))));
  return kept;
}

/** Decoded again instead of cached: otherwise a batch of blobs would be in memory twice. */
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
