import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { opened } from '#workspace/integrations/integration-health.ts';
import { recordDeliveryError } from '../../integrations.store.ts';
import type { HookRequest, Receive } from '../provider.ts';
import { isAuthentic } from './authenticate.ts';
import { parsePayload } from './payload.ts';
import { getSignatureHeader } from './session.ts';

const NOT_JSON = "The last request was refused because its body isn't a JSON object.";

export function createWebhookReceiver(deps: Deps): Receive {
  return async (integration, request) => {
    const secret = opened(deps, integration.signing_secret);
    // Still connecting, or sealed with another SECRET_KEY.
    if (secret === undefined) refuse('server.unavailable');
    const signatureHeader = getSignatureHeader(deps, integration);
    if (!isAuthentic(secret, signatureHeader, request)) refuse('helpdesk.bad_signature');
    if (parsePayload(request.body) === undefined) {
      const place = { teamId: integration.team_id, integrationId: integration.id };
      await inTransaction(deps.db, (trx) => recordDeliveryError(trx, place, NOT_JSON));
      refuse('request.invalid', 'The body must be a JSON object.');
    }
    const headers = keptHeaders(request.headers, signatureHeader);
    return [{ invocationId: getDeliveryId(request), headers, body: request.body }];
  };
}

/** Headers in which services send an id of the event that is the same for each attempt; the first one counts. */
const EVENT_IDS = ['webhook-id', 'idempotency-key', 'x-github-delivery', 'x-delivery-id'];

/** Characters. A longer id is replaced by its hash. */
const ID_MAX = 200;

/** The id that the sender gave. Without one, each request is an event of its own, even if its body equals an earlier one. */
function getDeliveryId({ headers, body }: HookRequest): string {
  const given = EVENT_IDS.map((name) => getHeader(headers, name)).find((id) => id !== '');
  if (given !== undefined) return given.length > ID_MAX ? digest(given) : given;
  // Different events of GitLab can have the same one, if one of them was caused by a webhook.
  const chain = getHeader(headers, 'x-gitlab-event-uuid');
  return chain === '' ? newId() : digest(`${chain} ${digest(body)}`);
}

function getHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : '';
}

function digest(value: string | Buffer): string {
  return createHash('sha256').update(value).digest('hex');
}

const KEPT = /^(?:content-type|content-length|user-agent|webhook-id|idempotency-key|x-[a-z0-9-]+)$/;
const SECRET = /auth|cookie|csrf|forward|key|pass|real-ip|secret|sign|token/;

/** Headers for the log: those that describe the request, without any that could contain a secret or an IP address. */
function keptHeaders(headers: IncomingHttpHeaders, signatureHeader: string): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => KEPT.test(name) && name !== signatureHeader && (name === 'idempotency-key' || !SECRET.test(name)),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name.slice(0, 100), String(value).slice(0, 500)]));
}
