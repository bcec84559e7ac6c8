import { type Answer, type AnyEndpoint, API_BASE, type Sent } from '@steward/contract/api/endpoint';
import { toSafePath } from '#platform/product/safe-path.ts';
import { answeredByProxy, Failure, unreachable } from './failure.ts';

type Part<E extends AnyEndpoint, Key extends keyof Sent<E>> = unknown extends Sent<E>[Key]
  ? { [K in Key]?: undefined }
  : Record<never, never> extends Sent<E>[Key]
    ? { [K in Key]?: Sent<E>[Key] | undefined }
    : { [K in Key]: Sent<E>[Key] };

/** A part in which everything is optional may be left out. */
export type Sending<E extends AnyEndpoint> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>;

/** `idempotencyKey` lets a repeated change take effect once. `file` is the body of a call that accepts one. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  idempotencyKey?: string | undefined;
  file?: Blob | undefined;
}

interface Parts {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

type Watcher = (outcome: Failure | 'answered') => void;
const watchers = new Set<Watcher>();

/** Reports how each call ended, until the returned function is called. Aborted calls aren't reported. */
export function subscribeToCalls(watcher: Watcher): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Resolves to true if the user confirmed their identity. */
type Confirmer = () => Promise<boolean>;
let confirmer: Confirmer | undefined;

/** Sets the handler for calls that are refused until the user confirms their identity. They are repeated after that. */
export function setConfirmer(confirm: Confirmer | undefined): void {
  confirmer = confirm;
}

/**
 * Makes one call and returns its body, or throws `Failure` for every refusal. The body isn't parsed again, because the server
 * has already stripped it to the contract.
 */
export async function call<E extends AnyEndpoint>(
  endpoint: E,
  sent: Sending<E>,
  options: CallOptions = {},
): Promise<Answer<E>> {
  try {
    const answer = await exchangeConfirmed(endpoint, sent, options);
    tell('answered');
    return answer as Answer<E>;
  } catch (thrown) {
    if (thrown instanceof Failure) tell(thrown);
    throw thrown;
  }
}

async function exchangeConfirmed(endpoint: AnyEndpoint, sent: Parts, options: CallOptions): Promise<unknown> {
  try {
    return await exchange(endpoint, sent, options);
  } catch (thrown) {
    const isUnconfirmed = thrown instanceof Failure && thrown.id === 'session.reauth_required';
    if (!isUnconfirmed || !(await confirmer?.())) throw thrown;
    options.signal?.throwIfAborted();
    return exchange(endpoint, sent, options);
  }
}

export function buildUrl(endpoint: AnyEndpoint, sent: Parts): string {
  const params = (sent.params ?? {}) as Record<string, unknown>;
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((sent.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return `${API_BASE}${path}${text === '' ? '' : `?${text}`}`;
}

async function exchange(endpoint: AnyEndpoint, sent: Parts, options: CallOptions): Promise<unknown> {
  const headers = new Headers({ accept: 'application/json' });
  if (endpoint.method !== 'GET') headers.set('content-type', options.file?.type ?? 'application/json');
  if (options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey);
  const init: RequestInit = {
    method: endpoint.method,
    headers,
    credentials: 'same-origin',
    signal: options.signal ?? null,
  };
  // Changes must be JSON, so one without a body sends an empty object.
  if (endpoint.method !== 'GET') init.body = options.file ?? JSON.stringify(sent.body ?? {});
  const response = await fetch(buildUrl(endpoint, sent), init).catch((cause: unknown) => {
    throw isAbort(cause) ? cause : unreachable();
  });
  const body: unknown = await response.json().catch((cause: unknown) => {
    if (isAbort(cause)) throw cause;
    throw response.ok ? unreachable() : answeredByProxy(response.status);
  });
  return checked(response, body);
}

function checked(response: Response, body: unknown): unknown {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Partial<Record<string, unknown>>;
  const stated = typeof fields.status_code === 'number' ? fields.status_code : undefined;
  if (response.ok && (stated === undefined || stated === 200)) return body;
  const status_code = stated ?? response.status;
  if (typeof fields.message !== 'string' || fields.message === '') throw unreachable(status_code);
  throw new Failure({
    status_code,
    message: fields.message,
    id: typeof fields.id === 'string' ? fields.id : '',
    request_id: typeof fields.request_id === 'string' ? fields.request_id : '',
    retry_after: toSeconds(response.headers.get('retry-after')),
    sso_url: typeof fields.sso_url === 'string' ? toSafePath(fields.sso_url) : undefined,
  });
}

function toSeconds(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}

function isAbort(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'AbortError';
}

function tell(outcome: Failure | 'answered'): void {
  for (const watcher of watchers) watcher(outcome);
}
