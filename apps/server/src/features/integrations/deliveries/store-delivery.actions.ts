import { inTransaction, type Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { createSequences, type FairQueue } from '#platform/jobs/fair-queue.ts';
import {
  type IntegrationKey,
  type IntegrationRow,
  recordDelivery,
  recordDeliveryError,
} from '../integrations.store.ts';
import type { ReceivedDelivery } from '../providers/provider.ts';
import { getProvider } from '../providers/registry.ts';
import type { RenderedMessage, Renderer, Rendering } from '../rendering/renderer.ts';
import { createMonotonicClock, deliver } from './deliver.job.ts';
import { addDelivery, isOpen, lockPoster, type NewDelivery } from './deliveries.store.ts';

/** Maximum deliveries of one integration waiting to be stored; services retry the rest. */
const WAITING = 1_000;

/**
 * Stores deliveries in the order received, each in one transaction with the job that posts it: once this returns, the message
 * will be posted, unless its template was stopped. Repeats are logged, and deliveries after disconnecting ignored.
 */
export function createDeliveryStore({ deps, renderer }: Rendering, queue: FairQueue) {
  const sequences = createSequences(WAITING, 'Too many deliveries at once. Try again later.');
  const nextTimestamp = createMonotonicClock();
  return (integration: IntegrationRow, { invocationId, headers, body }: ReceivedDelivery): Promise<void> => {
    const place = { teamId: integration.team_id, integrationId: integration.id };
    const delivery = { id: newId(nextTimestamp()), invocationId, headers, body: toStorableText(body) };
    return sequences.run({ key: place.integrationId }, async () => {
      const message = await toMessage(renderer, integration, { headers, body });
      await queue.run({ key: place.teamId }, () =>
        inTransaction(deps.db, (trx) => store(deps, trx, { place, delivery: { ...delivery, ...message } })),
      );
    });
  };
}

/** The text to post. Called outside of transactions, because a template may have to wait for its turn. */
async function toMessage(
  renderer: Renderer,
  integration: IntegrationRow,
  request: Omit<ReceivedDelivery, 'invocationId'>,
): Promise<RenderedMessage> {
  const rendered = getProvider(integration.code).toMessage?.(integration, request.body);
  return rendered ? { ...rendered, error: '' } : renderer.toMessage(integration, request);
}

async function store(
  { jobs }: Deps,
  trx: Trx,
  { place, delivery }: { place: IntegrationKey; delivery: NewDelivery },
): Promise<void> {
  const poster = await lockPoster(trx, place);
  if (!isOpen(poster?.state)) return;
  const added = await addDelivery(trx, place, delivery);
  if (added.state === 'ignored' || added.state === 'failed') await recordDelivery(trx, place);
  if (added.state === 'failed') await recordDeliveryError(trx, place, delivery.error);
  if (added.state !== 'waiting' || added.is_expected) return;
  await jobs.send(trx, deliver, { team_id: place.teamId, integration_id: place.integrationId });
}

/** The body as text. Invalid UTF-8, and NUL, which PostgreSQL can't store, become replacement characters. */
function toStorableText(body: Buffer): string {
  return new TextDecoder().decode(body).replaceAll('\0', '\ufffd');
}
