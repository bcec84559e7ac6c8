import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { seal } from '#workspace/integrations/integration-health.ts';
import type { IntegrationRow, Step } from '../../../integrations.store.ts';
import { saveStep } from '../../../lease-step.ts';
import type { Held, Session, TriggerSettings, TypedCredentials } from '../../provider.ts';
import { verifyLogin } from '../client/account.client.ts';
import { type Leftover, mergeLogin, sealCredentials, unsealCredentials } from '../client/login.ts';
import { createWebhook, getSigningSecret } from '../client/webhooks.client.ts';
import { openZendesk, type Zendesk } from '../client/zendesk.client.ts';
import { ensureWebhook } from './ensure-webhook.actions.ts';
import { SWITCHED_OFF } from './reconcile.actions.ts';
import { replaceLogin } from './replace-login.actions.ts';
import { syncHeldTriggers } from './triggers.actions.ts';
import {
  changeBudget,
  getVendorTitles,
  getWebhookEndpoint,
  removeAll,
  requirePublicAddress,
  storedLogin,
} from './vendor-resources.actions.ts';

/** A session with the credentials of a form, verified with Zendesk. */
export async function verifySession(deps: Deps, form: TypedCredentials, row?: IntegrationRow): Promise<Session> {
  const login = mergeLogin(form, row && storedLogin(deps, row));
  requirePublicAddress(deps);
  const zendesk = openZendesk(deps.env, login, changeBudget());
  const { email } = await verifyLogin(zendesk);
  // The form has no user name for an OAuth client.
  const username = login.authentication === 3 ? email.slice(0, 254) : login.username;
  return createSession(deps, { ...zendesk, login: { ...login, username } });
}

export function openSession(deps: Deps, row: IntegrationRow): Session {
  const login = storedLogin(deps, row) ?? refuse('helpdesk.missing_credential', 'Enter the credentials again.');
  requirePublicAddress(deps);
  return createSession(deps, openZendesk(deps.env, login, changeBudget()));
}

function createSession(deps: Deps, zendesk: Zendesk): Session {
  const { domain, username, authentication } = zendesk.login;
  return {
    login: { domain, username, authentication },
    prepare: (held, pathKey) => prepare(deps, held, toBegun(deps, zendesk, pathKey)),
    connect: (held, pathKey) => setUp(deps, { ...held, zendesk }, toBegun(deps, zendesk, pathKey)),
    replace: (held, commit) => replaceLogin(deps, { ...held, zendesk, commit }),
    saveTriggers: (held, settings) => saveTriggers(deps, { ...held, zendesk }, settings),
  };
}

/** A failed connection removes these objects. */
function toBegun(deps: Deps, { login }: Zendesk, pathKey: string): Leftover {
  return { login, endpoint: getWebhookEndpoint(deps, pathKey), webhook_id: null, trigger_ids: [] };
}

/** Removes leftovers of an interrupted change. Returns the remaining ones, and what will be created now, to be stored. */
async function prepare(
  deps: Deps,
  { row }: Held,
  begun: Leftover,
): Promise<{ credentials: string; warnings: string[] }> {
  const { remaining, warnings } = row.state === 'off' ? { remaining: [], warnings: [] } : await removeAll(deps, row);
  return { credentials: sealCredentials(deps, { secret: {}, leftovers: [...remaining, begun] }), warnings };
}

async function setUp(deps: Deps, { lease, row, zendesk }: Held & { zendesk: Zendesk }, begun: Leftover): Promise<Step> {
  const others = (unsealCredentials(deps, row.credentials)?.leftovers ?? []).filter(
    ({ endpoint }) => endpoint !== begun.endpoint,
  );
  const { webhook: name } = await getVendorTitles(deps, lease.teamId);
  const webhook_id = await createWebhook(zendesk, { name, endpoint: begun.endpoint });
  const leftovers = [...others, { ...begun, webhook_id }];
  await saveStep(deps, lease, { credentials: sealCredentials(deps, { secret: {}, leftovers }) });
  const secret = await getSigningSecret(zendesk, webhook_id);
  const credentials = sealCredentials(deps, { secret: zendesk.login.secret, leftovers: others });
  return { webhook_id, credentials, signing_secret: seal(deps, secret) };
}

async function saveTriggers(
  deps: Deps,
  { lease, row, zendesk }: Held & { zendesk: Zendesk },
  wanted: TriggerSettings,
): Promise<string[]> {
  const { webhookId, isSwitchedOff } = await ensureWebhook(deps, { lease, row, zendesk });
  await syncHeldTriggers(deps, { lease, zendesk, webhookId }, { wanted, ids: row });
  return isSwitchedOff ? [SWITCHED_OFF] : [];
}
