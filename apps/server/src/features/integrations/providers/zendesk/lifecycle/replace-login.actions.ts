import type { Deps } from '#platform/deps.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';
import { seal } from '#workspace/integrations/integration-health.ts';
import { listIntegrationChannels } from '../../../integration-channels.store.ts';
import type { Lease, Step } from '../../../integrations.store.ts';
import { saveStep } from '../../../lease-step.ts';
import type { Commit, Held } from '../../provider.ts';
import { type Leftover, sealCredentials, unsealCredentials } from '../client/login.ts';
import { isFailure } from '../client/vendor-failure.ts';
import { createWebhook, getSigningSecret } from '../client/webhooks.client.ts';
import type { Zendesk } from '../client/zendesk.client.ts';
import { ensureWebhook } from './ensure-webhook.actions.ts';
import { plansFor, syncHeldTriggers, syncTriggers, type TriggerIds } from './triggers.actions.ts';
import { getVendorTitles, getWebhookEndpoint, removeFromVendor, toLeftover } from './vendor-resources.actions.ts';

interface ReplaceLoginContext extends Held {
  zendesk: Zendesk;
  commit: Commit;
}

export function replaceLogin(deps: Deps, work: ReplaceLoginContext): Promise<string[]> {
  return work.zendesk.login.domain === work.row.domain ? renew(deps, work) : move(deps, work);
}

/** Triggers exist once channels have been chosen. */
export async function areTriggersEnabled(deps: Pick<Deps, 'db'>, lease: Lease): Promise<boolean> {
  return (await listIntegrationChannels(deps.db, lease)).length > 0;
}

/** In the same account everything keeps its ids; objects that the new login can't find are created again. */
async function renew(deps: Deps, work: ReplaceLoginContext): Promise<string[]> {
  const { lease, row, zendesk, commit } = work;
  const { webhookId } = await ensureWebhook(deps, work);
  if (webhookId !== row.webhook_id && (await areTriggersEnabled(deps, lease)))
    await syncHeldTriggers(deps, { lease, zendesk, webhookId }, { wanted: row, ids: row });
  const { leftovers = [] } = unsealCredentials(deps, row.credentials) ?? {};
  await commit({ credentials: sealCredentials(deps, { secret: zendesk.login.secret, leftovers }) });
  return [];
}

/** In another account everything is created first. Then the new account is stored, and the old one cleaned up. */
async function move(deps: Deps, work: ReplaceLoginContext): Promise<string[]> {
  const { lease, row, zendesk, commit } = work;
  const pathKey = newToken();
  const created = {
    login: zendesk.login,
    endpoint: getWebhookEndpoint(deps, pathKey),
    webhook_id: null,
    trigger_ids: [],
  };
  const old = toLeftover(deps, row);
  const before = unsealCredentials(deps, row.credentials);
  const saveLeftovers = async (more: Leftover[]) => {
    if (!before) return;
    const leftovers = [...before.leftovers, ...more];
    await saveStep(deps, lease, { credentials: sealCredentials(deps, { secret: before.secret, leftovers }) });
  };
  const begun: { leftover: Leftover } = { leftover: created };
  let step: Step;
  try {
    await saveLeftovers([created]);
    step = await setUp(deps, work, begun);
  } catch (error) {
    if (isFailure(error) && (await removeFromVendor(deps, lease.teamId, begun.leftover)) === null)
      await saveLeftovers([]);
    throw error;
  }
  const { secret } = zendesk.login;
  const leftovers = before?.leftovers ?? [];
  const credentials = sealCredentials(deps, { secret, leftovers: [...leftovers, ...(old ? [old] : [])] });
  await commit({ ...step, credentials, path_key: seal(deps, pathKey), path_hash: hashToken(pathKey) });
  const warning = old ? await removeFromVendor(deps, lease.teamId, old) : notRemovedMessage(row.domain);
  // No retries: what the old login can't remove now it is unlikely to remove later.
  await saveStep(deps, lease, { credentials: sealCredentials(deps, { secret, leftovers }) });
  return warning === null ? [] : [warning];
}

function notRemovedMessage(domain: string): string {
  return `Nothing could be removed from ${domain}.zendesk.com, because the old credentials can't be decrypted. Delete our triggers and webhook there.`;
}

/** `begun` always lists everything that has been created so far. */
async function setUp(
  deps: Deps,
  { lease, row, zendesk }: ReplaceLoginContext,
  begun: { leftover: Leftover },
): Promise<Step> {
  const { webhook: name } = await getVendorTitles(deps, lease.teamId);
  const webhookId = await createWebhook(zendesk, { name, endpoint: begun.leftover.endpoint });
  begun.leftover = { ...begun.leftover, webhook_id: webhookId };
  const secret = await getSigningSecret(zendesk, webhookId);
  const ids: TriggerIds = { created_trigger_id: null, updated_trigger_id: null };
  if (await areTriggersEnabled(deps, lease)) {
    const plans = await plansFor(deps, lease.teamId, { webhookId, message: row.message });
    await syncTriggers(zendesk, { plans, wanted: row, ids: { ...ids } }, async (id) => {
      Object.assign(ids, id);
      const trigger_ids = Object.values(ids).filter((trigger) => trigger !== null);
      begun.leftover = { ...begun.leftover, trigger_ids };
    });
  }
  return { webhook_id: webhookId, signing_secret: seal(deps, secret), ...ids };
}
