import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import {
  addIntegration,
  findIntegration,
  type IntegrationRow,
  type Lease,
  type NewIntegration,
  removeIntegration,
  type Step,
  saveLeaseStep,
} from '../integrations.store.ts';
import type { Vendor } from '../providers/vendors.ts';
import { verifyLogin } from '../providers/zendesk/client/account.client.ts';
import {
  type Leftover,
  mergeLogin,
  sealCredentials,
  sealed,
  type TypedLogin,
} from '../providers/zendesk/client/login.ts';
import { createWebhook, getSigningSecret } from '../providers/zendesk/client/webhooks.client.ts';
import { openZendesk, type Zendesk } from '../providers/zendesk/client/zendesk.client.ts';
import { replaceLogin } from '../providers/zendesk/lifecycle/replace-login.actions.ts';
import {
  changeBudget,
  getVendorTitles,
  getWebhookEndpoint,
  keep,
  removeFromVendor,
  requirePublicAddress,
  toLeftover,
} from '../providers/zendesk/lifecycle/vendor-resources.actions.ts';
import { DEFAULT_TEMPLATE } from '../templates/template.ts';
import { integrationUser } from './integration-user.actions.ts';
import { type Change, withLease } from './lease.actions.ts';

/** What an integration that is off does not know any more. */
export const CLEARED_CONNECTION = {
  credentials: null,
  path_key: null,
  signing_secret: null,
  webhook_id: null,
  created_trigger_id: null,
  updated_trigger_id: null,
} satisfies Step;

/**
 * Connects an integration, or replaces the credentials of one that is connected; answers what an admin should look at.
 * Nothing is stored before the vendor has accepted the credentials; all that is needed to find our things there again is
 * stored before the first of them is made.
 */
export async function connect(deps: Deps, change: Change & { vendor: Vendor }, form: TypedLogin): Promise<string[]> {
  const login = mergeLogin(form);
  requirePublicAddress(deps);
  const before = await findIntegration(deps.db, change.place);
  if (before?.is_busy) refuse('integrations.busy');
  const zendesk = await verified(openZendesk(deps.env, login, changeBudget()));
  const work = { ...change, zendesk, pathKey: newToken() };
  if (!before) {
    const begun = { code: change.vendor.code, message: DEFAULT_TEMPLATE, ...loginColumns(deps, work) };
    const take = (db: Deps['db'], lease: Lease) => addIntegration(db, lease, begun);
    return withLease({ db: deps.db, take }, change.place, (lease) => finish(deps, { ...work, lease, isNew: true }));
  }
  return withLease(deps, change.place, async (lease, row) => {
    if (row.state === 'on') return replaceLogin(deps, { ...work, lease, row });
    const { leftovers, warnings } = await tidied(deps, row);
    await keep(deps, lease, {
      ...CLEARED_CONNECTION,
      ...loginColumns(deps, { ...work, leftovers }),
      state: 'connecting',
    });
    const more = await finish(deps, { ...work, lease, isNew: false });
    return [...warnings, ...more];
  });
}

/** The account once it accepted the credentials; a client of OAuth stands for a user whom nobody typed. */
export async function verified(zendesk: Zendesk): Promise<Zendesk> {
  const { email } = await verifyLogin(zendesk);
  const { login } = zendesk;
  return login.authentication === 3 ? { ...zendesk, login: { ...login, username: email.slice(0, 254) } } : zendesk;
}

function loginColumns(
  deps: Deps,
  { zendesk, pathKey, leftovers = [] }: { zendesk: Zendesk; pathKey: string; leftovers?: Leftover[] },
): Omit<NewIntegration, 'code' | 'message'> {
  const { domain, username, authentication, secret } = zendesk.login;
  return {
    domain,
    username,
    authentication,
    credentials: sealCredentials(deps, { secret, leftovers }),
    path_key: sealed(deps, pathKey),
    path_hash: hashToken(pathKey),
  };
}

/** Cleans up after a change that died on its way; what cannot be removed now is kept in mind. */
async function tidied(deps: Deps, row: IntegrationRow): Promise<{ leftovers: Leftover[]; warnings: string[] }> {
  const leftover = row.state === 'off' ? undefined : toLeftover(deps, row);
  const trouble = leftover ? await removeFromVendor(deps, row.team_id, leftover) : null;
  return leftover && trouble !== null
    ? { leftovers: [leftover], warnings: [trouble] }
    : { leftovers: [], warnings: [] };
}

interface Connecting extends Change {
  lease: Lease;
  zendesk: Zendesk;
  pathKey: string;
  /** Whether the row is of this change, and goes with it. */
  isNew: boolean;
}

async function finish(deps: Deps, work: Connecting): Promise<string[]> {
  const { lease, zendesk, pathKey } = work;
  const endpoint = getWebhookEndpoint(deps, pathKey);
  let webhookId: string | null = null;
  try {
    const { webhook: name } = await getVendorTitles(deps, lease.teamId);
    webhookId = await createWebhook(zendesk, { name, endpoint });
    await keep(deps, lease, { webhook_id: webhookId });
    const secret = await getSigningSecret(zendesk, webhookId);
    await inTransaction(deps.db, (trx) => storeConnected(trx, work, sealed(deps, secret)));
    return [];
  } catch (error) {
    const leftover = { login: zendesk.login, endpoint, webhook_id: webhookId, trigger_ids: [] };
    await giveUp(deps, work, leftover).catch((later) =>
      deps.log.error({ err: later, team: lease.teamId }, 'integrations: what was begun will be removed later'),
    );
    throw error;
  }
}

async function storeConnected(trx: Trx, work: Connecting, signing_secret: string): Promise<void> {
  const { lease, actorId, origin, zendesk } = work;
  const { domain, username, authentication } = zendesk.login;
  const user_id = await integrationUser(trx, lease.teamId);
  const step: Step = { state: 'on', signing_secret, user_id, warnings: [], broken: false };
  if (!(await saveLeaseStep(trx, lease, step))) refuse('integrations.busy');
  const details = { domain, username, authentication };
  const event: AuditEvent = {
    action: 'integrations.connected',
    teamId: lease.teamId,
    actorId,
    target: lease.integrationId,
    details,
  };
  await addAuditEvent(trx, event, origin);
}

/** Takes back what was begun. What cannot be removed now stays known as begun, and is removed later. */
async function giveUp(deps: Deps, { lease, isNew }: Connecting, leftover: Leftover): Promise<void> {
  if ((await removeFromVendor(deps, lease.teamId, leftover)) !== null) return;
  if (isNew && (await removeIntegration(deps.db, lease))) return;
  await keep(deps, lease, { state: 'off', ...CLEARED_CONNECTION });
}
