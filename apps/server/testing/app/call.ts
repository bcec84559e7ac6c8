import { type AnyEndpoint, API_BASE } from '@steward/contract/api/endpoint';
import type { InjectOptions } from 'fastify';
import type { TestApp } from './start-app.ts';

/** Fields have any type, because many tests send invalid values. */
export interface Sending {
  as?: { cookie: string } | undefined;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  text?: string | Uint8Array;
  headers?: Record<string, string>;
  /** Address of the socket; loopback by default. */
  from?: string;
}

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
  text: string;
  headers: Record<string, string | string[] | number | undefined>;
  setCookies: string[];
}

export function call(node: TestApp, endpoint: AnyEndpoint, sending: Sending = {}): Promise<Reply> {
  return send(node, toInject(endpoint, sending));
}

export function toInject(endpoint: AnyEndpoint, sending: Sending) {
  const { path, headers, body } = toRequest(endpoint, sending);
  return {
    method: endpoint.method,
    url: API_BASE + path,
    query: sending.query ?? {},
    headers,
    ...(body === undefined ? {} : { body }),
    ...(sending.from ? { remoteAddress: sending.from } : {}),
  };
}

/** `from` is effective only if the server trusts a proxy. */
export async function callAt(url: string, endpoint: AnyEndpoint, sending: Sending = {}): Promise<Reply> {
  const { path, headers, body = null } = toRequest(endpoint, sending);
  const query = new URLSearchParams(sending.query ?? {});
  const response = await fetch(`${url}${API_BASE}${path}?${query}`, {
    method: endpoint.method,
    headers: { ...headers, ...(sending.from ? { 'x-forwarded-for': sending.from } : {}) },
    body,
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    body: toBody(text),
    headers: Object.fromEntries(response.headers),
    setCookies: response.headers.getSetCookie(),
  };
}

function toSendable(body: string | Uint8Array | undefined): string | Buffer<ArrayBuffer> | undefined {
  return body instanceof Uint8Array ? Buffer.from(body) : body;
}

export function toRequest(endpoint: AnyEndpoint, sending: Sending) {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(sending.params?.[name] ?? name),
  );
  const hasJson = 'body' in sending;
  const body = toSendable(sending.text) ?? (hasJson ? JSON.stringify(sending.body) : undefined);
  const headers = {
    ...(sending.as ? { cookie: sending.as.cookie } : {}),
    ...(hasJson ? { 'content-type': 'application/json' } : {}),
    ...sending.headers,
  };
  return { path, headers, body };
}

export async function send(node: TestApp, options: InjectOptions): Promise<Reply> {
  const response = await node.app.inject(options);
  const cookies = response.headers['set-cookie'] ?? [];
  return {
    status: response.statusCode,
    text: response.body,
    body: toBody(response.body),
    headers: response.headers,
    setCookies: Array.isArray(cookies) ? cookies : [cookies],
  };
}

/** A response without the parts that differ between identical requests (request id and date), for deepEqual. */
export function toComparable(reply: Reply): { status: number; body: unknown; headers: object } {
  const { request_id: _, ...body } = reply.body;
  const { date: __, 'x-request-id': ___, ...headers } = reply.headers;
  return { status: reply.status, body, headers };
}

function toBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
