import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { isLoopbackHost } from '#platform/http/local.ts';
import { isPublicAddress } from './public-address.ts';
import type { NameResolver } from './resolver.ts';

const MOST_BYTES = 1024 * 1024;

/** A refused request to an address that a user chose, or a refused response. */
export class OutboundError extends Error {}

export interface Outbound {
  resolver: NameResolver;
  /** Allows plain HTTP, but only to this machine. */
  allowsLoopback: boolean;
  /** Also cancels a response that is being received. */
  signal: AbortSignal;
}

export interface OutboundRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | undefined;
}

/** The address is looked up once, before the connection. */
interface Target {
  url: URL;
  address: string;
}

/**
 * Requests a URL that a user chose, such as their identity provider's. Only HTTPS to hosts whose addresses are all public: the
 * connection uses a checked address, so that DNS can't return another one in between. Redirects aren't followed.
 */
export async function fetchPublic(outbound: Outbound, href: string, request: OutboundRequest = {}): Promise<Response> {
  outbound.signal.throwIfAborted();
  const target = await abortable(outbound.signal, findTarget(outbound, new URL(href)));
  return new Promise((resolve, reject) => {
    const sent = send(outbound, target, request);
    sent.once('error', reject);
    sent.once('response', (response) => readResponse(response).then(resolve, reject));
    sent.end(request.body);
  });
}

async function findTarget({ resolver, allowsLoopback }: Outbound, url: URL): Promise<Target> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (allowsLoopback && isLoopbackHost(url.hostname))
    return { url, address: host === 'localhost' ? '127.0.0.1' : host };
  if (url.protocol !== 'https:') throw new OutboundError('only HTTPS is allowed');
  const addresses = isIP(host) === 0 ? await resolver.findAddresses(host) : [host];
  const [address] = addresses;
  if (address === undefined || !addresses.every(isPublicAddress))
    throw new OutboundError(`${host} has an address that isn't public`);
  return { url, address };
}

function send({ signal }: Outbound, { url, address }: Target, { method, headers, body }: OutboundRequest) {
  const family = isIP(address);
  return (url.protocol === 'https:' ? https : http).request(url, {
    method: method ?? 'GET',
    headers: { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) },
    signal,
    agent: false,
    lookup: (_host, options, done) => {
      // With `all`, which Node.js asks for, the callback takes a list.
      if (options.all) (done as (error: null, found: object[]) => void)(null, [{ address, family }]);
      else done(null, address, family);
    },
  });
}

async function readResponse(response: http.IncomingMessage): Promise<Response> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new OutboundError('the response is too large');
    parts.push(part);
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) headers.set(name, [value].flat().join(', '));
  const status = response.statusCode ?? 502;
  return new Response(status === 204 || status === 304 ? null : Buffer.concat(parts), { status, headers });
}

/** A lookup can't be aborted, but its caller needn't wait for it. */
function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
