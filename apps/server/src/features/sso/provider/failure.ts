import type { ErrorId } from '@steward/contract/api/errors';
import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import { Refusal } from '#platform/http/errors.ts';
import { OutboundError } from '#platform/outbound/public-fetch.ts';

/** True if the signing key isn't among the provider's published keys. */
export function isUnknownKey(thrown: unknown): boolean {
  return (thrown as { code?: string }).code === 'OAUTH_KEY_SELECTION_FAILED';
}

/** The error that a user sees after a failed exchange with the provider. */
export function toErrorId(thrown: unknown): ErrorId {
  if (thrown instanceof Refusal) return thrown.id;
  if (thrown instanceof AuthorizationResponseError)
    return thrown.error === 'server_error' || thrown.error === 'temporarily_unavailable' ? 'sso.failed' : 'sso.refused';
  if (isUnknownKey(thrown) || /signature verification/.test(formatCauses(thrown))) return 'sso.signature';
  if (thrown instanceof ResponseBodyError) return 'sso.failed';
  return causes(thrown).some(isNoAnswer) ? 'sso.unreachable' : 'sso.failed';
}

function isNoAnswer(cause: unknown): boolean {
  if (cause instanceof OutboundError) return true;
  if (cause instanceof Response) return cause.status >= 500;
  const { name = '' } = (cause ?? {}) as { name?: string };
  return name === 'TimeoutError' || name === 'AbortError';
}

/** Returns an error and its causes, outermost first. */
function causes(thrown: unknown): unknown[] {
  const found: unknown[] = [];
  for (let at = thrown; at !== undefined && at !== null && found.length < 6; at = (at as { cause?: unknown }).cause)
    found.push(at);
  return found;
}

/** For the server's log. Providers may repeat their input in errors, so secrets are removed. */
export function formatCauses(thrown: unknown, secrets: readonly string[] = []): string {
  const texts = causes(thrown).map((cause) => {
    if (cause instanceof Response) return `HTTP ${cause.status}`;
    if (cause instanceof ResponseBodyError) return `${cause.error} ${cause.error_description ?? ''}`;
    return cause instanceof Error ? cause.message : '';
  });
  const text = texts.filter((each) => each !== '').join(': ');
  const spellings = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
  return spellings
    .reduce((line, secret) => (secret === '' ? line : line.replaceAll(secret, '[removed]')), text)
    .slice(0, 300);
}
