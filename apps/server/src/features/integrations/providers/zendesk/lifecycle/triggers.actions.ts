import type { Deps } from '#platform/deps.ts';
import type { IntegrationRow, Lease } from '../../../integrations.store.ts';
import { saveStep } from '../../../lease-step.ts';
import type { TriggerSettings } from '../../provider.ts';
import {
  createTrigger,
  deleteTrigger,
  findLostTrigger,
  saveTrigger,
  type TriggerPlan,
} from '../client/triggers.client.ts';
import { isFailure, VendorFailure } from '../client/vendor-failure.ts';
import type { Zendesk } from '../client/zendesk.client.ts';
import { getVendorTitles } from './vendor-resources.actions.ts';

/** Both triggers, in order of creation, with their names here and at Zendesk. */
export const TRIGGERS = [
  { event: 'Create', flag: 'ticket_created', id: 'created_trigger_id', title: 'created' },
  { event: 'Change', flag: 'ticket_updated', id: 'updated_trigger_id', title: 'updated' },
] as const;

/** Ids of our triggers at Zendesk; null for a trigger that doesn't exist. */
export type TriggerIds = Pick<IntegrationRow, 'created_trigger_id' | 'updated_trigger_id'>;

export async function plansFor(
  deps: Pick<Deps, 'db' | 'env'>,
  teamId: string,
  { webhookId, message }: { webhookId: string; message: string },
): Promise<Record<keyof TriggerIds, TriggerPlan>> {
  const titles = await getVendorTitles(deps, teamId);
  return {
    created_trigger_id: { title: titles.created, event: 'Create', webhookId, message },
    updated_trigger_id: { title: titles.updated, event: 'Change', webhookId, message },
  };
}

/**
 * Brings the triggers at Zendesk in line with the settings: updates existing ones in place, creates missing ones, and deletes
 * those no longer wanted. Each id is stored before the next call.
 */
export async function syncTriggers(
  zendesk: Zendesk,
  target: { plans: Record<keyof TriggerIds, TriggerPlan>; wanted: TriggerSettings; ids: TriggerIds },
  saveId: (id: Partial<TriggerIds>) => Promise<void>,
): Promise<void> {
  let begun = false;
  try {
    for (const { flag, id: key } of TRIGGERS) {
      const { plans, wanted, ids } = target;
      const [plan, known] = [plans[key], ids[key]];
      const id = wanted[flag] ? await ensureTrigger(zendesk, plan, known) : await removeTrigger(zendesk, known);
      if (id !== known) await saveId({ [key]: id });
      begun ||= id !== null || known !== null;
    }
  } catch (error) {
    if (begun && isFailure(error, 'unreachable'))
      throw new VendorFailure(
        'unreachable',
        "Some triggers couldn't be saved because Zendesk couldn't be reached. Save again.",
      );
    throw error;
  }
}

async function ensureTrigger(zendesk: Zendesk, plan: TriggerPlan, known: string | null): Promise<string> {
  if (known !== null && (await saveTrigger(zendesk, known, { ...plan, active: true }))) return known;
  const lost = await findLostTrigger(zendesk, plan);
  if (lost !== undefined && (await saveTrigger(zendesk, lost, { ...plan, active: true }))) return lost;
  return createTrigger(zendesk, plan);
}

async function removeTrigger(zendesk: Zendesk, known: string | null): Promise<null> {
  if (known !== null) await deleteTrigger(zendesk, known);
  return null;
}

export async function syncHeldTriggers(
  deps: Pick<Deps, 'db' | 'env'>,
  { lease, zendesk, webhookId }: { lease: Lease; zendesk: Zendesk; webhookId: string },
  { wanted, ids }: { wanted: TriggerSettings; ids: TriggerIds },
): Promise<void> {
  const plans = await plansFor(deps, lease.teamId, { webhookId, message: wanted.message });
  await syncTriggers(zendesk, { plans, wanted, ids }, (id) => saveStep(deps, lease, id));
}
