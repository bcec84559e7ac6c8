import type { redeliver, redeliverFailed } from '@steward/contract/integrations/deliveries';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { TeamAdmin } from '#workspace/access/access.ts';
import type { AuditEvent } from '#workspace/audit/audit.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import type { IntegrationKey } from '../../integrations.store.ts';
import { deliver } from '../deliver.job.ts';
import { isOpen, lockPoster, retryDelivery, retryFailedDeliveries } from '../deliveries.store.ts';

/** Maximum deliveries that one call redelivers: the newest that failed. */
const MAX_REDELIVERIES = 5_000;

export async function redeliverOne(
  { jobs, trx }: { jobs: Deps['jobs']; trx: Trx },
  { who, place }: { who: TeamAdmin; place: IntegrationKey },
  deliveryId: string,
): Promise<Changed<typeof redeliver>> {
  await requireOpen(trx, place);
  const deliveries = await retryDelivery(trx, place, deliveryId);
  if (deliveries === undefined) refuse('record.not_found');
  await begin({ jobs, trx }, place, deliveries);
  return { answer: { status_code: 200 }, audit: toAuditEvent(who, { target: deliveryId, deliveries }) };
}

export async function redeliverAll(
  { jobs, trx }: { jobs: Deps['jobs']; trx: Trx },
  { who, place }: { who: TeamAdmin; place: IntegrationKey },
): Promise<Changed<typeof redeliverFailed>> {
  await requireOpen(trx, place);
  const deliveries = await retryFailedDeliveries(trx, place, MAX_REDELIVERIES);
  await begin({ jobs, trx }, place, deliveries);
  return {
    answer: { status_code: 200, deliveries },
    audit: toAuditEvent(who, { target: place.integrationId, deliveries }),
  };
}

async function requireOpen(trx: Trx, place: IntegrationKey): Promise<void> {
  const poster = await lockPoster(trx, place);
  if (!isOpen(poster?.state)) refuse('helpdesk.not_connected');
}

async function begin(
  { jobs, trx }: { jobs: Deps['jobs']; trx: Trx },
  { teamId, integrationId }: IntegrationKey,
  deliveries: number,
): Promise<void> {
  if (deliveries > 0) await jobs.send(trx, deliver, { team_id: teamId, integration_id: integrationId });
}

function toAuditEvent(
  { userId, teamId }: TeamAdmin,
  { target, deliveries }: { target: string; deliveries: number },
): AuditEvent | null {
  if (deliveries === 0) return null;
  return { action: 'integrations.redelivered', teamId, actorId: userId, target, details: { deliveries } };
}
