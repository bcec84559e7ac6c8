import { z } from 'zod';
import { isFailure } from './vendor-failure.ts';
import { requestJson, requestOptional, sendRequest, type Zendesk } from './zendesk.client.ts';

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
/** Maximum pages of 100 to search for an endpoint. */
const MAX_PAGES = 20;

/** A webhook of ours is identified by its endpoint, which can't be guessed. */
export interface WebhookSpec {
  name: string;
  endpoint: string;
}

/**
 * Creates the webhook and returns its id. If it is unknown whether an attempt succeeded, searches for the endpoint before
 * trying again, so that no duplicate is created.
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
    (await requestJson(zendesk, { method: 'POST', path: PATH, body: { webhook } }, OneWebhook)).webhook.id;
  return createIdempotently(zendesk, create, async () => (await findWebhookAt(zendesk, endpoint))?.id);
}

/** Creates an object. After a failure with unknown outcome, searches for the object before creating it again. */
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
      if (attempt === budget.limits.attempts) throw error;
    }
  }
}

export async function findWebhook(zendesk: Zendesk, id: string): Promise<Webhook | undefined> {
  return (await requestOptional(zendesk, { method: 'GET', path: `${PATH}/${id}` }, OneWebhook))?.webhook;
}

export async function findWebhookAt(zendesk: Zendesk, endpoint: string): Promise<Webhook | undefined> {
  let after = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const cursor = after === '' ? '' : `&page[after]=${encodeURIComponent(after)}`;
    const path = `${PATH}?page[size]=100${cursor}`;
    const { webhooks, meta } = await requestJson(zendesk, { method: 'GET', path }, Webhooks);
    const found = webhooks.find((webhook) => webhook.endpoint === endpoint);
    if (found || !meta?.has_more || !meta.after_cursor) return found;
    after = meta.after_cursor;
  }
  return undefined;
}

export async function moveWebhook(zendesk: Zendesk, id: string, endpoint: string): Promise<void> {
  await sendRequest(zendesk, { method: 'PATCH', path: `${PATH}/${id}`, body: { webhook: { endpoint } } });
}

export async function deleteWebhook(zendesk: Zendesk, id: string): Promise<void> {
  await sendRequest(zendesk, { method: 'DELETE', path: `${PATH}/${id}` });
}

export async function getSigningSecret(zendesk: Zendesk, id: string): Promise<string> {
  const { signing_secret } = await requestJson(
    zendesk,
    { method: 'GET', path: `${PATH}/${id}/signing_secret` },
    SigningSecret,
  );
  return signing_secret.secret;
}

/** Asks Zendesk to deliver this payload to us now. Returns the status it received; 0 if it couldn't reach us. */
export async function testWebhook(zendesk: Zendesk, id: string, payload: string): Promise<number> {
  const path = `${PATH}/test?webhook_id=${id}`;
  const { response } = await requestJson(zendesk, { method: 'POST', path, body: { request: { payload } } }, Tested);
  return response.status_code;
}
