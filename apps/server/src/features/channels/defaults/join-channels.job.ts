import { z } from 'zod';
import { commitAsynchronously, inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { type ConcurrencyLimiter, createConcurrencyLimiter } from '#platform/jobs/concurrency-limiter.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { type AuditEvent, addAuditEvent, BY_ITSELF } from '#workspace/audit/audit.store.ts';
import { joinNextPeople } from '#workspace/channels/channels.store.ts';
import { countBatch, finishJoin, type JoinKey, lockJoin, needsTotal, saveTotal } from './channel-joins.store.ts';
import { lockOpenDefaults } from './default-channels.store.ts';
import { countPeople } from './join-counts.store.ts';

/** Adds the people of a team to its default channels for a while, and sends itself again while there are more. */
export const join = defineJob({
  name: 'channels.join',
  payload: z.object({ team_id: z.string(), join_id: z.string() }),
  retries: 3,
  retrySeconds: 5,
});

/** So long one team has its turn, in milliseconds: well below what the queue takes for a job that died. */
const TURN_MS = 15_000;
/** People in one transaction, and memberships, whichever is less: nobody waits long for one of them. */
const PEOPLE = 500;
const ROWS = 5_000;

/**
 * The worker for it. Killed at any point, it goes on where it was: whom a batch added and how far it came are one
 * transaction. Batches of several teams take turns, so that one connection does all of it.
 */
export function createJoinWorker(deps: Deps) {
  const limitConcurrency = createConcurrencyLimiter({ atOnce: 1, waiting: 1_000 });
  return defineWorker(join, ({ team_id: teamId, join_id: joinId }) =>
    processBatches(deps, { teamId, joinId }, { limitConcurrency, turnMs: TURN_MS }),
  );
}

/** Works for a turn, one batch at least. */
export async function processBatches(
  deps: Pick<Deps, 'db' | 'slowQueryPool' | 'slowQueryLimiter' | 'jobs'>,
  place: JoinKey,
  { limitConcurrency, turnMs }: { limitConcurrency: ConcurrencyLimiter; turnMs: number },
): Promise<void> {
  if (await needsTotal(deps.db, place)) {
    const people = await deps.slowQueryLimiter(() => countPeople(deps.slowQueryPool, place.teamId));
    await saveTotal(deps.db, place, people);
  }
  const until = performance.now() + turnMs;
  do {
    const isOver = await limitConcurrency(() => inTransaction(deps.db, (trx) => joinNextBatch(trx, place)));
    if (isOver) return;
  } while (performance.now() < until && !deps.jobs.isStopping());
  const payload = { team_id: place.teamId, join_id: place.joinId };
  await inTransaction(deps.db, (trx) => deps.jobs.send(trx, join, payload));
}

/** One batch; true when nothing is left to do for the caller, also when another works on it. */
async function joinNextBatch(trx: Trx, place: JoinKey): Promise<boolean> {
  const held = await lockJoin(trx, place);
  if (!held) return true;
  const channels = await lockOpenDefaults(trx, place.teamId, held.channel_ids);
  if (channels.length > 0) {
    const limit = Math.min(PEOPLE, Math.ceil(ROWS / channels.length));
    const batch = await joinNextPeople(trx, place.teamId, { channels, after: held.reached, limit });
    await countBatch(trx, place, batch);
    if (batch.looked === limit) {
      await commitAsynchronously(trx);
      return false;
    }
  }
  await finish(trx, place);
  return true;
}

async function finish(trx: Trx, place: JoinKey): Promise<void> {
  const ended = await finishJoin(trx, place);
  if (!ended) return;
  const { channel_ids, started_by, people_done, joined } = ended;
  const event: AuditEvent = {
    action: 'channels.people_added',
    teamId: place.teamId,
    actorId: started_by,
    target: place.joinId,
    details: { channel_ids, people_done, joined },
  };
  await addAuditEvent(trx, event, BY_ITSELF);
}
