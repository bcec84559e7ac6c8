import type { Deps } from '#platform/deps.ts';
import { Refusal } from '#platform/http/errors.ts';
import { saveStep } from '../../../lease-step.ts';
import type { Held } from '../../provider.ts';
import { verifyLogin } from '../client/account.client.ts';
import { sealCredentials, unsealCredentials } from '../client/login.ts';
import {
  findTrigger,
  getTriggerTarget,
  matchesEvent,
  saveTrigger,
  type Trigger,
  type TriggerPlan,
} from '../client/triggers.client.ts';
import { isFailure } from '../client/vendor-failure.ts';
import type { Zendesk } from '../client/zendesk.client.ts';
import { ensureWebhook } from './ensure-webhook.actions.ts';
import { areTriggersEnabled } from './replace-login.actions.ts';
import { plansFor, syncTriggers, TRIGGERS, type TriggerIds } from './triggers.actions.ts';
import {
  getVendorTitles,
  openStoredZendesk,
  reconcileBudget,
  removeFromVendor,
  requirePublicAddress,
} from './vendor-resources.actions.ts';

const UNREACHABLE_WARNING = "Zendesk couldn't be reached at the last check.";
/** We never turn a webhook on again: an admin turned it off in Zendesk. */
export const SWITCHED_OFF = 'The webhook is turned off in Zendesk. Nothing is delivered until it is turned on there.';

type Zendesked = Held & { zendesk: Zendesk };

/** Compares the account with the row and repairs it; undefined if the stored credentials can't be decrypted. */
export async function reconcileZendesk(
  deps: Deps,
  { lease, row }: Held,
): Promise<{ warnings: string[]; broken: boolean } | undefined> {
  const zendesk = openStoredZendesk(deps, row, reconcileBudget());
  if (!zendesk) return undefined;
  try {
    requirePublicAddress(deps);
    await verifyLogin(zendesk);
    const warnings = await repair(deps, { lease, row, zendesk });
    await removeLeftovers(deps, { lease, row });
    return { warnings, broken: false };
  } catch (error) {
    if (isFailure(error, 'unreachable', 'limited')) return { warnings: [UNREACHABLE_WARNING], broken: row.broken };
    if (isFailure(error) || isNotPublic(error)) return { warnings: [error.message], broken: true };
    throw error;
  }
}

function isNotPublic(error: unknown): error is Refusal {
  return error instanceof Refusal && error.id === 'helpdesk.no_public_address';
}

async function repair(deps: Deps, held: Zendesked): Promise<string[]> {
  const { lease, row, zendesk } = held;
  const { webhookId, isSwitchedOff } = await ensureWebhook(deps, held);
  const warnings = isSwitchedOff ? [SWITCHED_OFF] : [];
  const isWanted = await areTriggersEnabled(deps, lease);
  const plans = await plansFor(deps, lease.teamId, { webhookId, message: row.message });
  const titles = await getVendorTitles(deps, lease.teamId);
  for (const { id: key, flag, title } of TRIGGERS) {
    const known = row[key];
    const wanted = { ...row, ticket_created: false, ticket_updated: false, [flag]: isWanted && row[flag] };
    const trigger = known === null || !wanted[flag] ? undefined : await findTrigger(zendesk, known);
    if (trigger)
      warnings.push(...(await reconcileTrigger(zendesk, trigger, { plan: plans[key], title: titles[title] })));
    else {
      // Creates a missing trigger, and removes one left by an interrupted save.
      const ids: TriggerIds = { created_trigger_id: null, updated_trigger_id: null, [key]: known };
      await syncTriggers(zendesk, { plans, wanted, ids }, (id) => saveStep(deps, lease, id));
    }
  }
  return warnings;
}

async function reconcileTrigger(
  zendesk: Zendesk,
  trigger: Trigger,
  { plan, title }: { plan: TriggerPlan; title: string },
): Promise<string[]> {
  const sent = getTriggerTarget(trigger);
  const pointsElsewhere = sent?.webhookId !== plan.webhookId;
  if (pointsElsewhere) await saveTrigger(zendesk, trigger.id, plan);
  const wasEdited = !pointsElsewhere && (sent?.message !== plan.message || !matchesEvent(trigger, plan.event));
  return [
    ...(trigger.active ? [] : [`The trigger “${title}” is turned off in Zendesk.`]),
    ...(wasEdited ? [`The trigger “${title}” was edited in Zendesk. Saving here overwrites that change.`] : []),
  ];
}

/** Removes leftovers of earlier changes in other accounts, and gives up after a day. */
async function removeLeftovers(deps: Deps, { lease, row }: Held): Promise<void> {
  const credentials = unsealCredentials(deps, row.credentials);
  if (!credentials || credentials.leftovers.length === 0) return;
  const { secret } = credentials;
  const still = [];
  for (const leftover of credentials.leftovers)
    if ((await removeFromVendor(deps, lease.teamId, leftover)) !== null && !row.is_old) still.push(leftover);
  await saveStep(deps, lease, { credentials: sealCredentials(deps, { secret, leftovers: still }) });
}
