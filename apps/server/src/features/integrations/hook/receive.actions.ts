import { inTransaction, type Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import type { ConcurrencyLimiter } from '#platform/jobs/concurrency-limiter.ts';
import { deliver } from '../deliveries/deliver.job.ts';
import { addDelivery, type NewDelivery } from '../deliveries/deliveries.store.ts';
import { createKeyedQueue } from '../deliveries/keyed-queue.ts';
import { type IntegrationRow, type Place, recordDelivery } from '../integrations.store.ts';
import { toChatText } from './chat-text.rules.ts';
import { createMonotonicClock } from './monotonic-clock.ts';
import { isOpen, lockPoster } from './webhook.store.ts';

/** A delivery that is known to come from the vendor. */
export interface Received {
  invocationId: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** Stores what the vendor delivered. */
export type Receive = (integration: IntegrationRow, received: Received) => Promise<void>;

/** Deliveries of one integration that may wait to be stored; the vendor sends more of them again. */
const WAITING = 1_000;

/**
 * Stores deliveries in the order in which they came, each in one transaction with the job that posts it: when this returns,
 * nothing more is needed for the message to appear. What was stored before, or comes after disconnecting, changes nothing.
 */
export function createReceiver(deps: Deps, limitConcurrency: ConcurrencyLimiter): Receive {
  const enqueueByKey = createKeyedQueue(WAITING);
  const nextTimestamp = createMonotonicClock();
  return (integration, { invocationId, headers, body }) => {
    const place = { teamId: integration.team_id, integrationId: integration.id };
    const delivery = { id: newId(nextTimestamp()), invocationId, headers, body: storable(body) };
    return enqueueByKey(place.integrationId, async () => {
      const made = toChatText(body, { domain: integration.domain });
      await limitConcurrency(() =>
        inTransaction(deps.db, (trx) => store(deps, trx, { place, delivery: { ...delivery, ...made } })),
      );
    });
  };
}

async function store(
  { jobs }: Deps,
  trx: Trx,
  { place, delivery }: { place: Place; delivery: NewDelivery },
): Promise<void> {
  const poster = await lockPoster(trx, place);
  if (!isOpen(poster?.state)) return;
  const added = await addDelivery(trx, place, delivery);
  if (added?.state === 'ignored') await recordDelivery(trx, place);
  if (added?.state !== 'waiting' || added.is_expected) return;
  await jobs.send(trx, deliver, { team_id: place.teamId, integration_id: place.integrationId });
}

/** The body as text: what is not UTF-8, and the one character that PostgreSQL does not keep, become replacement characters. */
function storable(body: Buffer): string {
  return new TextDecoder().decode(body).replaceAll('\0', '\ufffd');
}
