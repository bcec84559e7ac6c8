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

/** Both triggers, in the order in which they are made: what tells them apart here and at the vendor. */
export const TRIGGERS = [
  { event: 'Create', flag: 'ticket_created', id: 'created_trigger_id', title: 'created' },
  { event: 'Change', flag: 'ticket_updated', id: 'updated_trigger_id', title: 'updated' },
] as const;

/** Ids of our triggers at the vendor; null for what is not there. */
export type TriggerIds = Pick<IntegrationRow, 'created_trigger_id' | 'updated_trigger_id'>;

/** What our triggers are made from. */
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
 * Makes the triggers at the vendor what is wished: one that is there is changed and keeps its id, one that is gone is made
 * again, one that is not wished any more is removed. Each id is kept before the next call is made.
 */
export async function syncTriggers(
  zendesk: Zendesk,
  wishes: { plans: Record<keyof TriggerIds, TriggerPlan>; wanted: TriggerSettings; ids: TriggerIds },
  keepId: (id: Partial<TriggerIds>) => Promise<void>,
): Promise<void> {
  let begun = false;
  try {
    for (const { flag, id: key } of TRIGGERS) {
      const { plans, wanted, ids } = wishes;
      const [plan, known] = [plans[key], ids[key]];
      const id = wanted[flag] ? await made(zendesk, plan, known) : await unmade(zendesk, known);
      if (id !== known) await keepId({ [key]: id });
      begun ||= id !== null || known !== null;
    }
  } catch (error) {
    if (begun && isFailure(error, 'unreachable'))
      throw new VendorFailure(
        'unreachable',
        'Zendesk could not be reached for all of the triggers. Please save again.',
      );
    throw error;
  }
}

async function made(zendesk: Zendesk, plan: TriggerPlan, known: string | null): Promise<string> {
  if (known !== null && (await saveTrigger(zendesk, known, { ...plan, active: true }))) return known;
  const lost = await findLostTrigger(zendesk, plan);
  if (lost !== undefined && (await saveTrigger(zendesk, lost, { ...plan, active: true }))) return lost;
  return createTrigger(zendesk, plan);
}

async function unmade(zendesk: Zendesk, known: string | null): Promise<null> {
  if (known !== null) await deleteTrigger(zendesk, known);
  return null;
}

/** The same for the triggers of the row that is held. */
export async function syncHeldTriggers(
  deps: Pick<Deps, 'db' | 'env'>,
  { lease, zendesk, webhookId }: { lease: Lease; zendesk: Zendesk; webhookId: string },
  { wanted, ids }: { wanted: TriggerSettings; ids: TriggerIds },
): Promise<void> {
  const plans = await plansFor(deps, lease.teamId, { webhookId, message: wanted.message });
  await syncTriggers(zendesk, { plans, wanted, ids }, (id) => saveStep(deps, lease, id));
}
