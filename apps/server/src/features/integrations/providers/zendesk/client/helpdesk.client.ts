import { type LookupAddress, lookup as resolveName } from 'node:dns';
import { type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isBrokenCircuitError } from 'cockatiel';
import { getBreaker } from './breakers.ts';
import { isPublicAddress } from './public-address.ts';

/**
 * How long and how large a call may become, how often it is tried, how long all tries together may take, and the wait before
 * a second try where the vendor names none; that doubles.
 */
export interface Limits {
  callMs: number;
  allMs: number;
  tries: number;
  bytes: number;
  retryDelayMs: number;
}

const LIMITS: Limits = { callMs: 10_000, allMs: 20_000, tries: 3, bytes: 1024 * 1024, retryDelayMs: 300 };

/** Where a help desk is. */
export interface Target {
  base: URL;
  /** Finds the addresses of the host at the moment of connecting; the system's own way where the operator named the host. */
  lookup: LookupFunction | undefined;
}

export interface HelpdeskRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With the query. */
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Whether to try it again where it may have been done already. */
  repeatable: boolean;
}

export interface HelpdeskResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** No answer that could be read, and why; whether the request was done is not known. */
export class Silence extends Error {}

/** Nothing was sent: the help desk failed so often just now that it is left alone for a while. */
class Resting extends Silence {}

/** The time that a change of ours has for all its calls; `limits` are those of each. */
export interface Budget {
  end: number;
  limits: Limits;
}

export function createBudget(ms: number, limits: Partial<Limits> = {}): Budget {
  return { end: performance.now() + ms, limits: { ...LIMITS, ...limits } };
}

/** The help desk of a subdomain: below zendesk.com, reached by TLS and at public addresses alone, or where HELPDESK_URL says. */
export function toTarget(env: { HELPDESK_URL?: string | undefined }, subdomain: string): Target {
  if (env.HELPDESK_URL === undefined)
    return { base: new URL(`https://${subdomain}.zendesk.com`), lookup: publicLookup(resolveName) };
  return { base: new URL(env.HELPDESK_URL.replaceAll('{subdomain}', subdomain)), lookup: undefined };
}

type Resolve = (
  host: string,
  options: { all: true },
  told: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A lookup that refuses a host with any address that is not public. The socket connects to what was looked at, to nothing else. */
export function publicLookup(resolve: Resolve): LookupFunction {
  return (host, options, told) => {
    resolve(host, { ...options, all: true }, (error, addresses = []) => {
      const [first] = addresses;
      const closed = addresses.find(({ address }) => !isPublicAddress(address));
      const wrong = error ?? (first && !closed ? null : new Silence(`${host} has no public address`));
      if (wrong || !first) told(wrong, '', 0);
      else if (options.all) told(null, addresses);
      else told(null, first.address, first.family);
    });
  };
}

/**
 * Calls the help desk. Redirects are answers like all others. What is temporary is tried again: a request that was refused for
 * now always, one that may have been done only where that does no harm.
 */
export async function callHelpdesk(
  target: Target,
  request: HelpdeskRequest,
  budget: Budget,
): Promise<HelpdeskResponse> {
  const { limits } = budget;
  const end = Math.min(budget.end, performance.now() + limits.allMs);
  const breaker = getBreaker(target.base.href);
  for (let attempt = 1; ; attempt += 1) {
    const callMs = Math.min(limits.callMs, end - performance.now());
    if (callMs <= 0) throw new Silence('there was no time left');
    const outcome = await breaker.execute(() => once(target, request, { ...limits, callMs })).catch(toSilence);
    const wait = waitAfter(outcome, request, limits.retryDelayMs * 2 ** (attempt - 1));
    const isLast = wait === undefined || attempt >= limits.tries || performance.now() + wait >= end;
    if (!isLast) await pause(wait);
    else if (outcome instanceof Silence) throw outcome;
    else return outcome;
  }
}

function toSilence(error: unknown): Silence {
  if (error instanceof Silence) return error;
  if (isBrokenCircuitError(error)) return new Resting('it failed several times in a row', { cause: error });
  return new Silence(error instanceof Error ? error.message : String(error), { cause: error });
}

/** Milliseconds until another try; undefined where there shall be none. */
function waitAfter(
  outcome: HelpdeskResponse | Silence,
  { repeatable }: HelpdeskRequest,
  retryDelayMs: number,
): number | undefined {
  const waitBeforeRetry = retryDelayMs * (0.5 + Math.random() / 2);
  if (outcome instanceof Resting) return undefined;
  if (outcome instanceof Silence) return repeatable ? waitBeforeRetry : undefined;
  const { status, headers } = outcome;
  if (status !== 429 && !(repeatable && status >= 500)) return undefined;
  const asked = secondsToWait(headers['retry-after']);
  return asked === undefined ? waitBeforeRetry : asked * 1_000 + Math.random() * 250;
}

/** What Retry-After says, in seconds: a number, or an instant. */
export function secondsToWait(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,6}$/.test(header.trim())) return Number(header);
  const instant = Date.parse(header);
  return Number.isNaN(instant) ? undefined : Math.max(0, Math.ceil((instant - Date.now()) / 1_000));
}

async function once(target: Target, request: HelpdeskRequest, limits: Limits): Promise<HelpdeskResponse> {
  const url = new URL(target.base);
  url.pathname = target.base.pathname.replace(/\/$/, '') + new URL(request.path, 'https://path').pathname;
  url.search = new URL(request.path, 'https://path').search;
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'Steward',
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...request.headers,
  };
  const send = url.protocol === 'https:' ? tlsRequest : plainRequest;
  return new Promise<HelpdeskResponse>((resolve, reject) => {
    const options = {
      method: request.method,
      headers,
      // A connection of its own: its address is looked at, and it is never one that the other side is just closing.
      agent: false,
      signal: AbortSignal.timeout(Math.ceil(limits.callMs)),
      rejectUnauthorized: true,
      ...(target.lookup && { lookup: target.lookup }),
    } as const;
    const sent = send(url, options, (response) => {
      toText(response, limits.bytes).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function toText(response: IncomingMessage, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += (chunk as Buffer).length;
    // Leaving the loop closes the connection: what follows is never read.
    if (size > most) throw new Silence('the answer is too long');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
