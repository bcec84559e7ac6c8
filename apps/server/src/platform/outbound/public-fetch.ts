import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { isLoopbackHost } from '#platform/http/local.ts';
import { isPublicAddress } from './public-address.ts';
import type { NameResolver } from './resolver.ts';

const MOST_BYTES = 1024 * 1024;

/** A refused request to an address that a user chose, or a request without a complete response, whatever the reason. */
export class OutboundError extends Error {}

/** A response with more bytes, or with more in it, than is read. */
export class TooLargeError extends OutboundError {}

export interface Outbound {
  resolver: NameResolver;
  /** Allows plain HTTP, but only to this machine. */
  allowsLoopback: boolean;
  /** Also cancels a response that is being received. */
  signal: AbortSignal;
  /** Longest response that is read; 1 MiB when absent. */
  maxBytes?: number;
}

export interface OutboundRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | undefined;
}

/** The address is looked up once, before the connection. */
interface Destination {
  url: URL;
  address: string;
}

/**
 * Requests a URL that a user chose, such as their identity provider's. Only HTTPS to hosts whose addresses are all public: the
 * connection uses a checked address, so that DNS can't return another one in between. Redirects aren't followed. Rejects with
 * `OutboundError` only.
 */
export async function fetchPublic(outbound: Outbound, href: string, request: OutboundRequest = {}): Promise<Response> {
  try {
    const target = await requirePublic(outbound, href);
    return await new Promise((resolve, reject) => {
      const sent = send(outbound, target, request);
      sent.once('error', reject);
      sent.once('response', (response) =>
        readResponse(response, outbound.maxBytes ?? MOST_BYTES).then(resolve, reject),
      );
      sent.end(request.body);
    });
  } catch (cause) {
    throw cause instanceof OutboundError ? cause : new OutboundError('no response', { cause });
  }
}

/** Looks the host up without connecting to it. Rejects if `fetchPublic` would refuse the URL. */
export async function requirePublic(outbound: Omit<Outbound, 'maxBytes'>, href: string): Promise<Destination> {
  outbound.signal.throwIfAborted();
  return abortable(outbound.signal, findDestination(outbound, new URL(href)));
}

async function findDestination({ resolver, allowsLoopback }: Outbound, url: URL): Promise<Destination> {
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

function send({ signal }: Outbound, { url, address }: Destination, { method, headers, body }: OutboundRequest) {
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

async function readResponse(response: http.IncomingMessage, maxBytes: number): Promise<Response> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw new TooLargeError('the response is too large');
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
