import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, describe, onTestFinished, test, vi } from 'vitest';
import { wrongCertificate } from '#testing/faults/untrusted-certificate.ts';
import { until } from '#testing/system/until.ts';
import {
  callHelpdesk,
  createBudget,
  type HelpdeskRequest,
  NoResponse,
  publicLookup,
  secondsToWait,
  type Target,
  toTarget,
} from './helpdesk.client.ts';

interface Peer {
  port: number;
  connections: number;
  requests: IncomingMessage[];
}

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function peer(answer: RequestListener, tls?: { key: string; cert: string }): Promise<Peer> {
  const result: Peer = { port: 0, connections: 0, requests: [] };
  const listener: RequestListener = (request, response) => {
    result.requests.push(request);
    answer(request, response);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.on('connection', () => {
    result.connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  result.port = (server.address() as AddressInfo).port;
  return result;
}

const inSequence = (...answers: RequestListener[]): RequestListener => {
  let at = 0;
  return (request, response) => {
    const answer = answers[Math.min(at, answers.length - 1)];
    at += 1;
    answer?.(request, response);
  };
};
const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(code, headers).end('{}');
const hangUp: RequestListener = (_request, response) => void response.destroy();

const at = ({ port }: Peer, scheme = 'http'): Target => ({
  base: new URL(`${scheme}://127.0.0.1:${port}/acme`),
  lookup: undefined,
});
const GET: HelpdeskRequest = { method: 'GET', path: '/api/v2/things?page[size]=1', repeatable: true };
const POST: HelpdeskRequest = { method: 'POST', path: '/api/v2/things', body: { name: 'Zoë' }, repeatable: false };
const soon = (limits: object = {}) => createBudget(10_000, { retryDelayMs: 1, ...limits });

describe('a call to the help desk', () => {
  test('is sent as JSON to the base URL, with its credentials', async () => {
    const desk = await peer((request, response) => void request.pipe(response));
    const answer = await callHelpdesk(at(desk), { ...POST, headers: { authorization: 'Basic x' } }, soon());
    assert.deepEqual([answer.status, answer.text], [200, '{"name":"Zoë"}']);
    const { url, headers } = desk.requests[0] ?? assert.fail();
    assert.equal(url, '/acme/api/v2/things');
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers.accept, 'application/json');
    assert.equal(headers.authorization, 'Basic x');
    await callHelpdesk(at(desk), GET, soon());
    assert.equal(desk.requests[1]?.url, '/acme/api/v2/things?page[size]=1');
  });

  test('goes to one host in zendesk.com over TLS, or to HELPDESK_URL', () => {
    assert.equal(toTarget({}, 'acme').base.href, 'https://acme.zendesk.com/');
    assert.equal(typeof toTarget({}, 'acme').lookup, 'function');
    const own = toTarget({ HELPDESK_URL: 'http://127.0.0.1:8066/{subdomain}' }, 'acme');
    assert.deepEqual([own.base.href, own.lookup], ['http://127.0.0.1:8066/acme', undefined]);
  });

  test('does not follow a redirect', async () => {
    const inside = await peer(status(200));
    const desk = await peer(status(302, { location: `http://127.0.0.1:${inside.port}/` }));
    assert.equal((await callHelpdesk(at(desk), GET, soon())).status, 302);
    assert.deepEqual([desk.connections, inside.connections], [1, 0]);
  });

  test('times out without a response, and when a response never ends', async () => {
    const silent = await peer(() => undefined);
    await assert.rejects(callHelpdesk(at(silent), GET, soon({ callMs: 50 })), NoResponse);
    // On a busy machine, a call may end before its connection is accepted.
    await until(async () => (silent.connections === 3 ? undefined : silent.connections));
    const endless = await peer((_request, response) => void response.write('{'));
    await assert.rejects(callHelpdesk(at(endless), GET, soon({ callMs: 50, attempts: 1 })), NoResponse);
  });

  test('is not sent if the certificate is invalid', async () => {
    const desk = await peer(status(200), wrongCertificate());
    await assert.rejects(callHelpdesk(at(desk, 'https'), GET, soon({ attempts: 1 })), /self-signed certificate/);
    assert.deepEqual([desk.connections, desk.requests.length], [1, 0]);
  });

  test('is not sent after its deadline', async () => {
    const desk = await peer(status(200));
    await assert.rejects(callHelpdesk(at(desk), GET, createBudget(0)), NoResponse);
    assert.equal(desk.connections, 0);
  });
});

describe('a retry', () => {
  test('follows a temporary failure, up to three attempts', async () => {
    const late = await peer(inSequence(status(503), hangUp, status(200)));
    assert.equal((await callHelpdesk(at(late), GET, soon())).status, 200);
    assert.equal(late.requests.length, 3);
    const never = await peer(status(500));
    assert.equal((await callHelpdesk(at(never), GET, soon())).status, 500);
    assert.equal(never.requests.length, 3);
  });

  test('does not follow a request that may have been processed, but a rate-limited one', async () => {
    for (const answer of [status(500), hangUp]) {
      const desk = await peer(answer);
      await callHelpdesk(at(desk), POST, soon()).catch((error) => assert.ok(error instanceof NoResponse));
      assert.equal(desk.requests.length, 1);
    }
    const limited = await peer(inSequence(status(429, { 'retry-after': '0' }), status(201)));
    assert.equal((await callHelpdesk(at(limited), POST, soon())).status, 201);
  });

  test('waits as long as Retry-After says, and is skipped if that is too long', async () => {
    const desk = await peer(status(429, { 'retry-after': '3600' }));
    assert.equal((await callHelpdesk(at(desk), GET, soon())).status, 429);
    assert.equal(desk.requests.length, 1);
    assert.equal(secondsToWait('7'), 7);
    assert.equal(secondsToWait(undefined), undefined);
    assert.equal(secondsToWait('soon'), undefined);
    assert.equal(secondsToWait('Wed, 21 Oct 2015 07:28:00 GMT'), 0);
    assert.ok((secondsToWait(new Date(Date.now() + 60_000).toUTCString()) ?? 0) > 50);
  });
});

describe('a help desk that is down', () => {
  test('gets no calls after six failures in a row, one call after half a minute, and others are unaffected', async () => {
    const down = await peer(inSequence(...Array(7).fill(status(500)), hangUp, status(200)));
    const other = await peer(status(200));
    const callOnce = (desk: Peer) => callHelpdesk(at(desk), GET, soon());
    for (const answered of [3, 6]) {
      assert.equal((await callOnce(down)).status, 500);
      assert.equal(down.requests.length, answered);
    }
    await assert.rejects(callOnce(down), NoResponse);
    assert.equal(down.requests.length, 6, 'nothing more is sent');
    assert.equal((await callOnce(other)).status, 200);

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
    onTestFinished(() => void vi.useRealTimers());
    await assert.rejects(callOnce(down), NoResponse);
    assert.equal(down.requests.length, 7, 'one failure opens the circuit again');
    vi.advanceTimersByTime(31_000);
    await assert.rejects(callOnce(down), NoResponse);
    assert.equal(down.requests.length, 8);
    vi.advanceTimersByTime(31_000);
    assert.equal((await callOnce(down)).status, 200);
    assert.equal((await callOnce(down)).status, 200);
  });

  test('is not confused with one that limits requests', async () => {
    const strict = await peer(status(429, { 'retry-after': '3600' }));
    for (const _ of Array(10).keys()) await callHelpdesk(at(strict), GET, soon());
    assert.equal(strict.requests.length, 10);
  });
});

describe('the address of a connection', () => {
  const found =
    (...addresses: string[]): Parameters<typeof publicLookup>[0] =>
    (_host, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
  /** The host name resolves with `lookup`. */
  const named = ({ port }: Peer, lookup: LookupFunction): Target => ({
    base: new URL(`http://acme.zendesk.com:${port}/acme`),
    lookup,
  });

  test('is checked when connecting: a name that resolves to a private address is never reached', async () => {
    const inside = await peer(status(200));
    for (const addresses of [
      ['127.0.0.1'],
      ['8.8.8.8', '127.0.0.1'],
      ['::ffff:127.0.0.1'],
      ['::1'],
      ['169.254.169.254'],
      ['10.0.0.1'],
    ]) {
      const target = named(inside, publicLookup(found(...addresses)));
      await assert.rejects(callHelpdesk(target, GET, soon({ attempts: 1 })), /has no public address/, addresses.join());
    }
    const nowhere = named(await peer(status(200)), publicLookup(found()));
    await assert.rejects(callHelpdesk(nowhere, GET, soon()), /has no public address/);
    assert.equal(inside.connections, 0);
  });

  test('is checked before every attempt, since DNS may change in between', async () => {
    const inside = await peer(status(200));
    let lookups = 0;
    const lookup = publicLookup((host, options, callback) => {
      lookups += 1;
      found('127.0.0.1')(host, options, callback);
    });
    await assert.rejects(callHelpdesk(named(inside, lookup), GET, soon()), NoResponse);
    assert.deepEqual([lookups, inside.connections], [3, 0]);
  });

  test('is reached without the check, which proves that the tests above can fail', async () => {
    const inside = await peer(status(200));
    const lookup: LookupFunction = (_host, options, callback) =>
      options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);
    assert.equal((await callHelpdesk(named(inside, lookup), GET, soon())).status, 200);
    assert.equal(inside.connections, 1);
  });
});
