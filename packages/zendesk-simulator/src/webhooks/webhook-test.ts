import type { Call, Route } from '../call.ts';
import type { Attempt, Webhook } from '../model.ts';
import { type Answer, errors, isRecord, webhookJson } from '../responses.ts';
import { send } from './send.ts';
import { type Occasion, signedRequest } from './signed-request.ts';
import { isWebAddress } from './webhook-fields.ts';
import { webhookMissing } from './webhooks.ts';

/** Sends a request immediately and returns the receiver's response. */
export const TEST_ROUTES: Route[] = [{ method: 'POST', path: 'webhooks/test', scope: 'webhooks:write', run: test }];

/** A saved webhook signs with its own secret; an unsaved one with the published secret. */
async function test({ world, account, query, body }: Call): Promise<Answer> {
  const id = query.get('webhook_id');
  const saved = id === null ? undefined : account.webhooks.find((each) => each.id === id);
  if (id !== null && !saved) return webhookMissing();
  const sent = isRecord(body) && isRecord(body.request) ? body.request : {};
  const webhook = described(sent, saved);
  if (!isWebAddress(webhook.endpoint)) {
    return errors(400, { code: 'InvalidParameter', title: 'endpoint must be an http or https address' });
  }
  const payload = Buffer.from(typeof sent.payload === 'string' ? sent.payload : '');
  const now = world.clock.now();
  const request = signedRequest(account, { webhook, payload, invocation: world.ulid(), now });
  const outcome = await world.work(() => send(world, request));
  const answered = typeof outcome === 'string' ? undefined : outcome;
  const attempt: Attempt = {
    status: typeof outcome === 'string' ? outcome : 'success',
    request,
    ...(answered && { status_code: answered.status_code, response: answered }),
    completed_at: world.clock.now(),
  };
  account.deliveries.push({
    id: request.headers.find(([name]) => name === 'X-Zendesk-Webhook-Invocation-Id')?.[1] ?? '',
    webhook_id: saved?.id ?? '',
    cause: 'test',
    created_at: now,
    attempts: [attempt],
    status: attempt.status,
    completed_at: attempt.completed_at,
    ...(answered && { status_code: answered.status_code }),
  });
  const headers = (answered?.headers ?? []).map(([key, value]) => ({ key, value }));
  const response = { headers, status_code: answered?.status_code ?? 0, payload: answered?.payload ?? '' };
  return webhookJson(200, { response });
}

function described(sent: Record<string, unknown>, saved: Webhook | undefined): Occasion['webhook'] {
  const text = (name: string) => (typeof sent[name] === 'string' ? { [name]: sent[name] } : {});
  return {
    endpoint: '',
    http_method: 'POST',
    request_format: 'json',
    ...saved,
    ...text('endpoint'),
    ...text('http_method'),
    ...text('request_format'),
    ...(isRecord(sent.authentication) && {
      authentication: sent.authentication as unknown as Webhook['authentication'] & {},
    }),
  };
}
