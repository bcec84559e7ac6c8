import { z } from 'zod';
import { commitLater, inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { createTurns, type InTurn } from '#platform/jobs/in-turn.ts';
import { defineJob, workerFor } from '#platform/jobs/jobs.ts';
import { addAuditEvent, BY_ITSELF } from '#workspace/audit/audit.store.ts';
import { joinNextPeople } from '#workspace/channels/channels.store.ts';
import { countBatch, endJoin, holdJoin, isUncounted, type JoinPlace, saveTotal } from './channel-joins.store.ts';
import { holdOpenDefaults } from './default-channels.store.ts';
import { countPeople } from './joiners.store.ts';

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
export function joinWorker(deps: Deps) {
  const inTurn = createTurns({ atOnce: 1, waiting: 1_000 });
  return workerFor(join, ({ team_id: teamId, join_id: joinId }) =>
    workOn(deps, { teamId, joinId }, { inTurn, turnMs: TURN_MS }),
  );
}

/** Works for a turn, one batch at least. */
export async function workOn(
  deps: Pick<Deps, 'db' | 'patientDb' | 'patientTurn' | 'jobs'>,
  place: JoinPlace,
  { inTurn, turnMs }: { inTurn: InTurn; turnMs: number },
): Promise<void> {
  if (await isUncounted(deps.db, place)) {
    const people = await deps.patientTurn(() => countPeople(deps.patientDb, place.teamId));
    await saveTotal(deps.db, place, people);
  }
  const until = performance.now() + turnMs;
  do {
    const isOver = await inTurn(() => inTransaction(deps.db, (trx) => joinNext(trx, place)));
    if (isOver) return;
  } while (performance.now() < until && !deps.jobs.isResting());
  const payload = { team_id: place.teamId, join_id: place.joinId };
  await inTransaction(deps.db, (trx) => deps.jobs.send(trx, join, payload));
}

/** One batch; true when nothing is left to do for the caller, also when another works on it. */
async function joinNext(trx: Trx, place: JoinPlace): Promise<boolean> {
  const held = await holdJoin(trx, place);
  if (!held) return true;
  const channels = await holdOpenDefaults(trx, place.teamId, held.channel_ids);
  if (channels.length > 0) {
    const limit = Math.min(PEOPLE, Math.ceil(ROWS / channels.length));
    const batch = await joinNextPeople(trx, place.teamId, { channels, after: held.reached, limit });
    await countBatch(trx, place, batch);
    if (batch.looked === limit) {
      await commitLater(trx);
      return false;
    }
  }
  await finish(trx, place);
  return true;
}

async function finish(trx: Trx, place: JoinPlace): Promise<void> {
  const ended = await endJoin(trx, place);
  if (!ended) return;
  const { channel_ids, started_by, people_done, joined } = ended;
  const event = {
    action: 'channels.people_added',
    teamId: place.teamId,
    actorId: started_by,
    target: place.joinId,
    details: { channel_ids, people_done, joined },
  };
  await addAuditEvent(trx, event, BY_ITSELF);
}
