import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, describe, test } from 'node:test';
import { wrongCertificate } from '#testing/faults/untrusted-certificate.ts';
import {
  callHelpdesk,
  createBudget,
  type HelpdeskRequest,
  publicLookup,
  Silence,
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
  const told: Peer = { port: 0, connections: 0, requests: [] };
  const listener: RequestListener = (request, response) => {
    told.requests.push(request);
    answer(request, response);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.on('connection', () => {
    told.connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  told.port = (server.address() as AddressInfo).port;
  return told;
}

const limitConcurrency = (...answers: RequestListener[]): RequestListener => {
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
  test('goes below the address that it is given, as JSON, and brings its credentials', async () => {
    const desk = await peer((request, response) => {
      request.setEncoding('utf8').on('data', (text) => response.end(text));
    });
    const answer = await callHelpdesk(at(desk), { ...POST, headers: { authorization: 'Basic x' } }, soon());
    assert.deepEqual([answer.status, answer.text], [200, '{"name":"Zoë"}']);
    const { url, headers } = desk.requests[0] ?? assert.fail();
    assert.equal(url, '/acme/api/v2/things');
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers.accept, 'application/json');
    assert.equal(headers.authorization, 'Basic x');
    await callHelpdesk(at(desk), GET, soon({ callMs: 50, tries: 1 })).catch(() => undefined);
    assert.equal(desk.requests[1]?.url, '/acme/api/v2/things?page[size]=1');
  });

  test('goes to one host below zendesk.com by TLS, or to where the operator says', () => {
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

  test('ends where the answer becomes longer than a mebibyte, and reads no further', async () => {
    let sent = 0;
    const over = Promise.withResolvers<void>();
    const desk = await peer((_request, response) => {
      const more = () => {
        sent += 64 * 1024;
        response.write(Buffer.alloc(64 * 1024));
      };
      response.on('drain', more).on('close', over.resolve);
      more();
    });
    await assert.rejects(callHelpdesk(at(desk), GET, soon({ tries: 1 })), /too long/);
    await over.promise;
    // What lies in the buffers of both sides was sent, too.
    assert.ok(sent < 64 * 1024 * 1024, `${sent} bytes were sent`);
  });

  test('ends when nothing is answered, and when an answer never ends', async () => {
    const silent = await peer(() => undefined);
    await assert.rejects(callHelpdesk(at(silent), GET, soon({ callMs: 50 })), Silence);
    assert.equal(silent.connections, 3);
    const endless = await peer((_request, response) => void response.write('{'));
    await assert.rejects(callHelpdesk(at(endless), GET, soon({ callMs: 50, tries: 1 })), Silence);
  });

  test('is not sent where the certificate is wrong', async () => {
    const desk = await peer(status(200), wrongCertificate());
    await assert.rejects(callHelpdesk(at(desk, 'https'), GET, soon({ tries: 1 })), /self-signed certificate/);
    assert.deepEqual([desk.connections, desk.requests.length], [1, 0]);
  });

  test('is not sent when its time is over', async () => {
    const desk = await peer(status(200));
    await assert.rejects(callHelpdesk(at(desk), GET, createBudget(0)), Silence);
    assert.equal(desk.connections, 0);
  });
});

describe('a second try', () => {
  test('follows what is temporary, three in all', async () => {
    const late = await peer(limitConcurrency(status(503), hangUp, status(200)));
    assert.equal((await callHelpdesk(at(late), GET, soon())).status, 200);
    assert.equal(late.requests.length, 3);
    const never = await peer(status(500));
    assert.equal((await callHelpdesk(at(never), GET, soon())).status, 500);
    assert.equal(never.requests.length, 3);
  });

  test('does not follow what may have been done, but what was refused for now', async () => {
    for (const answer of [status(500), hangUp]) {
      const desk = await peer(answer);
      await callHelpdesk(at(desk), POST, soon()).catch((error) => assert.ok(error instanceof Silence));
      assert.equal(desk.requests.length, 1);
    }
    const limited = await peer(limitConcurrency(status(429, { 'retry-after': '0' }), status(201)));
    assert.equal((await callHelpdesk(at(limited), POST, soon())).status, 201);
  });

  test('waits as long as the vendor asks, and is not made where that is too long', async () => {
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

describe('a help desk that is down (F13)', () => {
  test('is left alone after six failures in a row, tried once half a minute later, and no other is', async (t) => {
    const down = await peer(limitConcurrency(...Array(7).fill(status(500)), hangUp, status(200)));
    const other = await peer(status(200));
    const asked = (desk: Peer) => callHelpdesk(at(desk), GET, soon());
    for (const answered of [3, 6]) {
      assert.equal((await asked(down)).status, 500);
      assert.equal(down.requests.length, answered);
    }
    await assert.rejects(asked(down), Silence);
    assert.equal(down.requests.length, 6, 'nothing is sent any more');
    assert.equal((await asked(other)).status, 200);

    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 31_000 });
    await assert.rejects(asked(down), Silence);
    assert.equal(down.requests.length, 7, 'one failure, and it rests again');
    t.mock.timers.tick(31_000);
    await assert.rejects(asked(down), Silence);
    assert.equal(down.requests.length, 8);
    t.mock.timers.tick(31_000);
    assert.equal((await asked(down)).status, 200);
    assert.equal((await asked(down)).status, 200);
  });

  test('is not taken for one that refuses', async () => {
    const strict = await peer(status(429, { 'retry-after': '3600' }));
    for (const _ of Array(10).keys()) await callHelpdesk(at(strict), GET, soon());
    assert.equal(strict.requests.length, 10);
  });
});

describe('the address that is connected to', () => {
  const found =
    (...addresses: string[]): Parameters<typeof publicLookup>[0] =>
    (_host, _options, told) =>
      told(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
  /** What zendesk.com would be if its name led here. */
  const named = ({ port }: Peer, lookup: LookupFunction): Target => ({
    base: new URL(`http://acme.zendesk.com:${port}/acme`),
    lookup,
  });

  test('is looked at in the moment of connecting: a name that leads inside is never reached', async () => {
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
      await assert.rejects(callHelpdesk(target, GET, soon({ tries: 1 })), /has no public address/, addresses.join());
    }
    const nowhere = named(await peer(status(200)), publicLookup(found()));
    await assert.rejects(callHelpdesk(nowhere, GET, soon()), /has no public address/);
    assert.equal(inside.connections, 0);
  });

  test('is looked at before every try, since a name may lead elsewhere the next time', async () => {
    const inside = await peer(status(200));
    let asked = 0;
    const lookup = publicLookup((host, options, told) => {
      asked += 1;
      found('127.0.0.1')(host, options, told);
    });
    await assert.rejects(callHelpdesk(named(inside, lookup), GET, soon()), Silence);
    assert.deepEqual([asked, inside.connections], [3, 0]);
  });

  test('is reached where nothing looks at it, so that the tests above show something', async () => {
    const inside = await peer(status(200));
    const lookup: LookupFunction = (_host, options, told) =>
      options.all ? told(null, [{ address: '127.0.0.1', family: 4 }]) : told(null, '127.0.0.1', 4);
    assert.equal((await callHelpdesk(named(inside, lookup), GET, soon())).status, 200);
    assert.equal(inside.connections, 1);
  });
});
