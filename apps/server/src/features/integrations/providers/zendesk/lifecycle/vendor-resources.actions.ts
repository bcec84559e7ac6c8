import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { opened } from '#workspace/integrations/integration-health.ts';
import { getTeamName } from '#workspace/teams/teams.store.ts';
import type { IntegrationRow, Lease, Step } from '../../../integrations.store.ts';
import { saveLeaseStep } from '../../../integrations.store.ts';
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

export const changeBudget = (): Budget => createBudget(CHANGE_MS);
const cleanUpBudget = (): Budget => createBudget(CLEAN_UP_MS);

/** The address that a webhook delivers to: the key in it is what finds the integration. */
export function getWebhookEndpoint(deps: Pick<Deps, 'env'>, pathKey: string): string {
  return `${deps.env.publicUrl}/api/v4/hooks/zendesk/${pathKey}`;
}

/** Refuses where the vendor could not deliver to us; with HELPDESK_URL it is one that can. */
export function requirePublicAddress({ env }: Pick<Deps, 'env'>): void {
  if (env.HELPDESK_URL === undefined && !isPublicUrl(env.publicUrl)) refuse('integrations.no_public_address');
}

/** The stored login; undefined where it is gone or cannot be opened. */
export function storedLogin(deps: Pick<Deps, 'secrets'>, row: IntegrationRow): Login | undefined {
  const credentials = unsealCredentials(deps, row.credentials);
  if (!credentials) return undefined;
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

/** Stores a step of a change; ends the change where somebody else has taken it over. */
export async function keep(deps: Pick<Deps, 'db'>, lease: Lease, step: Step): Promise<void> {
  if (!(await saveLeaseStep(deps.db, lease, step))) refuse('integrations.busy');
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
    return `At ${leftover.login.domain}.zendesk.com not everything could be removed. Please remove there by hand what is called “${titles.webhook}”: its triggers, then its webhook.`;
  }
}
