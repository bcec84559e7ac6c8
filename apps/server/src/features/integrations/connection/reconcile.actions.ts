import type { Deps } from '#platform/deps.ts';
import { Refusal } from '#platform/http/errors.ts';
import { BY_ITSELF } from '#workspace/audit/audit.store.ts';
import {
  endLease,
  type IntegrationRow,
  type Lease,
  type Place,
  removeIntegration,
  takeLease,
} from '../integrations.store.ts';
import { verifyLogin } from '../providers/zendesk/client/account.client.ts';
import { sealCredentials, unsealCredentials } from '../providers/zendesk/client/login.ts';
import {
  findTrigger,
  getTriggerTarget,
  matchesEvent,
  saveTrigger,
  type Trigger,
  type TriggerPlan,
} from '../providers/zendesk/client/triggers.client.ts';
import { isFailure } from '../providers/zendesk/client/vendor-failure.ts';
import type { Zendesk } from '../providers/zendesk/client/zendesk.client.ts';
import { ensureWebhook } from '../providers/zendesk/lifecycle/ensure-webhook.actions.ts';
import { areTriggersEnabled } from '../providers/zendesk/lifecycle/replace-login.actions.ts';
import { plansFor, syncTriggers, TRIGGERS, type TriggerIds } from '../providers/zendesk/lifecycle/triggers.actions.ts';
import {
  changeBudget,
  getVendorTitles,
  keep,
  openStoredZendesk,
  removeFromVendor,
  requirePublicAddress,
  toLeftover,
} from '../providers/zendesk/lifecycle/vendor-resources.actions.ts';
import { CLEARED_CONNECTION } from './connect.actions.ts';
import { completeDisconnect } from './disconnect.actions.ts';
import { createLease } from './lease.actions.ts';
import { SWITCHED_OFF } from './save.actions.ts';

/**
 * Looks whether the vendor's side is as ours says. What is gone is made again, what points elsewhere is led back, what an
 * admin there turned off or wrote anew is left alone and told. A change that died on its way is brought to its end.
 */
export async function look(deps: Deps, place: Place): Promise<void> {
  const lease = createLease(place);
  const row = await takeLease(deps.db, lease);
  // Somebody is changing it: that is as good as a look.
  if (!row) return;
  try {
    if (row.state === 'connecting') await abandon(deps, lease, row);
    if (row.state === 'disconnecting')
      await completeDisconnect(deps, { lease, row }, { actorId: null, origin: BY_ITSELF });
    if (row.state === 'on') await compare(deps, lease, row);
  } finally {
    await endLease(deps.db, lease);
  }
}

/** Whoever connected was never told that it worked. What cannot be removed now is tried again for a day. */
async function abandon(deps: Deps, lease: Lease, row: IntegrationRow): Promise<void> {
  const belongings = toLeftover(deps, row);
  const trouble = belongings ? await removeFromVendor(deps, row.team_id, belongings) : null;
  if (trouble !== null && !row.is_old) return;
  const warnings = trouble === null ? [] : [trouble];
  if (trouble === null && row.user_id === null && (await removeIntegration(deps.db, lease))) return;
  await keep(deps, lease, { state: 'off', ...CLEARED_CONNECTION, warnings, broken: false });
}

const UNREACHABLE_WARNING = 'Zendesk could not be reached when it was looked at last.';

async function compare(deps: Deps, lease: Lease, row: IntegrationRow): Promise<void> {
  const zendesk = openStoredZendesk(deps, row, changeBudget());
  // That it cannot be opened is told without a look.
  if (!zendesk) return;
  try {
    requirePublicAddress(deps);
    await verifyLogin(zendesk);
    const warnings = await repair(deps, { lease, row, zendesk });
    await tidy(deps, lease, row);
    await keep(deps, lease, { warnings, broken: false });
  } catch (error) {
    if (isFailure(error, 'unreachable', 'limited'))
      await keep(deps, lease, { warnings: [UNREACHABLE_WARNING], broken: row.broken });
    else if (isFailure(error)) await keep(deps, lease, { warnings: [error.message], broken: true });
    else if (isNotPublic(error)) await keep(deps, lease, { warnings: [error.message], broken: true });
    else throw error;
  }
}

function isNotPublic(error: unknown): error is Refusal {
  return error instanceof Refusal && error.id === 'integrations.no_public_address';
}

interface ReconcileContext {
  lease: Lease;
  row: IntegrationRow;
  zendesk: Zendesk;
}

async function repair(deps: Deps, work: ReconcileContext): Promise<string[]> {
  const { lease, row, zendesk } = work;
  const { webhookId, isSwitchedOff } = await ensureWebhook(deps, work);
  const warnings = isSwitchedOff ? [SWITCHED_OFF] : [];
  const isWished = await areTriggersEnabled(deps, lease);
  const plans = await plansFor(deps, lease.teamId, { webhookId, message: row.message });
  const titles = await getVendorTitles(deps, lease.teamId);
  for (const { id: key, flag, title } of TRIGGERS) {
    const known = row[key];
    const wanted = { ...row, ticket_created: false, ticket_updated: false, [flag]: isWished && row[flag] };
    const trigger = known === null || !wanted[flag] ? undefined : await findTrigger(zendesk, known);
    if (trigger)
      warnings.push(...(await reconcileTrigger(zendesk, trigger, { plan: plans[key], title: titles[title] })));
    else await recreateTrigger(deps, work, { plans, wanted, key });
  }
  return warnings;
}

/** Makes one that is gone, and removes one that a save that died has left. */
async function recreateTrigger(
  deps: Deps,
  { lease, row, zendesk }: ReconcileContext,
  {
    plans,
    wanted,
    key,
  }: { plans: Record<keyof TriggerIds, TriggerPlan>; wanted: IntegrationRow; key: keyof TriggerIds },
): Promise<void> {
  const ids: TriggerIds = { created_trigger_id: null, updated_trigger_id: null, [key]: row[key] };
  await syncTriggers(zendesk, { plans, wanted, ids }, (id) => keep(deps, lease, id));
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
    ...(trigger.active ? [] : [`The trigger “${title}” is switched off in Zendesk.`]),
    ...(wasEdited ? [`The trigger “${title}” was changed in Zendesk. Saving here replaces that change.`] : []),
  ];
}

/** Removes what an earlier change has left in other accounts. */
async function tidy(deps: Deps, lease: Lease, row: IntegrationRow): Promise<void> {
  const credentials = unsealCredentials(deps, row.credentials);
  if (!credentials || credentials.leftovers.length === 0) return;
  const { secret } = credentials;
  const still = [];
  for (const leftover of credentials.leftovers)
    if ((await removeFromVendor(deps, lease.teamId, leftover)) !== null && !row.is_old) still.push(leftover);
  await keep(deps, lease, { credentials: sealCredentials(deps, { secret, leftovers: still }) });
}
