import type { Call, Route } from '../call.ts';
import type { Attempt, Delivery, Webhook } from '../model.ts';
import { byCursor, isResponse } from '../paging.ts';
import { type Answer, errors, instant, webhookJson } from '../responses.ts';
import { withWebhook } from './webhooks.ts';

const KEPT_MS = 7 * 24 * 3_600_000;

/** Delivery history, kept for seven days. */
export const HISTORY_ROUTES: Route[] = [
  { method: 'GET', path: 'webhooks/:id/invocations', scope: 'webhooks:read', run: withWebhook(invocations) },
  {
    method: 'GET',
    path: 'webhooks/:id/invocations/:invocation/attempts',
    scope: 'webhooks:read',
    run: withWebhook(attempts),
  },
];

function invocations(call: Call, webhook: Webhook): Answer {
  const page = byCursor(
    listWebhookDeliveries(call, webhook).toReversed(),
    call.query,
    `${call.base}/api/v2/webhooks/${webhook.id}/invocations`,
  );
  if (isResponse(page)) return page;
  const { records, meta, links } = page;
  const shown = records.map(({ id, status_code, status, completed_at, created_at }) => ({
    id,
    ...(status_code !== undefined && { status_code }),
    status,
    latest_completed_at: instant(completed_at ?? created_at),
  }));
  const link = links.next ? { link: `<${links.next}>; rel="next"` } : {};
  return webhookJson(200, { meta, links, invocations: shown }, link);
}

/** Newest first; each includes the webhook's id, as Zendesk does. */
function attempts(call: Call, webhook: Webhook): Answer {
  const delivery = listWebhookDeliveries(call, webhook).find(({ id }) => id === call.params.invocation);
  if (!delivery) return errors(404, { code: 'NotFound', title: 'Invocation not found' });
  const shown = delivery.attempts.toReversed().map((attempt) => ({
    id: webhook.id,
    invocation_id: delivery.id,
    ...(attempt.status_code !== undefined && { status_code: attempt.status_code }),
    status: attempt.status,
    ...exchange(attempt),
    completed_at: instant(attempt.completed_at),
  }));
  return webhookJson(200, { attempts: shown });
}

function exchange({ request, response }: Attempt) {
  const pairs = (headers: [string, string][]) => headers.map(([key, value]) => ({ key, value }));
  return {
    ...(request && { request: { headers: pairs(request.headers), payload: request.payload.toString('utf8') } }),
    ...(response && { response: { headers: pairs(response.headers), payload: response.payload } }),
  };
}

function listWebhookDeliveries({ account, world }: Call, { id }: Webhook): Delivery[] {
  const since = world.clock.now() - KEPT_MS;
  return account.deliveries.filter(
    (each) => each.webhook_id === id && each.cause !== 'test' && each.created_at > since,
  );
}
