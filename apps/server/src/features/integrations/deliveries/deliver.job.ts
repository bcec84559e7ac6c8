import { z } from 'zod';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { createSequences } from '#platform/jobs/fair-queue.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { type IntegrationKey, recordDelivery, recordDeliveryError } from '../integrations.store.ts';
import { getProvider } from '../providers/registry.ts';
import {
  type DeliveryKey,
  findNextDelivery,
  findPosterIntegration,
  finishDelivery,
  isOpen,
  listStalledDeliveries,
  lockDeliveryChannel,
  lockPoster,
  markFailed,
  markPosted,
  type PosterIntegration,
  recordInterruptedAttempt,
  type WaitingDelivery,
} from './deliveries.store.ts';
import { postMessage } from './post-message.actions.ts';

/** Posts an integration's waiting deliveries, oldest first, for one time slice, and queues itself again while there are more. */
export const deliver = defineJob({
  name: 'integrations.deliver',
  payload: z.object({ team_id: z.string(), integration_id: z.string() }),
  retries: 8,
  retrySeconds: 2,
  retryMaxSeconds: 600,
});

/** Time slice of one integration, in milliseconds, so that other teams don't wait longer than this. */
const TURN_MS = 1_000;
/** Interrupted attempts, for example by a lost database connection, before a post counts as failed. */
const MAX_ATTEMPTS = 5;
/** Queued jobs of one integration in one process: more than are ever fetched together. */
const JOBS = 100;

/**
 * The worker that posts deliveries. Each post and its log entry are one transaction under a row lock, so a message is posted
 * exactly once, even if the process is killed or two workers handle the same integration.
 */
export function createDeliverWorker(deps: Deps) {
  const queue = createSequences(JOBS);
  const nextTimestamp = createMonotonicClock();
  return defineWorker(deliver, ({ team_id: teamId, integration_id: integrationId }) =>
    queue.run({ key: integrationId }, () => work(deps, { teamId, integrationId }, nextTimestamp)),
  );
}

async function work(deps: Deps, place: IntegrationKey, nextTimestamp: () => number): Promise<void> {
  const until = performance.now() + TURN_MS;
  for (;;) {
    const delivery = await findNextDelivery(deps.db, place);
    if (!delivery) return;
    await postToChannels(deps, { place, delivery, nextTimestamp });
    await inTransaction(deps.db, (trx) => end(trx, place, delivery.id));
    if (performance.now() > until) break;
  }
  const payload = { team_id: place.teamId, integration_id: place.integrationId };
  await inTransaction(deps.db, (trx) => deps.jobs.send(trx, deliver, payload));
}

interface Posting {
  place: IntegrationKey;
  delivery: WaitingDelivery;
  nextTimestamp: () => number;
}

async function postToChannels(deps: Deps, posting: Posting): Promise<void> {
  const { place, delivery } = posting;
  for (const channelId of delivery.channel_ids) {
    const at = { teamId: place.teamId, deliveryId: delivery.id, channelId };
    try {
      await inTransaction(deps.db, (trx) => post(trx, posting, at));
    } catch (error) {
      await recordInterruptedAttempt(deps.db, at, MAX_ATTEMPTS);
      throw error;
    }
  }
}

async function post(trx: Trx, { place, nextTimestamp }: Posting, at: DeliveryKey): Promise<void> {
  const text = await lockDeliveryChannel(trx, at);
  if (text === undefined) return;
  const poster = await findPosterIntegration(trx, place);
  if (!poster || !isOpen(poster.state)) {
    const name = poster ? getProvider(poster.code).name : 'The integration';
    return markFailed(trx, at, `${name} was disconnected before this was posted.`);
  }
  const to = { teamId: at.teamId, channelId: at.channelId, userId: poster.user_id ?? '' };
  const posted = await postMessage(trx, to, { text, props: toPostProps(poster, at), now: nextTimestamp() });
  if (posted.id === null) await markFailed(trx, at, posted.error);
  else await markPosted(trx, at, posted.id);
}

/** Props that clients of the Mattermost API expect on automated posts. */
function toPostProps({ code }: PosterIntegration, { deliveryId }: DeliveryKey): Record<string, unknown> {
  return { from_webhook: 'true', integration: code, delivery_id: deliveryId };
}

async function end(trx: Trx, place: IntegrationKey, deliveryId: string): Promise<void> {
  const poster = await lockPoster(trx, place);
  const ended = await finishDelivery(trx, { teamId: place.teamId, deliveryId, isIgnored: !isOpen(poster?.state) });
  if (!ended || ended.state === 'ignored') return;
  await recordDelivery(trx, place);
  if (ended.error !== null) await recordDeliveryError(trx, place, ended.error);
}

/** Queues a job for stalled deliveries: the job queue takes minutes to notice that a worker has died. */
const resumeDeliveries = defineJob({
  name: 'integrations.resume_deliveries',
  retries: 0,
  retrySeconds: 1,
  everySeconds: 5,
});

/** The worker that resumes deliveries. If another worker is still busy, the second job finds nothing to do. */
export function createResumeDeliveriesWorker(deps: Deps) {
  return defineWorker(resumeDeliveries, async () => {
    const stalled = await listStalledDeliveries(deps.db);
    await inTransaction(deps.db, (trx) => deps.jobs.sendMany(trx, deliver, stalled));
  });
}

/** Milliseconds since 1970, strictly increasing, so that ids and posts sort in order of creation. */
export function createMonotonicClock(): () => number {
  let last = 0;
  return () => {
    last = Math.max(Date.now(), last + 1);
    return last;
  };
}
