import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { opened } from '#workspace/integrations/integration-health.ts';
import { getTeamName } from '#workspace/teams/teams.store.ts';
import type { IntegrationRow } from '../../../integrations.store.ts';
import { toHookUrl } from '../../hook-url.ts';
import { type Budget, createBudget } from '../client/helpdesk.client.ts';
import { type Leftover, type Login, unsealCredentials } from '../client/login.ts';
import { isPublicUrl } from '../client/public-address.ts';
import { deleteTrigger, findLostTrigger } from '../client/triggers.client.ts';
import { isFailure } from '../client/vendor-failure.ts';
import { deleteWebhook, findWebhookAt } from '../client/webhooks.client.ts';
import { openZendesk, type Zendesk } from '../client/zendesk.client.ts';

/**
 * Time that a change has for its calls, and that what went wrong has to be cleaned up: together less than a connection may
 * wait for its answer, and much less than the lease.
 */
const CHANGE_MS = 40_000;
const CLEAN_UP_MS = 12_000;
/** An admin may be waiting for a reconcile to end. */
const RECONCILE_MS = 15_000;

export const changeBudget = (): Budget => createBudget(CHANGE_MS);
export const reconcileBudget = (): Budget => createBudget(RECONCILE_MS);
const cleanUpBudget = (): Budget => createBudget(CLEAN_UP_MS);

/** The address that a webhook delivers to: the key in it is what finds the integration. */
export function getWebhookEndpoint(deps: Pick<Deps, 'env'>, pathKey: string): string {
  return toHookUrl(deps.env, 'zendesk', pathKey);
}

/** Refuses where the vendor could not deliver to us; with HELPDESK_URL it is one that can. */
export function requirePublicAddress({ env }: Pick<Deps, 'env'>): void {
  if (env.HELPDESK_URL === undefined && !isPublicUrl(env.publicUrl)) refuse('helpdesk.no_public_address');
}

/** The stored login; undefined where it is gone or cannot be opened. */
export function storedLogin(deps: Pick<Deps, 'secrets'>, row: IntegrationRow): Login | undefined {
  const credentials = unsealCredentials(deps, row.credentials);
  // Until a connection has succeeded, its login is among what would have to be removed.
  if (!credentials || Object.keys(credentials.secret).length === 0) return undefined;
  const { domain, username, authentication } = row;
  return { domain, username, authentication, secret: credentials.secret };
}

/** The account of an integration, signed in as stored. */
export function openStoredZendesk(
  deps: Pick<Deps, 'secrets' | 'env'>,
  row: IntegrationRow,
  budget: Budget,
): Zendesk | undefined {
  const login = storedLogin(deps, row);
  return login && openZendesk(deps.env, login, budget);
}

/** What our things at the vendor are called; its titles are templates, which a team's name must not be. */
export async function getVendorTitles(
  deps: Pick<Deps, 'db' | 'env'>,
  teamId: string,
): Promise<Record<'webhook' | 'created' | 'updated', string>> {
  const name = `${deps.env.PRODUCT_NAME}: ${await getTeamName(deps.db, teamId)}`;
  const webhook = name.replaceAll('{', '(').replaceAll('}', ')').slice(0, 200);
  return { webhook, created: `${webhook} (ticket created)`, updated: `${webhook} (ticket updated)` };
}

/** All that is ours at the vendor by the row, as something to be removed. */
export function toLeftover(deps: Pick<Deps, 'secrets' | 'env'>, row: IntegrationRow): Leftover | undefined {
  const login = storedLogin(deps, row);
  const pathKey = opened(deps, row.path_key);
  if (!login || pathKey === undefined) return undefined;
  const trigger_ids = [row.created_trigger_id, row.updated_trigger_id].filter((id) => id !== null);
  return { login, endpoint: getWebhookEndpoint(deps, pathKey), webhook_id: row.webhook_id, trigger_ids };
}

/**
 * Removes what is ours: triggers first, lest one points nowhere, then the webhook; also those whose ids were lost. What is
 * gone already counts as removed. Answers what is still there, and why; null when nothing is.
 */
export async function removeFromVendor(
  deps: Pick<Deps, 'env' | 'db'>,
  teamId: string,
  leftover: Leftover,
): Promise<string | null> {
  const zendesk = openZendesk(deps.env, leftover.login, cleanUpBudget());
  const titles = await getVendorTitles(deps, teamId);
  try {
    const webhookId = leftover.webhook_id ?? (await findWebhookAt(zendesk, leftover.endpoint))?.id;
    for (const id of leftover.trigger_ids) await deleteTrigger(zendesk, id);
    if (webhookId === undefined) return null;
    for (const event of ['Create', 'Change'] as const) {
      const title = event === 'Create' ? titles.created : titles.updated;
      const lost = await findLostTrigger(zendesk, { title, event, webhookId, message: '' });
      if (lost !== undefined) await deleteTrigger(zendesk, lost);
    }
    await deleteWebhook(zendesk, webhookId);
    return null;
  } catch (error) {
    // An account that does not exist any more holds nothing of ours.
    if (isFailure(error, 'no_account')) return null;
    if (!isFailure(error)) throw error;
    return `Some items couldn't be removed from ${leftover.login.domain}.zendesk.com. Delete the triggers and the webhook named "${titles.webhook}" there.`;
  }
}

/** Removes all that a row knows of: answers what is still there, and in words what could not be removed. */
export async function removeAll(
  deps: Pick<Deps, 'env' | 'db' | 'secrets'>,
  row: IntegrationRow,
): Promise<{ still: Leftover[]; warnings: string[] }> {
  const still: Leftover[] = [];
  const warnings: string[] = [];
  const own = toLeftover(deps, row);
  for (const leftover of [...(own ? [own] : []), ...(unsealCredentials(deps, row.credentials)?.leftovers ?? [])]) {
    const trouble = await removeFromVendor(deps, row.team_id, leftover);
    if (trouble === null) continue;
    still.push(leftover);
    warnings.push(trouble);
  }
  return { still, warnings };
}

/** Removes all that a row knows of, before it forgets it; answers what could not be removed. */
export async function removeBeforeForgetting(
  deps: Pick<Deps, 'env' | 'db' | 'secrets'>,
  row: IntegrationRow,
): Promise<string[]> {
  if (row.credentials === null || unsealCredentials(deps, row.credentials))
    return (await removeAll(deps, row)).warnings;
  const { webhook } = await getVendorTitles(deps, row.team_id);
  return [
    `Nothing could be removed from ${row.domain}.zendesk.com, because the stored credentials can't be decrypted. Delete the triggers and the webhook named "${webhook}" there.`,
  ];
}
