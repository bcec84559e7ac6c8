import { isIP } from 'node:net';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { isPublicAddress } from '#platform/outbound/public-address.ts';
import { opened } from '#workspace/integrations/integration-health.ts';
import { getTeamName } from '#workspace/users/teams.store.ts';
import type { IntegrationRow } from '../../../integrations.store.ts';
import { toHookUrl } from '../../hook-url.ts';
import { type Budget, createBudget } from '../client/helpdesk.client.ts';
import { type Leftover, type Login, unsealCredentials } from '../client/login.ts';
import { deleteTrigger, findLostTrigger } from '../client/triggers.client.ts';
import { isFailure } from '../client/vendor-failure.ts';
import { deleteWebhook, findWebhookAt } from '../client/webhooks.client.ts';
import { openZendesk, type Zendesk } from '../client/zendesk.client.ts';

/**
 * Time budgets for the calls of a change, and for cleaning up after a failure. Together they are less than a proxy's response
 * timeout, and much less than the lease.
 */
const CHANGE_MS = 40_000;
const CLEAN_UP_MS = 12_000;
/** Short, because an admin's change may be waiting for the reconcile to end. */
const RECONCILE_MS = 15_000;

export const changeBudget = (): Budget => createBudget(CHANGE_MS);
export const reconcileBudget = (): Budget => createBudget(RECONCILE_MS);
const cleanUpBudget = (): Budget => createBudget(CLEAN_UP_MS);

/** The URL that the webhook delivers to. Its key identifies the integration. */
export function getWebhookEndpoint(deps: Pick<Deps, 'env'>, pathKey: string): string {
  return toHookUrl(deps.env, 'zendesk', pathKey);
}

/** Refuses if Zendesk couldn't deliver to PUBLIC_URL. Not checked with HELPDESK_URL, which is a local simulator. */
export function requirePublicAddress({ env }: Pick<Deps, 'env'>): void {
  if (env.HELPDESK_URL === undefined && !isPublicUrl(env.publicUrl)) refuse('helpdesk.no_public_address');
}

/** The stored login; undefined if it was deleted or can't be decrypted. */
export function storedLogin(deps: Pick<Deps, 'secrets'>, row: IntegrationRow): Login | undefined {
  const credentials = unsealCredentials(deps, row.credentials);
  // Until a connection has succeeded, its login is stored only in the leftovers.
  if (!credentials || Object.keys(credentials.secret).length === 0) return undefined;
  const { domain, username, authentication } = row;
  return { domain, username, authentication, secret: credentials.secret };
}

export function openStoredZendesk(
  deps: Pick<Deps, 'secrets' | 'env'>,
  row: IntegrationRow,
  budget: Budget,
): Zendesk | undefined {
  const login = storedLogin(deps, row);
  return login && openZendesk(deps.env, login, budget);
}

/** The titles of our objects at Zendesk. Zendesk treats titles as templates, so braces in a team's name are replaced. */
export async function getVendorTitles(
  deps: Pick<Deps, 'db' | 'env'>,
  teamId: string,
): Promise<Record<'webhook' | 'created' | 'updated', string>> {
  const name = `${deps.env.PRODUCT_NAME}: ${await getTeamName(deps.db, teamId)}`;
  const webhook = name.replaceAll('{', '(').replaceAll('}', ')').slice(0, 200);
  return { webhook, created: `${webhook} (ticket created)`, updated: `${webhook} (ticket updated)` };
}

/** Everything the row says we created at Zendesk, as a leftover to remove. */
export function toLeftover(deps: Pick<Deps, 'secrets' | 'env'>, row: IntegrationRow): Leftover | undefined {
  const login = storedLogin(deps, row);
  const pathKey = opened(deps, row.path_key);
  if (!login || pathKey === undefined) return undefined;
  const trigger_ids = [row.created_trigger_id, row.updated_trigger_id].filter((id) => id !== null);
  return { login, endpoint: getWebhookEndpoint(deps, pathKey), webhook_id: row.webhook_id, trigger_ids };
}

/**
 * Removes our triggers, then the webhook, including triggers whose ids were lost. Objects that no longer exist count as
 * removed. Returns a warning if some couldn't be removed, otherwise null.
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
    // The account itself no longer exists.
    if (isFailure(error, 'no_account')) return null;
    if (!isFailure(error)) throw error;
    return `Some items couldn't be removed from ${leftover.login.domain}.zendesk.com. Delete the triggers and the webhook named "${titles.webhook}" there.`;
  }
}

/** Removes everything that the row refers to. Returns the leftovers that couldn't be removed, with warnings. */
export async function removeAll(
  deps: Pick<Deps, 'env' | 'db' | 'secrets'>,
  row: IntegrationRow,
): Promise<{ remaining: Leftover[]; warnings: string[] }> {
  const remaining: Leftover[] = [];
  const warnings: string[] = [];
  const own = toLeftover(deps, row);
  for (const leftover of [...(own ? [own] : []), ...(unsealCredentials(deps, row.credentials)?.leftovers ?? [])]) {
    const warning = await removeFromVendor(deps, row.team_id, leftover);
    if (warning === null) continue;
    remaining.push(leftover);
    warnings.push(warning);
  }
  return { remaining, warnings };
}

/** Runs before a disconnect clears the row. Returns warnings. */
export async function removeBeforeDisconnect(
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

/** Zendesk can deliver to an https URL with a public host name or address. */
export function isPublicUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:') return false;
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host.includes('.') && !/\.(localhost|local|internal|home\.arpa)$/.test(host);
}
