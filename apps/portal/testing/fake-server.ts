import { type Answer, type AnyEndpoint, API_BASE, type Received } from '@steward/contract/api/endpoint';
import { ERRORS, type ErrorId } from '@steward/contract/api/errors';

type Reply<E extends AnyEndpoint> = Answer<E> | ((sent: Received<E>) => Answer<E> | Promise<Answer<E>>);
type Call<E extends AnyEndpoint> = Received<E> & { idempotencyKey: string | null };

interface Handler {
  endpoint: AnyEndpoint;
  pattern: RegExp;
  reply: (sent: never) => unknown;
  calls: Call<AnyEndpoint>[];
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
  const respond = typeof reply === 'function' ? (reply as Handler['reply']) : () => reply;
  handlers.set(endpoint.name, { endpoint, pattern, calls, reply: respond });
}

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
export function calls<E extends AnyEndpoint>(endpoint: E): Call<E>[] {
  return (handlers.get(endpoint.name)?.calls ?? []) as never;
}

export const isAnswered = ({ name }: AnyEndpoint): boolean => handlers.has(name);

/** Forgets all answers. Returns the calls without an answer and those that break the contract, which fail the test. */
export function resetServer(): string[] {
  handlers.clear();
  return faults.splice(0);
}

/** Takes the place of the browser's `fetch`. */
export async function fakeFetch(address: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const url = new URL(String(address), location.href);
  const method = init.method ?? 'GET';
  const [handler] = [...handlers.values()]
    .filter(({ endpoint, pattern }) => endpoint.method === method && pattern.test(url.pathname))
    // A path without a parameter, such as /users/me, is more exact than one with a parameter.
    .sort((a, b) => a.endpoint.path.split(':').length - b.endpoint.path.split(':').length);
  try {
    if (handler === undefined) throw new Error('no answer in this test');
    return await exchange(handler, url, init);
  } catch (thrown) {
    if (thrown instanceof Refusal) return Response.json(thrown.body, { status: thrown.body.status_code });
    if (!(thrown instanceof TypeError) && !init.signal?.aborted) faults.push(`${method} ${url.pathname}: ${thrown}`);
    throw thrown;
  }
}

async function exchange({ endpoint, pattern, reply, calls }: Handler, url: URL, init: RequestInit) {
  const { body, headers, signal } = init;
  const sent = {
    params: endpoint.params?.parse({ ...pattern.exec(url.pathname)?.groups }),
    query: endpoint.query?.parse(Object.fromEntries(url.searchParams)),
    body: typeof body === 'string' ? endpoint.body?.parse(JSON.parse(body)) : body,
  };
  calls.push({ ...sent, idempotencyKey: new Headers(headers).get('idempotency-key') } as never);
  const replied = reply(sent as never);
  return Response.json(endpoint.answer.parse(await Promise.race([untilAborted(signal), replied])));
}

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(new DOMException('The call was aborted.', 'AbortError'));
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
  });
}
