import type { Call, Route } from '../call.ts';
import type { Account, Authentication, Webhook } from '../model.ts';
import { byCursor, isResponse } from '../paging.ts';
import { type Answer, EMPTY, errors, instant, webhookJson } from '../responses.ts';
import type { World } from '../world.ts';
import { readWebhook, type WebhookFields } from './webhook-fields.ts';

const TRIAL_WEBHOOKS = 10;

/** Webhooks and their signing secrets. */
export const WEBHOOK_ROUTES: Route[] = [
  { method: 'GET', path: 'webhooks', scope: 'webhooks:read', run: list },
  { method: 'POST', path: 'webhooks', scope: 'webhooks:write', run: create },
  { method: 'GET', path: 'webhooks/:id', scope: 'webhooks:read', run: withWebhook(show) },
  { method: 'PATCH', path: 'webhooks/:id', scope: 'webhooks:write', run: withWebhook(patch) },
  { method: 'DELETE', path: 'webhooks/:id', scope: 'webhooks:write', run: withWebhook(remove) },
  { method: 'GET', path: 'webhooks/:id/signing_secret', scope: 'webhooks:read', run: withWebhook(secret) },
];

/** Finds the webhook in the path, then runs the handler. */
export function withWebhook(run: (call: Call, webhook: Webhook) => Answer): Route['run'] {
  return (call) => {
    const webhook = call.account.webhooks.find(({ id }) => id === call.params.id);
    return webhook ? run(call, webhook) : webhookMissing();
  };
}

export function webhookMissing(): Answer {
  return errors(404, { code: 'NotFound', title: 'Webhook not found' });
}

/** Generates a new secret; the old one is no longer valid. */
export function resetSecret(world: World, webhook: Webhook): void {
  webhook.secret = world.random(32).toString('base64');
}

function create({ world, account, caller, body }: Call): Answer {
  if (account.settings.trial && account.webhooks.length >= TRIAL_WEBHOOKS) {
    const detail = `A trial account has at most ${TRIAL_WEBHOOKS} webhooks.`;
    return errors(403, { code: 'WebhookLimit', title: 'Too many webhooks', detail });
  }
  const fields = readWebhook(body, { whole: true });
  if (Array.isArray(fields)) return errors(400, ...fields);
  const made = {
    ...(fields as Webhook),
    id: world.ulid(),
    created_at: world.clock.now(),
    created_by: String(caller.person?.id),
    secret: world.random(32).toString('base64'),
  };
  account.webhooks.push(made);
  return webhookJson(201, { webhook: { ...shown(made), created_at: withNanoseconds(made.created_at, world) } });
}

function list({ account, query, base }: Call): Answer {
  const page = byCursor(account.webhooks.toReversed(), query, `${base}/api/v2/webhooks`);
  if (isResponse(page)) return page;
  const { records, meta, links } = page;
  const webhooks = records.map(shown);
  // On a single page there are neither cursors nor links.
  const single = links.next === undefined && links.prev === undefined;
  return webhookJson(200, single ? { meta: { has_more: false }, webhooks } : { meta, webhooks, links });
}

function show(_call: Call, webhook: Webhook): Answer {
  return webhookJson(200, { webhook: shown(webhook) });
}

function patch(call: Call, webhook: Webhook): Answer {
  const fields = readWebhook(call.body, { whole: false });
  if (Array.isArray(fields)) return errors(400, ...fields);
  return changesKind(webhook, fields) ?? change(call, webhook, fields);
}

function change({ world, caller }: Call, webhook: Webhook, fields: WebhookFields): Answer {
  Object.assign(webhook, fields, { updated_at: world.clock.now(), updated_by: String(caller.person?.id) });
  return EMPTY;
}

function changesKind(webhook: Webhook, { subscriptions }: WebhookFields): Answer | undefined {
  if (!subscriptions || String(subscriptions) === String(webhook.subscriptions)) return undefined;
  return errors(400, { code: 'InvalidParameter', title: 'subscriptions cannot be changed' });
}

function remove({ account }: Call, webhook: Webhook): Answer {
  if (!account.settings.used_webhooks_can_go && isUsed(account, webhook)) {
    return errors(400, { code: 'WebhookInUse', title: 'Webhook is used by a trigger' });
  }
  account.webhooks = account.webhooks.filter((each) => each !== webhook);
  return EMPTY;
}

function isUsed({ triggers }: Account, { id }: Webhook): boolean {
  return triggers.some(({ actions }) => actions.some(({ value }) => Array.isArray(value) && value[0] === id));
}

function secret(_call: Call, webhook: Webhook): Answer {
  return webhookJson(200, { signing_secret: { secret: webhook.secret, algorithm: 'SHA256' } });
}

/** The response form: without absent values and secrets. */
function shown(webhook: Webhook) {
  const { id, name, description, status, subscriptions, created_at, created_by, updated_at, updated_by } = webhook;
  return {
    id,
    name,
    ...(description !== undefined && { description }),
    status,
    ...(subscriptions && { subscriptions }),
    created_at: instant(created_at),
    created_by,
    ...(updated_at !== undefined && { updated_at: instant(updated_at), updated_by }),
    endpoint: webhook.endpoint,
    http_method: webhook.http_method,
    request_format: webhook.request_format,
    ...(webhook.authentication && { authentication: masked(webhook.authentication) }),
    ...(webhook.custom_headers && { custom_headers: webhook.custom_headers }),
  };
}

function masked({ type, data, add_position }: Authentication) {
  if (type === 'basic_auth') return { type, data: { username: data.username }, add_position };
  if (type === 'api_key') return { type, data: { name: data.name }, add_position };
  return { type, add_position };
}

function withNanoseconds(at: number, world: World): string {
  const digits = String(world.random(4).readUInt32BE(0) % 1_000_000).padStart(6, '0');
  return `${new Date(at).toISOString().slice(0, 23)}${digits}Z`;
}
