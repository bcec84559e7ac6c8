import type { saveIntegration } from '@steward/contract/integrations';
import type { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { isOffered } from '#workspace/channels/offered-channels.rules.ts';
import { findOfferedChannels } from '#workspace/channels/offered-channels.store.ts';
import { listIntegrationChannels, replaceIntegrationChannels } from '../integration-channels.store.ts';
import { findIntegration, type IntegrationRow, type Lease, saveLeaseStep } from '../integrations.store.ts';
import { changesLogin, mergeLogin } from '../providers/zendesk/client/login.ts';
import { openZendesk, type Zendesk } from '../providers/zendesk/client/zendesk.client.ts';
import { ensureWebhook } from '../providers/zendesk/lifecycle/ensure-webhook.actions.ts';
import { replaceLogin } from '../providers/zendesk/lifecycle/replace-login.actions.ts';
import { syncHeldTriggers, type TriggerSettings } from '../providers/zendesk/lifecycle/triggers.actions.ts';
import {
  changeBudget,
  requirePublicAddress,
  storedLogin,
} from '../providers/zendesk/lifecycle/vendor-resources.actions.ts';
import { checkTemplate, toRefusal } from '../templates/template.ts';
import { verified } from './connect.actions.ts';
import { type Change, withLease } from './lease.actions.ts';

type Form = z.output<NonNullable<typeof saveIntegration.body>>;

/** What a save makes of the triggers, checked before the vendor hears of it. */
interface Wishes {
  wanted: TriggerSettings;
  channels: { id: string; display_name: string }[];
  warnings: string[];
}

/** Changes the credentials, the triggers, or both, in this order; answers what an admin should look at. */
export async function save(deps: Deps, change: Change, form: Form): Promise<string[]> {
  const found = await findIntegration(deps.db, change.place);
  if (found?.state !== 'on') refuse('integrations.not_connected');
  return withLease(deps, change.place, async (lease, row) => {
    if (row.state !== 'on') refuse('integrations.not_connected');
    const wishes = isAboutTriggers(form) ? await checkedWishes(deps, { change, row }, form) : undefined;
    const stored = storedLogin(deps, row);
    const typed = changesLogin(form, row) ? mergeLogin(form, stored) : undefined;
    if (!wishes && !typed) return [];
    const login = typed ?? stored ?? refuse('integrations.missing_credential', 'Please enter the credentials again.');
    requirePublicAddress(deps);
    const opened = openZendesk(deps.env, login, changeBudget());
    const zendesk = typed ? await verified(opened) : opened;
    const told = typed ? await replaceLogin(deps, { ...change, lease, row, zendesk }) : [];
    const more = wishes ? await saveTriggers(deps, { ...change, lease, zendesk }, wishes) : [];
    return [...told, ...more];
  });
}

function isAboutTriggers(form: Form): boolean {
  const { ticket_created, ticket_updated, message, channel_details } = form;
  return [ticket_created, ticket_updated, message, channel_details].some((field) => field !== undefined);
}

async function checkedWishes(
  deps: Deps,
  { change, row }: { change: Change; row: IntegrationRow },
  form: Form,
): Promise<Wishes> {
  const { ticket_created = row.ticket_created, ticket_updated = row.ticket_updated } = form;
  if (!ticket_created && !ticket_updated) refuse('integrations.no_action');
  const { message, warnings } = checkedMessage(row, form.message);
  const channels = await checkedChannels(deps, change, form.channel_details);
  return { wanted: { ticket_created, ticket_updated, message }, channels, warnings };
}

function checkedMessage(row: IntegrationRow, typed: string | undefined): { message: string; warnings: string[] } {
  if (typed === undefined) return { message: row.message, warnings: [] };
  const { source, problems } = checkTemplate(typed);
  const refusal = toRefusal(problems);
  if (refusal !== null) refuse('integrations.bad_template', refusal);
  return { message: source, warnings: problems.map(({ text }) => text) };
}

/**
 * The channels to post in, each once: those that are offered to whoever chooses, and those that stand there already as long
 * as they are open. What may not be chosen is refused in the same words whether it is archived, hidden, or another team's.
 */
export async function checkedChannels(
  deps: Pick<Deps, 'db'>,
  { place, actorId }: Change,
  typed: Form['channel_details'],
): Promise<Wishes['channels']> {
  const stored = await listIntegrationChannels(deps.db, place);
  if (typed === undefined && stored.length > 0)
    return stored.map(({ channel_id, channel_name }) => ({ id: channel_id, display_name: channel_name }));
  const ids = [...new Set((typed ?? []).map(({ channel_id }) => channel_id))];
  const offered = await findOfferedChannels(deps.db, { teamId: place.teamId, personId: actorId, ids });
  const kept = new Set(stored.filter(({ state }) => state === 'active').map(({ channel_id }) => channel_id));
  const chosen = offered.filter((channel) => isOffered(channel) || (kept.has(channel.id) && channel.type !== 'D'));
  if (ids.length === 0 || chosen.length < ids.length) refuse('integrations.bad_channels');
  return chosen;
}

async function saveTriggers(
  deps: Deps,
  { lease, zendesk, actorId, origin }: Change & { lease: Lease; zendesk: Zendesk },
  { wanted, channels, warnings }: Wishes,
): Promise<string[]> {
  // As the change of credentials, if there was one, has left it.
  const row = (await findIntegration(deps.db, lease)) ?? refuse('integrations.not_connected');
  const { webhookId, isSwitchedOff } = await ensureWebhook(deps, { lease, row, zendesk });
  await syncHeldTriggers(deps, { lease, zendesk, webhookId }, { wanted, ids: row });
  const own = isSwitchedOff ? [SWITCHED_OFF] : [];
  await inTransaction(deps.db, async (trx) => {
    if (!(await saveLeaseStep(trx, lease, { ...wanted, warnings: own, broken: false }))) refuse('integrations.busy');
    const before = (await listIntegrationChannels(trx, lease)).map(({ channel_id }) => channel_id);
    await replaceIntegrationChannels(trx, lease, channels);
    const after = channels.map(({ id }) => id);
    const template_changed = wanted.message !== row.message;
    const details = { before: audited(row, before), after: audited(wanted, after), template_changed };
    const { teamId, integrationId: target } = lease;
    await addAuditEvent(trx, { action: 'integrations.saved', teamId, actorId, target, details }, origin);
  });
  return [...own, ...warnings];
}

/** What the audit log keeps of it: the template stays out. */
function audited({ ticket_created, ticket_updated }: TriggerSettings, ids: readonly string[]) {
  return { ticket_created, ticket_updated, channels: ids.toSorted() };
}

/** Nobody but an admin at the vendor turns on again what one turned off. */
export const SWITCHED_OFF =
  'The webhook is switched off in Zendesk: nothing is delivered until it is switched on there.';
