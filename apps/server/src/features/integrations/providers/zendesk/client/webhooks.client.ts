import { z } from 'zod';
import { isFailure } from './vendor-failure.ts';
import { ask, requestOptional, tell, type Zendesk } from './zendesk.client.ts';

const WebhookId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const Webhook = z.object({ id: WebhookId, name: z.string(), endpoint: z.string(), status: z.string() });
export type Webhook = z.infer<typeof Webhook>;
const OneWebhook = z.object({ webhook: Webhook });
const Webhooks = z.object({
  webhooks: z.array(Webhook),
  meta: z.object({ has_more: z.boolean().optional(), after_cursor: z.string().nullish() }).optional(),
});
const SigningSecret = z.object({ signing_secret: z.object({ secret: z.string().min(1).max(1_000) }) });
const Tested = z.object({ response: z.object({ status_code: z.int() }) });

const PATH = '/api/v2/webhooks';
/** Pages of 100 that are looked through for an endpoint. */
const PAGES = 20;

/** What makes a webhook ours: where it delivers to, which nobody else could have guessed. */
export interface WebhookSpec {
  name: string;
  endpoint: string;
}

/**
 * Makes the webhook and answers its id. Creating is not repeated blindly: when nobody knows whether it was done, the endpoint
 * is looked for first.
 */
export async function createWebhook(zendesk: Zendesk, { name, endpoint }: WebhookSpec): Promise<string> {
  const webhook = {
    name,
    endpoint,
    http_method: 'POST',
    request_format: 'json',
    status: 'active',
    subscriptions: ['conditional_ticket_events'],
  };
  const create = async () =>
    (await ask(zendesk, { method: 'POST', path: PATH, body: { webhook } }, OneWebhook)).webhook.id;
  return createIdempotently(zendesk, create, async () => (await findWebhookAt(zendesk, endpoint))?.id);
}

/** Creates; after a failure that leaves it open what was done, looks for it, and only then creates again. */
export async function createIdempotently<T>(
  { budget }: Zendesk,
  create: () => Promise<T>,
  find: () => Promise<T | undefined>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await create();
    } catch (error) {
      if (!isFailure(error, 'unreachable')) throw error;
      const found = await find();
      if (found !== undefined) return found;
      if (attempt === budget.limits.tries) throw error;
    }
  }
}

export async function findWebhook(zendesk: Zendesk, id: string): Promise<Webhook | undefined> {
  return (await requestOptional(zendesk, { method: 'GET', path: `${PATH}/${id}` }, OneWebhook))?.webhook;
}

/** The webhook that delivers to this endpoint. */
export async function findWebhookAt(zendesk: Zendesk, endpoint: string): Promise<Webhook | undefined> {
  let after = '';
  for (let page = 0; page < PAGES; page += 1) {
    const cursor = after === '' ? '' : `&page[after]=${encodeURIComponent(after)}`;
    const path = `${PATH}?page[size]=100${cursor}`;
    const { webhooks, meta } = await ask(zendesk, { method: 'GET', path }, Webhooks);
    const found = webhooks.find((webhook) => webhook.endpoint === endpoint);
    if (found || !meta?.has_more || !meta.after_cursor) return found;
    after = meta.after_cursor;
  }
  return undefined;
}

export async function moveWebhook(zendesk: Zendesk, id: string, endpoint: string): Promise<void> {
  await tell(zendesk, { method: 'PATCH', path: `${PATH}/${id}`, body: { webhook: { endpoint } } });
}

export async function deleteWebhook(zendesk: Zendesk, id: string): Promise<void> {
  await tell(zendesk, { method: 'DELETE', path: `${PATH}/${id}` });
}

/** The text that deliveries are signed with. */
export async function getSigningSecret(zendesk: Zendesk, id: string): Promise<string> {
  const { signing_secret } = await ask(zendesk, { method: 'GET', path: `${PATH}/${id}/signing_secret` }, SigningSecret);
  return signing_secret.secret;
}

/** Has the vendor deliver this to us at once, and answers the status that it got; 0 where it did not get through. */
export async function testWebhook(zendesk: Zendesk, id: string, payload: string): Promise<number> {
  const path = `${PATH}/test?webhook_id=${id}`;
  const { response } = await ask(zendesk, { method: 'POST', path, body: { request: { payload } } }, Tested);
  return response.status_code;
}
