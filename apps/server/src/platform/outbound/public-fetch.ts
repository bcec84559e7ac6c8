import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { isLoopbackHost } from '#platform/http/local.ts';
import { isPublicAddress } from './public-address.ts';
import type { NameResolver } from './resolver.ts';

/** Most bytes of a response. */
const MOST_BYTES = 1024 * 1024;

/** Why a request to an address that a user chose wasn't made, or its response wasn't used. */
export class OutboundError extends Error {}

/** What a request needs. */
export interface Outbound {
  resolver: NameResolver;
  /** Allows plain HTTP, but only to this machine. */
  allowsLoopback: boolean;
  /** When everything has to be over; also ends a request that is being answered. */
  signal: AbortSignal;
}

/** What a request sends. */
export interface OutboundRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | undefined;
}

/** Where a request goes: one address, chosen before the connection and not looked up again. */
interface Target {
  url: URL;
  address: string;
}

/**
 * Requests an address that a user chose, such as their identity provider's. Only HTTPS to hosts whose addresses are all public: the
 * connection is made to one that was checked, so that DNS can't answer something else in between. Redirects aren't followed.
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

/** A lookup can't be aborted, but nobody has to wait for it. */
function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
