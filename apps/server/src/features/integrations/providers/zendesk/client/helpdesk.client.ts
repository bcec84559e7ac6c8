import { type LookupAddress, lookup as resolveName } from 'node:dns';
import { type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen, isBrokenCircuitError } from 'cockatiel';
import { isPublicAddress } from '#platform/outbound/public-address.ts';

/** After this many consecutive failures the circuit stays open for `REST_MS`; then one call is let through. */
const FAILURES = 6;
const REST_MS = 30_000;
const MAX_BREAKERS = 1_000;

type Breaker = ReturnType<typeof createBreaker>;
const breakers = new Map<string, Breaker>();

/**
 * The circuit breaker of an account, so that requests to a help desk that is down fail fast. Each account has its own, so one
 * team's outage doesn't affect another. Per process.
 */
function getBreaker(account: string): Breaker {
  const breaker = breakers.get(account) ?? createBreaker();
  // Least recently used first.
  breakers.delete(account);
  breakers.set(account, breaker);
  for (const [name, { state }] of breakers) {
    if (breakers.size <= MAX_BREAKERS) break;
    if (state === CircuitState.Closed) breakers.delete(name);
  }
  return breaker;
}

function createBreaker() {
  const failed = handleWhen(() => true).orWhenResult((answer) => (answer as { status: number }).status >= 500);
  return circuitBreaker(failed, { halfOpenAfter: REST_MS, breaker: new ConsecutiveBreaker(FAILURES) });
}

/**
 * Limits of a call: timeout of one attempt, timeout of all attempts together, number of attempts, size of the response, and
 * the initial retry delay where the service sends no Retry-After. The delay doubles with each attempt.
 */
export interface Limits {
  callMs: number;
  allMs: number;
  attempts: number;
  bytes: number;
  retryDelayMs: number;
}

const LIMITS: Limits = { callMs: 10_000, allMs: 20_000, attempts: 3, bytes: 1024 * 1024, retryDelayMs: 300 };

export interface Target {
  base: URL;
  /** DNS lookup that only allows public addresses; undefined (system default) where the operator configured the host. */
  lookup: LookupFunction | undefined;
}

export interface HelpdeskRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Including the query. */
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** An idempotent request can be retried even if it may have been processed. */
  repeatable: boolean;
}

export interface HelpdeskResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** No readable response. Whether the request was processed is unknown. */
export class NoResponse extends Error {}

/** Nothing was sent, because the circuit breaker is open after repeated failures. */
class CircuitOpen extends NoResponse {}

/** The deadline for all calls of a change; `limits` apply to each call. */
export interface Budget {
  end: number;
  limits: Limits;
}

export function createBudget(ms: number, limits: Partial<Limits> = {}): Budget {
  return { end: performance.now() + ms, limits: { ...LIMITS, ...limits } };
}

/** The help desk of a subdomain: at zendesk.com, over TLS and at public addresses only, or at HELPDESK_URL. */
export function toTarget(env: { HELPDESK_URL?: string | undefined }, subdomain: string): Target {
  if (env.HELPDESK_URL === undefined)
    return { base: new URL(`https://${subdomain}.zendesk.com`), lookup: publicLookup(resolveName) };
  return { base: new URL(env.HELPDESK_URL.replaceAll('{subdomain}', subdomain)), lookup: undefined };
}

type Resolve = (
  host: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A lookup that refuses a host with any address that isn't public. The socket connects to the checked address. */
export function publicLookup(resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses = []) => {
      const [first] = addresses;
      const closed = addresses.find(({ address }) => !isPublicAddress(address));
      const wrong = error ?? (first && !closed ? null : new NoResponse(`${host} has no public address`));
      if (wrong || !first) callback(wrong, '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * Calls the help desk. Redirects are not followed. Temporary failures are retried: always if the request was rate limited,
 * and only if it is repeatable if it may have been processed.
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
    if (callMs <= 0) throw new NoResponse('no time left');
    const outcome = await breaker.execute(() => once(target, request, { ...limits, callMs })).catch(toNoResponse);
    const wait = waitAfter(outcome, request, limits.retryDelayMs * 2 ** (attempt - 1));
    const isLast = wait === undefined || attempt >= limits.attempts || performance.now() + wait >= end;
    if (!isLast) await pause(wait);
    else if (outcome instanceof NoResponse) throw outcome;
    else return outcome;
  }
}

function toNoResponse(error: unknown): NoResponse {
  if (error instanceof NoResponse) return error;
  if (isBrokenCircuitError(error)) return new CircuitOpen('it failed several times in a row', { cause: error });
  return new NoResponse(error instanceof Error ? error.message : String(error), { cause: error });
}

/** Milliseconds until the next attempt; undefined for no retry. */
function waitAfter(
  outcome: HelpdeskResponse | NoResponse,
  { repeatable }: HelpdeskRequest,
  retryDelayMs: number,
): number | undefined {
  const waitBeforeRetry = retryDelayMs * (0.5 + Math.random() / 2);
  if (outcome instanceof CircuitOpen) return undefined;
  if (outcome instanceof NoResponse) return repeatable ? waitBeforeRetry : undefined;
  const { status, headers } = outcome;
  if (status !== 429 && !(repeatable && status >= 500)) return undefined;
  const retryAfter = secondsToWait(headers['retry-after']);
  return retryAfter === undefined ? waitBeforeRetry : retryAfter * 1_000 + Math.random() * 250;
}

/** Parses Retry-After, a number of seconds or a date, into seconds. */
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
      // A new connection each time, so that its address is checked and it isn't about to be closed by the server.
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

async function toText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += (chunk as Buffer).length;
    // Leaving the loop closes the connection; the rest is never read.
    if (size > maxBytes) throw new NoResponse('the response is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
