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
 * Ensures that the webhook exists at Zendesk: creates it again if it is missing and corrects a wrong endpoint. A webhook that
 * an admin turned off there stays off.
 */
export async function ensureWebhook(
  deps: Pick<Deps, 'db' | 'env' | 'secrets'>,
  { lease, row, zendesk }: { lease: Lease; row: IntegrationRow; zendesk: Zendesk },
): Promise<{ webhookId: string; isSwitchedOff: boolean }> {
  const endpoint = getWebhookEndpoint(deps, await ensurePathKey(deps, lease, row));
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

/** The key in our hook URL. A key that can't be decrypted is replaced, and the webhook gets the new URL. */
async function ensurePathKey(deps: Pick<Deps, 'db' | 'secrets'>, lease: Lease, row: IntegrationRow): Promise<string> {
  const known = opened(deps, row.path_key);
  if (known !== undefined) return known;
  const pathKey = newToken();
  await saveStep(deps, lease, { path_key: seal(deps, pathKey), path_hash: hashToken(pathKey) });
  return pathKey;
}
