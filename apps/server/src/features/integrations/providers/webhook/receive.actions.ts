import type { IncomingHttpHeaders } from 'node:http';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { opened } from '#workspace/integrations/integration-health.ts';
import { recordDeliveryError } from '../../integrations.store.ts';
import type { Receive } from '../provider.ts';
import { isAuthentic, toBodyId } from './authenticate.ts';
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
    const invocationId = signatureHeader === '' ? getDeliveryId(request.headers) : toBodyId(request.body);
    return [{ invocationId, headers: keptHeaders(request.headers, signatureHeader), body: request.body }];
  };
}

/** Headers in which services send a delivery id that is the same for each attempt. */
const DELIVERY_IDS = ['webhook-id', 'x-github-delivery', 'x-gitlab-event-uuid', 'x-delivery-id', 'idempotency-key'];

/** The id of a delivery. Without one, each request counts as a new delivery. */
function getDeliveryId(headers: IncomingHttpHeaders): string {
  const given = DELIVERY_IDS.map((name) => headers[name]).find((value) => typeof value === 'string' && value !== '');
  return given === undefined ? newId() : toBodyId(Buffer.from(String(given)));
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
