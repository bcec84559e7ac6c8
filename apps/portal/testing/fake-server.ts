import { type Answer, type AnyEndpoint, API_BASE, type Received } from '@steward/contract/api/endpoint';
import { ERRORS, type ErrorId } from '@steward/contract/api/errors';

type Reply<E extends AnyEndpoint> = Answer<E> | ((sent: Received<E>) => Answer<E> | Promise<Answer<E>>);

interface Handler {
  endpoint: AnyEndpoint;
  pattern: RegExp;
  reply: (sent: never) => unknown;
  calls: (Received<AnyEndpoint> & { idempotencyKey: string | null })[];
}

const handlers = new Map<string, Handler>();
const faults: string[] = [];

class Refusal extends Error {
  readonly body: { status_code: number; message: string; id: string; request_id: string };

  constructor(id: ErrorId, message: string) {
    super(message);
    this.body = { status_code: ERRORS[id].status_code, message, id, request_id: 'r'.repeat(26) };
  }
}

/** Answers all calls of an endpoint from now on. The compiler and the contract's schema check the answer. */
export function answer<E extends AnyEndpoint>(endpoint: E, reply: Reply<E>): void {
  const pattern = new RegExp(`^${API_BASE}${endpoint.path.replace(/:\w+/g, (name) => `(?<${name.slice(1)}>[^/]+)`)}$`);
  const calls = handlers.get(endpoint.name)?.calls ?? [];
  handlers.set(endpoint.name, {
    endpoint,
    pattern,
    calls,
    reply: typeof reply === 'function' ? (reply as Handler['reply']) : () => reply,
  });
}

/** Refuses all calls of an endpoint from now on, as the server does. */
export function refuse(endpoint: AnyEndpoint, id: ErrorId, message: string = ERRORS[id].message): void {
  answer(endpoint, () => {
    throw new Refusal(id, message);
  });
}

/** All calls of an endpoint fail from now on as if there were no connection. */
export function disconnect(endpoint: AnyEndpoint): void {
  answer(endpoint, () => {
    throw new TypeError('fetch failed');
  });
}

/** Answers an endpoint only when the returned function is called. */
export function hold<E extends AnyEndpoint>(endpoint: E, reply: Answer<E>): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  answer(endpoint, async () => {
    await promise;
    return reply;
  });
  return resolve;
}

/** The inputs of an endpoint's calls in this test, in order. */
export function calls<E extends AnyEndpoint>(endpoint: E): (Received<E> & { idempotencyKey: string | null })[] {
  return (handlers.get(endpoint.name)?.calls ?? []) as never;
}

export function isAnswered({ name }: AnyEndpoint): boolean {
  return handlers.has(name);
}

/** Forgets all answers. Returns the calls without an answer and those that break the contract, which fail the test. */
export function resetServer(): string[] {
  handlers.clear();
  return faults.splice(0);
}

/** Takes the place of the browser's `fetch`. */
export async function fakeFetch(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { pathname, searchParams } = new URL(String(url), location.href);
  const method = init.method ?? 'GET';
  const [handler] = [...handlers.values()]
    .filter(({ endpoint, pattern }) => endpoint.method === method && pattern.test(pathname))
    // A path without a parameter, such as /users/me, is more exact than one with a parameter.
    .sort((a, b) => a.endpoint.path.split(':').length - b.endpoint.path.split(':').length);
  try {
    if (handler === undefined) throw new Error('no answer in this test');
    return await exchange(handler, { url: new URL(pathname, location.href), query: searchParams, init });
  } catch (thrown) {
    if (thrown instanceof Refusal) return Response.json(thrown.body, { status: thrown.body.status_code });
    if (!(thrown instanceof TypeError) && !init.signal?.aborted) faults.push(`${method} ${pathname}: ${thrown}`);
    throw thrown;
  }
}

async function exchange(
  handler: Handler,
  { url, query, init }: { url: URL; query: URLSearchParams; init: RequestInit },
) {
  const { endpoint, pattern, reply } = handler;
  const sent = {
    params: endpoint.params?.parse({ ...pattern.exec(url.pathname)?.groups }),
    query: endpoint.query?.parse(Object.fromEntries(query)),
    body: typeof init.body === 'string' ? endpoint.body?.parse(JSON.parse(init.body)) : init.body,
  };
  handler.calls.push({ ...sent, idempotencyKey: new Headers(init.headers).get('idempotency-key') } as never);
  return Response.json(endpoint.answer.parse(await abortable(Promise.resolve(reply(sent as never)), init.signal)));
}

function abortable<T>(reply: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return reply;
  return new Promise((resolve, reject) => {
    const abort = () => reject(new DOMException('The call was aborted.', 'AbortError'));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort);
    reply.then(resolve, reject);
  });
}
