import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import type { Change } from '../../../connection/lease.actions.ts';
import { listIntegrationChannels } from '../../../integration-channels.store.ts';
import { type IntegrationRow, type Lease, type Step, saveLeaseStep } from '../../../integrations.store.ts';
import { type Leftover, type Login, sealCredentials, sealed, unsealCredentials } from '../client/login.ts';
import { isFailure } from '../client/vendor-failure.ts';
import { createWebhook, getSigningSecret } from '../client/webhooks.client.ts';
import type { Zendesk } from '../client/zendesk.client.ts';
import { ensureWebhook } from './ensure-webhook.actions.ts';
import { plansFor, syncHeldTriggers, syncTriggers, type TriggerIds } from './triggers.actions.ts';
import { getVendorTitles, getWebhookEndpoint, keep, removeFromVendor, toLeftover } from './vendor-resources.actions.ts';

/** A connected integration with credentials that the vendor accepted. */
export interface ReplaceLoginContext extends Change {
  lease: Lease;
  row: IntegrationRow;
  zendesk: Zendesk;
}

/** Replaces the credentials of a connected integration; answers what an admin should look at. */
export function replaceLogin(deps: Deps, work: ReplaceLoginContext): Promise<string[]> {
  return work.zendesk.login.domain === work.row.domain ? renew(deps, work) : move(deps, work);
}

/** Triggers are wished for from the first time that channels were chosen. */
export async function areTriggersEnabled(deps: Pick<Deps, 'db'>, lease: Lease): Promise<boolean> {
  return (await listIntegrationChannels(deps.db, lease)).length > 0;
}

/** In the same account everything stays, and keeps its ids; what the new login does not find is made again. */
async function renew(deps: Deps, work: ReplaceLoginContext): Promise<string[]> {
  const { lease, row, zendesk } = work;
  const { webhookId } = await ensureWebhook(deps, work);
  if (webhookId !== row.webhook_id && (await areTriggersEnabled(deps, lease)))
    await syncHeldTriggers(deps, { lease, zendesk, webhookId }, { wanted: row, ids: row });
  const { leftovers = [] } = unsealCredentials(deps, row.credentials) ?? {};
  await store(deps, work, { credentials: sealCredentials(deps, { secret: zendesk.login.secret, leftovers }) });
  return [];
}

/** In another account everything is made first; then it takes the place of what there was, and that is removed. */
async function move(deps: Deps, work: ReplaceLoginContext): Promise<string[]> {
  const { lease, row, zendesk } = work;
  const pathKey = newToken();
  const made = { login: zendesk.login, endpoint: getWebhookEndpoint(deps, pathKey), webhook_id: null, trigger_ids: [] };
  const old = toLeftover(deps, row);
  const before = unsealCredentials(deps, row.credentials);
  const note = async (more: Leftover[]) => {
    if (!before) return;
    const leftovers = [...before.leftovers, ...more];
    await keep(deps, lease, { credentials: sealCredentials(deps, { secret: before.secret, leftovers }) });
  };
  const begun: { leftover: Leftover } = { leftover: made };
  let step: Step;
  try {
    await note([made]);
    step = await setUp(deps, work, begun);
  } catch (error) {
    if (isFailure(error) && (await removeFromVendor(deps, lease.teamId, begun.leftover)) === null) await note([]);
    throw error;
  }
  const { secret } = zendesk.login;
  const leftovers = before?.leftovers ?? [];
  const credentials = sealCredentials(deps, { secret, leftovers: [...leftovers, ...(old ? [old] : [])] });
  await store(deps, work, { ...step, credentials, path_key: sealed(deps, pathKey), path_hash: hashToken(pathKey) });
  const trouble = old ? await removeFromVendor(deps, lease.teamId, old) : `At ${row.domain}.zendesk.com ${NOT_ASKED}`;
  // Tried once, and told: what the old login could not remove now it will hardly remove later.
  await keep(deps, lease, { credentials: sealCredentials(deps, { secret, leftovers }) });
  return trouble === null ? [] : [trouble];
}

const NOT_ASKED =
  'nothing could be removed, since the old credentials cannot be opened. Please remove our triggers and webhook there by hand.';

/** Makes webhook and triggers in the new account; `begun` says at every moment what stands there. */
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
      const trigger_ids = Object.values(ids).filter((made) => made !== null);
      begun.leftover = { ...begun.leftover, trigger_ids };
    });
  }
  return { webhook_id: webhookId, signing_secret: sealed(deps, secret), ...ids };
}

async function store(deps: Deps, work: ReplaceLoginContext, step: Step): Promise<void> {
  const { lease, actorId, origin, row, zendesk } = work;
  const { domain, username, authentication }: Login = zendesk.login;
  const before = { domain: row.domain, username: row.username, authentication: row.authentication };
  const details = { before, after: { domain, username, authentication } };
  await inTransaction(deps.db, async (trx) => {
    const login = { domain, username, authentication, warnings: [], broken: false };
    if (!(await saveLeaseStep(trx, lease, { ...step, ...login }))) refuse('integrations.busy');
    const { teamId, integrationId: target } = lease;
    await addAuditEvent(trx, { action: 'integrations.credentials_saved', teamId, actorId, target, details }, origin);
  });
}
