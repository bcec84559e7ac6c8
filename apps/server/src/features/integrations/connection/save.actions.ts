import type { saveIntegration } from '@steward/contract/integrations';
import type { z } from 'zod';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { inAuthorizedTransaction } from '#workspace/access/authorized-transaction.ts';
import type { SignedIn } from '#workspace/access/enter-team.ts';
import { requireRecentSignIn } from '#workspace/access/step-up.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { isOffered } from '#workspace/channels/channels.rules.ts';
import { findOfferedChannels } from '#workspace/channels/channels.store.ts';
import { listIntegrationChannels, replaceIntegrationChannels } from '../integration-channels.store.ts';
import { findIntegration, type IntegrationRow, type Lease, saveLeaseStep } from '../integrations.store.ts';
import { toRefusal } from '../message/template-problems.ts';
import type { Session, TriggerSettings } from '../providers/provider.ts';
import type { Renderer, Rendering } from '../rendering/renderer.ts';
import type { ChangeResult, ProviderChange } from './connect.actions.ts';
import { type Change, withLease } from './lease.actions.ts';
import { replaceCredentials } from './replace-credentials.actions.ts';

type Form = z.output<NonNullable<typeof saveIntegration.body>>;

interface CheckedTriggers {
  settings: TriggerSettings;
  channels: { id: string; display_name: string }[];
  warnings: string[];
}

/** Changes the credentials, the triggers, or both, in this order. Returns warnings. */
export async function save(
  rendering: Rendering,
  { who, ...change }: ProviderChange & { who: SignedIn },
  form: Form,
): Promise<ChangeResult> {
  const { deps } = rendering;
  const found = await findIntegration(deps.db, change.place);
  if (found?.state !== 'on') refuse('helpdesk.not_connected');
  return withLease(deps, change.place, async (lease, row) => {
    if (row.state !== 'on') refuse('helpdesk.not_connected');
    const { provider } = change;
    const triggers = hasTriggerFields(form) ? await checkTriggers(rendering, { ...change, row }, form) : undefined;
    const isNewLogin = provider.changesCredentials(form, row);
    if (!triggers && !isNewLogin) return { warnings: [] };
    if (isNewLogin) requireRecentSignIn(who);
    const session = isNewLogin ? await provider.verify(deps, form, row) : provider.open(deps, row);
    const warnings = isNewLogin ? await replaceCredentials(deps, { ...change, lease, row }, session) : [];
    if (triggers) warnings.push(...(await saveTriggers(deps, { ...change, lease, session }, triggers)));
    return { warnings, secret: session.secret };
  });
}

function hasTriggerFields(form: Form): boolean {
  const { ticket_created, ticket_updated, message, channel_details } = form;
  return [ticket_created, ticket_updated, message, channel_details].some((field) => field !== undefined);
}

async function checkTriggers(
  { deps, renderer }: Rendering,
  change: ProviderChange & { row: IntegrationRow },
  form: Form,
): Promise<CheckedTriggers> {
  const { provider, row } = change;
  const { ticket_created = row.ticket_created, ticket_updated = row.ticket_updated } = form;
  if (provider.hasEvents && !ticket_created && !ticket_updated) refuse('helpdesk.no_action');
  const { message, warnings } = await checkMessage(renderer, row, form.message);
  const channels = await checkChannels(deps, change, form.channel_details);
  return { settings: { ticket_created, ticket_updated, message }, channels, warnings };
}

async function checkMessage(renderer: Renderer, row: IntegrationRow, typed: string | undefined) {
  if (typed === undefined) return { message: row.message, warnings: [] };
  const { team_id, code } = row;
  const { source, problems } = await renderer.check(team_id, { code, message: typed, last: undefined });
  const refusal = toRefusal(problems);
  if (refusal !== null) refuse('helpdesk.bad_template', refusal);
  return { message: source, warnings: problems.map(({ text }) => text) };
}

/**
 * The channels to post in, without duplicates: open public and private ones. All others are refused with the same message,
 * whether archived, direct, or another team's.
 */
export async function checkChannels(
  deps: Pick<Deps, 'db'>,
  { place, actorId }: Change,
  typed: Form['channel_details'],
): Promise<CheckedTriggers['channels']> {
  const stored = await listIntegrationChannels(deps.db, place);
  if (typed === undefined && stored.length > 0)
    return stored.map(({ channel_id, channel_name }) => ({ id: channel_id, display_name: channel_name }));
  const ids = [...new Set((typed ?? []).map(({ channel_id }) => channel_id))];
  const offered = await findOfferedChannels(deps.db, { teamId: place.teamId, userId: actorId, ids });
  const chosen = offered.filter(isOffered);
  if (ids.length === 0 || chosen.length < ids.length) refuse('helpdesk.bad_channels');
  return chosen;
}

async function saveTriggers(
  deps: Deps,
  { lease, session, actorId, authorize, origin }: ProviderChange & { lease: Lease; session: Session },
  { settings, channels, warnings }: CheckedTriggers,
): Promise<string[]> {
  // Read again: replacing the credentials may have changed the row.
  const row = (await findIntegration(deps.db, lease)) ?? refuse('helpdesk.not_connected');
  const own = await session.saveTriggers({ lease, row }, settings);
  await inAuthorizedTransaction({ db: deps.db, authorize }, async (trx) => {
    if (!(await saveLeaseStep(trx, lease, { ...settings, warnings: own, broken: false }))) refuse('helpdesk.busy');
    const before = (await listIntegrationChannels(trx, lease)).map(({ channel_id }) => channel_id);
    await replaceIntegrationChannels(trx, lease, channels);
    const after = channels.map(({ id }) => id);
    const template_changed = settings.message !== row.message;
    const details = { before: toAuditDetails(row, before), after: toAuditDetails(settings, after), template_changed };
    const { teamId, integrationId: target } = lease;
    await addAuditEvent(trx, deps, { action: 'integrations.saved', teamId, actorId, target, details, origin });
  });
  return [...own, ...warnings];
}

/** The trigger settings as recorded in the audit log, without the template. */
function toAuditDetails({ ticket_created, ticket_updated }: TriggerSettings, ids: readonly string[]) {
  return { ticket_created, ticket_updated, channels: ids.toSorted() };
}
