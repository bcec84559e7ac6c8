import type { IncomingHttpHeaders } from 'node:http';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { IntegrationRow } from '../../../integrations.store.ts';
import type { HookRequest, Receive } from '../../provider.ts';
import { createBudget } from '../client/helpdesk.client.ts';
import { type FailureKind, isFailure } from '../client/vendor-failure.ts';
import { testWebhook } from '../client/webhooks.client.ts';
import { openStoredZendesk } from '../lifecycle/vendor-resources.actions.ts';
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

/** The body of our connection test: it shows that deliveries arrive, and is never posted. */
export const CONNECTION_TEST = JSON.stringify({ connection_test: 'steward' });

export function isConnectionTest(body: Buffer): boolean {
  if (body.length > 2 * CONNECTION_TEST.length) return false;
  try {
    return JSON.stringify(JSON.parse(body.toString('utf8'))) === CONNECTION_TEST;
  } catch {
    return false;
  }
}

const TEST_MS = 12_000;

/** Messages for failures whose own message is about saving. */
const UNSENT: Partial<Record<FailureKind, string>> = {
  gone: 'The webhook no longer exists in Zendesk. Save the triggers to create it again.',
  unreachable: "Zendesk couldn't be reached.",
};

/** Asks Zendesk to deliver a test request. Returns why deliveries don't arrive, or '' if they do. */
export async function testConnection(deps: Deps, row: IntegrationRow): Promise<string> {
  const zendesk = openStoredZendesk(deps, row, createBudget(TEST_MS));
  if (!zendesk) return "Enter the credentials again. They can't be decrypted with the current SECRET_KEY.";
  if (row.webhook_id === null) return 'There is no webhook in Zendesk. Save the triggers to create it.';
  try {
    return describeOutcome(await testWebhook(zendesk, row.webhook_id, CONNECTION_TEST), deps.env.publicUrl);
  } catch (error) {
    if (!isFailure(error)) throw error;
    return UNSENT[error.kind] ?? error.message;
  }
}

function describeOutcome(status: number, publicUrl: string): string {
  if (status >= 200 && status < 300) return '';
  if (status === 0) return `Zendesk couldn't reach ${publicUrl}.`;
  if (status === 401) return 'Zendesk reached this server but signs with a different secret.';
  return `Zendesk got the answer ${status} from ${publicUrl}. Another server may be answering there.`;
}
