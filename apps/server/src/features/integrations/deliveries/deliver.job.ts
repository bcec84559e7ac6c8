import { z } from 'zod';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, workerFor } from '#platform/jobs/jobs.ts';
import { findPoster, holdPoster, isOpen, type Poster } from '../hook/hook.store.ts';
import { createMoments } from '../hook/moments.ts';
import { noteDelivery, noteDeliveryError, type Place } from '../integrations.store.ts';
import {
  type DeliveryPlace,
  endDelivery,
  findNextDelivery,
  holdDeliveryChannel,
  noteBrokenTry,
  noteFailed,
  notePosted,
  type WaitingDelivery,
} from './deliveries.store.ts';
import { createLanes } from './lanes.ts';
import { postMessage } from './post-message.actions.ts';

/** Posts what waits of an integration for a while, oldest first, and sends itself again while there is more. */
export const deliver = defineJob({
  name: 'integrations.deliver',
  payload: z.object({ team_id: z.string(), integration_id: z.string() }),
  retries: 8,
  retrySeconds: 2,
  retryMaxSeconds: 600,
});

/** So long one integration has its turn, in milliseconds: those of other teams wait no longer for theirs. */
const TURN_MS = 1_000;
/** Tries that break off, such as in a database that goes away, before a post counts as failed. */
const TRIES = 5;
/** Jobs of one integration in one process: more than are ever taken at a time. */
const JOBS = 100;

const DISCONNECTED = 'Zendesk was disconnected before this was posted.';

/**
 * The worker for it. Each post is one transaction with its line in the log, taken under a lock, so that it is there exactly
 * once: killed at any point, or with two at the same integration, it goes on where it was.
 */
export function deliverWorker(deps: Deps) {
  const inLane = createLanes(JOBS);
  const nextMoment = createMoments();
  return workerFor(deliver, ({ team_id: teamId, integration_id: integrationId }) =>
    inLane(integrationId, () => work(deps, { teamId, integrationId }, nextMoment)),
  );
}

async function work(deps: Deps, place: Place, nextMoment: () => number): Promise<void> {
  const until = performance.now() + TURN_MS;
  for (;;) {
    const delivery = await findNextDelivery(deps.db, place);
    if (!delivery) return;
    await postInAll(deps, { place, delivery, nextMoment });
    await inTransaction(deps.db, (trx) => end(trx, place, delivery.id));
    if (performance.now() > until) break;
  }
  const payload = { team_id: place.teamId, integration_id: place.integrationId };
  await inTransaction(deps.db, (trx) => deps.jobs.send(trx, deliver, payload));
}

interface Posting {
  place: Place;
  delivery: WaitingDelivery;
  nextMoment: () => number;
}

async function postInAll(deps: Deps, posting: Posting): Promise<void> {
  const { place, delivery } = posting;
  for (const channelId of delivery.channel_ids) {
    const at = { teamId: place.teamId, deliveryId: delivery.id, channelId };
    try {
      await inTransaction(deps.db, (trx) => post(trx, posting, at));
    } catch (error) {
      await noteBrokenTry(deps.db, at, TRIES);
      throw error;
    }
  }
}

async function post(trx: Trx, { place, nextMoment }: Posting, at: DeliveryPlace): Promise<void> {
  const text = await holdDeliveryChannel(trx, at);
  if (text === undefined) return;
  const poster = await findPoster(trx, place);
  if (!poster || !isOpen(poster.state)) return noteFailed(trx, at, DISCONNECTED);
  const to = { teamId: at.teamId, channelId: at.channelId, userId: poster.user_id ?? '' };
  const posted = await postMessage(trx, to, { text, props: propsOf(poster, at), now: nextMoment() });
  if (posted.id === null) await noteFailed(trx, at, posted.error);
  else await notePosted(trx, at, posted.id);
}

/** As clients of Mattermost's API know posts that no person wrote. */
function propsOf({ code }: Poster, { deliveryId }: DeliveryPlace): Record<string, unknown> {
  return { from_webhook: 'true', integration: code, delivery_id: deliveryId };
}

async function end(trx: Trx, place: Place, deliveryId: string): Promise<void> {
  const poster = await holdPoster(trx, place);
  const ended = await endDelivery(trx, { teamId: place.teamId, deliveryId, isIgnored: !isOpen(poster?.state) });
  if (!ended || ended.state === 'ignored') return;
  await noteDelivery(trx, place);
  if (ended.error !== null) await noteDeliveryError(trx, place, ended.error);
}
