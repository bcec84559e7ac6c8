import type { Account, Outgoing, Webhook } from '../model.ts';
import { instant } from '../responses.ts';
import { sign, TEST_SECRET } from './signature.ts';

/** The target of a request. An unsaved webhook has no id and signs with the published secret. */
export interface Occasion {
  webhook: Pick<Webhook, 'endpoint' | 'http_method' | 'request_format' | 'authentication' | 'custom_headers'> &
    Partial<Pick<Webhook, 'id' | 'secret'>>;
  invocation: string;
  payload: Buffer;
  now: number;
}

const CONTENT_TYPES: Record<string, string> = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  form_encoded: 'application/x-www-form-urlencoded; charset=utf-8',
};

/** A signed request. Every attempt is signed again. */
export function signedRequest(account: Account, { webhook, invocation, payload, now }: Occasion): Outgoing {
  const { tamper, timestamp_shift_ms, omit_headers } = account.delivery;
  const timestamp = instant(now + timestamp_shift_ms);
  // Requests without a body sign the timestamp alone.
  const body = ['GET', 'DELETE'].includes(webhook.http_method) ? Buffer.alloc(0) : payload;
  const omitted = omit_headers.map((name) => name.toLowerCase());
  const headers: [string, string][] = [
    ['X-Zendesk-Webhook-Signature-Timestamp', timestamp],
    ['X-Zendesk-Webhook-Signature', sign(toKey(account, webhook.secret), timestamp, body)],
    ['Content-Type', CONTENT_TYPES[webhook.request_format] ?? 'application/json; charset=utf-8'],
    ['User-Agent', 'Zendesk Webhook'],
    ['X-Zendesk-Account-Id', String(account.number)],
    ...(webhook.id === undefined ? [] : ([['X-Zendesk-Webhook-Id', webhook.id]] satisfies [string, string][])),
    ['X-Zendesk-Webhook-Invocation-Id', invocation],
    ...authorization(webhook),
    ...Object.entries(webhook.custom_headers ?? {}),
  ];
  return {
    endpoint: webhook.endpoint,
    method: webhook.http_method,
    headers: headers.filter(([name]) => !omitted.includes(name.toLowerCase())),
    payload: tamper ? tampered(body) : body,
  };
}

function toKey({ delivery }: Account, secret: string | undefined): string | Buffer {
  if (secret === undefined || delivery.sign_with === 'test secret') return TEST_SECRET;
  return delivery.sign_with === 'decoded secret' ? Buffer.from(secret, 'base64') : secret;
}

function authorization({ authentication }: Occasion['webhook']): [string, string][] {
  if (!authentication) return [];
  const { type, data } = authentication;
  if (type === 'api_key') return [[data.name ?? '', data.value ?? '']];
  if (type === 'bearer_token') return [['Authorization', `Bearer ${data.token}`]];
  const pair = Buffer.from(`${data.username}:${data.password}`).toString('base64');
  return [['Authorization', `Basic ${pair}`]];
}

/** Replaces the last letter or digit, changing exactly one byte. */
function tampered(body: Buffer): Buffer {
  const other = Buffer.from(body);
  for (let at = other.length - 1; at >= 0; at -= 1) {
    const byte = other[at] ?? 0;
    if (!/[a-z0-9]/i.test(String.fromCharCode(byte))) continue;
    other[at] = byte ^ 1;
    return other;
  }
  return Buffer.concat([other, Buffer.from(' ')]);
}
