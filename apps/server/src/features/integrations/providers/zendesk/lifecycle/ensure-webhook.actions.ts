import type { Deps } from '#platform/deps.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';
import { opened, seal } from '#workspace/integrations/integration-health.ts';
import type { IntegrationRow, Lease } from '../../../integrations.store.ts';
import { saveStep } from '../../../lease-step.ts';
import {
  createWebhook,
  findWebhook,
  findWebhookAt,
  getSigningSecret,
  moveWebhook,
  type Webhook,
} from '../client/webhooks.client.ts';
import type { Zendesk } from '../client/zendesk.client.ts';
import { getVendorTitles, getWebhookEndpoint } from './vendor-resources.actions.ts';

/**
 * The webhook of an integration as it stands at the vendor. One that is gone is made again, with its secret; one that
 * delivers elsewhere is led back to us. Whether it is switched on is the business of who switched it off.
 */
export async function ensureWebhook(
  deps: Pick<Deps, 'db' | 'env' | 'secrets'>,
  { lease, row, zendesk }: { lease: Lease; row: IntegrationRow; zendesk: Zendesk },
): Promise<{ webhookId: string; isSwitchedOff: boolean }> {
  const endpoint = getWebhookEndpoint(deps, await keptPathKey(deps, lease, row));
  const known = row.webhook_id === null ? undefined : await findWebhook(zendesk, row.webhook_id);
  const found = known ?? (await findWebhookAt(zendesk, endpoint));
  if (found && found.endpoint !== endpoint) await moveWebhook(zendesk, found.id, endpoint);
  const webhookId = found?.id ?? (await createWebhook(zendesk, { name: await nameFor(deps, lease), endpoint }));
  if (webhookId !== row.webhook_id) await saveStep(deps, lease, { webhook_id: webhookId });
  const secret = await getSigningSecret(zendesk, webhookId);
  if (secret !== opened(deps, row.signing_secret))
    await saveStep(deps, lease, { signing_secret: seal(deps, secret), webhook_id: webhookId });
  return { webhookId, isSwitchedOff: isOff(found) };
}

async function nameFor(deps: Pick<Deps, 'db' | 'env'>, lease: Lease): Promise<string> {
  return (await getVendorTitles(deps, lease.teamId)).webhook;
}

function isOff(webhook: Webhook | undefined): boolean {
  return webhook !== undefined && webhook.status !== 'active';
}

/** The key in our address. One that cannot be opened any more is replaced, and the webhook led to the new address. */
async function keptPathKey(deps: Pick<Deps, 'db' | 'secrets'>, lease: Lease, row: IntegrationRow): Promise<string> {
  const known = opened(deps, row.path_key);
  if (known !== undefined) return known;
  const made = newToken();
  await saveStep(deps, lease, { path_key: seal(deps, made), path_hash: hashToken(made) });
  return made;
}
