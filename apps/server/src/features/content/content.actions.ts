import { CONTENT_LINE_MAX } from '@steward/contract/api/limits';
import type { ContentAnswer } from '@steward/contract/content';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Origin } from '#platform/http/http.ts';
import type { InTurn } from '#platform/jobs/in-turn.ts';
import type { Service } from '#workspace/access/service-access.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { storeBatch } from './batches/batch.actions.ts';
import { createGatherer, createTally } from './batches/batch.ts';
import { readLine } from './batches/content.rules.ts';
import { lineCutter, type RawLine } from './batches/lines.ts';

/** A body that a service sends. */
export interface Feed {
  service: Service;
  origin: Origin;
  body: AsyncIterable<Buffer>;
  /** Batches of all calls take turns. */
  inTurn: InTurn;
}

/** Takes a body in, batch by batch; what was stored stays stored when it breaks off, and stands in the audit log. */
export async function takeIn(deps: Deps, { service, origin, body, inTurn }: Feed): Promise<ContentAnswer> {
  const tally = createTally();
  const gatherer = createGatherer();
  const flush = async () => {
    const batch = gatherer.release();
    tally.count(await inTurn(() => storeBatch(deps, service, batch)));
  };
  const gather = async (raw: RawLine) => {
    const read = 'error' in raw ? { external_id: '', error: raw.error } : readLine(raw.text);
    if ('error' in read) gatherer.refuse({ line: raw.at, ...read });
    else {
      if (gatherer.holds(read.item)) await flush();
      gatherer.add({ at: raw.at, item: read.item }, 'text' in raw ? raw.text.length : 0);
    }
    if (gatherer.isFull()) await flush();
  };
  try {
    const cutter = lineCutter(CONTENT_LINE_MAX);
    for await (const piece of body) for (const raw of cutter.take(piece)) await gather(raw);
    for (const raw of cutter.end()) await gather(raw);
    await flush();
  } finally {
    await noteInAudit(deps, { service, origin, answer: tally.answer });
  }
  return tally.answer;
}

async function noteInAudit(
  deps: Deps,
  { service, origin, answer }: { service: Service; origin: Origin; answer: ContentAnswer },
): Promise<void> {
  const { accepted, unchanged, failed } = answer;
  if (accepted === 0) return;
  const details = { token_id: service.tokenId, accepted, unchanged, failed };
  const event = { action: 'content.added', teamId: service.teamId, actorId: null, target: null, details };
  await inTransaction(deps.db, (trx) => addAuditEvent(trx, event, origin));
}
