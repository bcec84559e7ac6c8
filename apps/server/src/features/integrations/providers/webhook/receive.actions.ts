import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { opened } from '#workspace/integrations/integration-health.ts';
import type { HookRequest, Receive } from '../provider.ts';
import { findFault, getHeader } from './authenticate.ts';
import { parsePayload, readBody } from './payload.ts';
import type { Sender } from './senders/sender.ts';
import { getVerification } from './session.ts';

export function createWebhookReceiver(deps: Deps, sender: Sender): Receive {
  return async (integration, request) => {
    const secret = opened(deps, integration.signing_secret);
    // Still connecting, or sealed with another SECRET_KEY.
    if (secret === undefined) refuse('server.unavailable');
    const verification = getVerification(deps, sender, integration);
    const fault = findFault({ verification, secret, now: integration.called_at }, request);
    if (fault !== undefined) refuse('helpdesk.bad_signature', fault);
    const body = readBody(request);
    if (parsePayload(body) === undefined) refuse('request.invalid', "The body isn't a JSON object.");
    const headers = keptHeaders(request.headers, verification.header);
    return [{ invocationId: getEventId(sender, { headers: request.headers, body }), headers, body }];
  };
}

/** Characters. A longer id is replaced by its hash. */
const ID_MAX = 200;

/** The id that the sender gave. Without one, each request is an event of its own, even if its body equals an earlier one. */
function getEventId({ eventIds, chainId }: Sender, { headers, body }: HookRequest): string {
  const given = eventIds.map((name) => getHeader(headers, name)).find((id) => id !== '');
  if (given !== undefined) return given.length > ID_MAX ? digest(given) : given;
  const chain = chainId === undefined ? '' : getHeader(headers, chainId);
  return chain === '' ? newId() : digest(`${chain} ${digest(body)}`);
}

function digest(value: string | Buffer): string {
  return createHash('sha256').update(value).digest('hex');
}

const KEPT =
  /^(?:content-type|content-length|user-agent|webhook-(?:id|timestamp)|idempotency-key|request-id|sentry-hook-[a-z]+|x-[a-z0-9-]+)$/;
const SECRET = /auth|cookie|csrf|forward|key|pass|real-ip|secret|sign|token/;

/** Headers for the log: those that describe the request, without any that could contain a secret or an IP address. */
function keptHeaders(headers: IncomingHttpHeaders, secretHeader: string): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => KEPT.test(name) && name !== secretHeader && (name === 'idempotency-key' || !SECRET.test(name)),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name.slice(0, 100), String(value).slice(0, 500)]));
}
