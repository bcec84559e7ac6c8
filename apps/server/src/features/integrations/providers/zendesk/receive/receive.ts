import type { IncomingHttpHeaders } from 'node:http';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { HookRequest, Receive } from '../../provider.ts';
import { isConnectionTest } from './connection-test.ts';
import type { SignedRequest } from './signature.ts';
import { createVerifier } from './verify.actions.ts';

/** Zendesk doesn't document the format. */
const INVOCATION = /^[\x21-\x7e]{1,64}$/;

/** Receives deliveries signed by Zendesk. Our connection test is accepted without a delivery. */
export function createZendeskReceiver(deps: Deps): Receive {
  const verify = createVerifier(deps);
  return async (integration, request) => {
    const { invocationId, ...signed } = getSignedParts(request);
    await verify(integration, signed);
    if (isConnectionTest(request.body)) return [];
    return [{ invocationId, headers: keptHeaders(request.headers), body: request.body }];
  };
}

/** The signed parts of a request and its invocation id, which all attempts share; refuses a request that lacks any. */
function getSignedParts({ headers, body }: HookRequest): SignedRequest & { invocationId: string } {
  const timestamp = getHeader(headers, 'x-zendesk-webhook-signature-timestamp');
  const signature = getHeader(headers, 'x-zendesk-webhook-signature');
  const invocationId = getHeader(headers, 'x-zendesk-webhook-invocation-id');
  if (timestamp === '' || signature === '' || !INVOCATION.test(invocationId)) refuse('helpdesk.bad_signature');
  return { timestamp, signature, invocationId, body };
}

function getHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

const KEPT = /^(?:content-type|content-length|user-agent|x-zendesk-(?!webhook-signature$).*)$/;

/** Headers for the log: those that describe the request, without the signature and custom headers. */
function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => KEPT.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name.slice(0, 100), String(value).slice(0, 500)]));
}
