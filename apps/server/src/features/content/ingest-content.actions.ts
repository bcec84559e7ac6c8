import { setImmediate as nextTurn } from 'node:timers/promises';
import { CONTENT_LINE_MAX } from '@steward/contract/api/limits';
import type { ContentResponse } from '@steward/contract/content';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Authorize, Origin } from '#platform/http/http.ts';
import type { FairQueue } from '#platform/jobs/fair-queue.ts';
import type { Service } from '#workspace/access/access.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { createBatchBuilder, createTally, type Tally } from './batch-builder.ts';
import { readLine } from './content.rules.ts';
import { createImportContext } from './import-context.actions.ts';
import { createLineSplitter, type RawLine } from './line-splitter.ts';
import { storeBatch } from './store-batch.actions.ts';

/** Lines after which other calls get a turn, because lines that are refused wait for nothing. */
const LINES_PER_TURN = 200;

export interface IngestRequest {
  service: Service;
  /** The token may end while its request is running. */
  authorize: Authorize<Service>;
  origin: Origin;
  body: AsyncIterable<Buffer>;
  /** Shared by the batches of all requests. */
  batches: FairQueue;
}

/** If the body breaks off, the stored batches stay, and the audit log counts them. */
export async function ingestContent(
  deps: Deps,
  { service, authorize, origin, body, batches }: IngestRequest,
): Promise<ContentResponse> {
  const tally = createTally();
  const batchBuilder = createBatchBuilder();
  const context = createImportContext(deps, service, authorize);
  const share = { key: service.teamId, user: service.tokenId };
  const flush = async () => {
    const batch = batchBuilder.release();
    tally.count(await batches.run(share, () => storeBatch(deps, context, batch)));
  };
  const addLine = async (raw: RawLine) => {
    const read = 'error' in raw ? { external_id: '', error: raw.error } : readLine(raw.text, service);
    if ('error' in read) batchBuilder.refuse({ line: raw.at, ...read });
    else {
      if (batchBuilder.holds(read.item)) await flush();
      batchBuilder.add({ at: raw.at, item: read.item }, 'text' in raw ? raw.text.length : 0);
    }
    if (batchBuilder.isFull()) await flush();
  };
  try {
    const cutter = createLineSplitter(CONTENT_LINE_MAX);
    for await (const piece of body) {
      for (const [at, raw] of cutter.take(piece).entries()) {
        await addLine(raw);
        if (at % LINES_PER_TURN === LINES_PER_TURN - 1) await nextTurn();
      }
      // A socket with much data is read many times in one turn of the event loop.
      await nextTurn();
    }
    for (const raw of cutter.end()) await addLine(raw);
    await flush();
  } finally {
    await auditIngest(deps, { service, origin, tally });
  }
  return tally.answer;
}

async function auditIngest(
  deps: Deps,
  { service, origin, tally }: { service: Service; origin: Origin; tally: Tally },
): Promise<void> {
  const { accepted, unchanged, failed } = tally.answer;
  if (accepted === 0) return;
  const details = {
    token_id: service.tokenId,
    source_id: service.sourceId,
    accepted,
    unchanged,
    failed,
    item_ids: tally.itemIds,
    items_not_listed: accepted - tally.itemIds.length,
  };
  const event: AuditEvent = { action: 'content.added', teamId: service.teamId, actorId: null, target: null, details };
  await inTransaction(deps.db, (trx) => addAuditEvent(trx, deps, { ...event, origin }));
}
