import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getMe, listStatuses } from '@steward/contract/session';
import { listUsers, saveUser } from '@steward/contract/users';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { buildUrl, call, setConfirmer, subscribeToCalls } from './api.ts';
import { Failure } from './failure.ts';

let answer: (request: IncomingMessage, reply: ServerResponse) => void;
let received: { method: string | undefined; url: string | undefined; key: unknown; body: string };

const server = createServer(async (request, reply) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  received = { method: request.method, url: request.url, key: request.headers['idempotency-key'], body };
  answer(request, reply);
});

const realFetch = globalThis.fetch;
let base = '';

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // A browser resolves the path against the page's origin. Here the test server is that origin.
  globalThis.fetch = (path, init) => realFetch(`${base}${path}`, init);
});

afterAll(() => {
  globalThis.fetch = realFetch;
  server.close();
});

beforeEach(() => {
  answer = json(200, { status_code: 200 });
});

function json(status: number, body: unknown) {
  return (_request: IncomingMessage, reply: ServerResponse) => {
    reply.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
  };
}

async function getFailure(promise: Promise<unknown>): Promise<Failure> {
  const thrown = await promise.then(
    () => assert.fail('the call succeeded'),
    (cause: unknown) => cause,
  );
  assert.ok(thrown instanceof Failure, String(thrown));
  return thrown;
}

test('path parameters and query are filled in and escaped, absent ones left out', () => {
  const sent = { params: { teamId: 'a/b?c' }, query: { search: 'ü & 1', member: undefined, last_key: '' } };
  assert.equal(buildUrl(listUsers, sent), '/api/v4/admin/teams/a%2Fb%3Fc/users?search=%C3%BC+%26+1');
});

test('a change is sent as JSON with its key, and its response is returned', async () => {
  const body = { email: 'kim@team.example', account_type: 2 as const };
  assert.deepEqual(await call(saveUser, { params: { teamId: 't' }, body }, { idempotencyKey: 'once' }), {
    status_code: 200,
  });
  assert.equal(received.method, 'POST');
  assert.equal(received.key, 'once');
  assert.deepEqual(JSON.parse(received.body), body);
});

test('a list in the body stays a list', async () => {
  answer = json(200, []);
  await call(listStatuses, { body: ['x'] });
  assert.equal(received.body, '["x"]');
});

test('a refusal becomes a failure with its status, id, text and reference', async () => {
  answer = json(403, { status_code: 403, message: 'No.', id: 'team.admin_required', request_id: 'r1' });
  const { status_code, message, id, request_id } = await getFailure(call(getMe, {}));
  assert.deepEqual([status_code, message, id, request_id], [403, 'No.', 'team.admin_required', 'r1']);
});

test('a status_code other than 200 counts as failed whatever HTTP says', async () => {
  answer = json(200, { status_code: 401, message: 'Please sign in.', id: 'session.required', request_id: 'r2' });
  assert.equal((await getFailure(call(getMe, {}))).status_code, 401);
});

test('a failure without a message, and a success that isn’t JSON, is an API error', async () => {
  answer = json(500, {});
  assert.equal((await getFailure(call(getMe, {}))).message, 'API error');
  answer = (_request, reply) =>
    reply.writeHead(200, { connection: 'close' }).end('<html>Sign in to the network</html>');
  const failure = await getFailure(call(getMe, {}));
  assert.deepEqual([failure.message, failure.id, failure.status_code], ['API error', 'client.unreachable', 0]);
});

test('a page that a proxy sends instead of an answer is explained by its status', async () => {
  for (const [status, id, text] of [
    [413, 'client.too_large', /^API error: a proxy .* too large \(status 413\)\. Ask your system administrator/],
    [502, 'client.unreachable', /^API error: a proxy in front of the server can't reach it \(status 502\)\. Try again/],
    [503, 'client.unreachable', /\(status 503\)\. Try again/],
    [504, 'client.unreachable', /\(status 504\)\. Try again/],
    [403, 'client.unreachable', /^API error: a proxy .* answered instead \(status 403\)\. If this continues, tell/],
    [500, 'client.unreachable', /answered instead \(status 500\)/],
  ] as const) {
    answer = (_request, reply) => reply.writeHead(status, { connection: 'close' }).end('<html><h1>Error</h1></html>');
    const failure = await getFailure(call(getMe, {}));
    assert.deepEqual([failure.id, failure.status_code], [id, status]);
    assert.match(failure.message, text);
  }
});

test('a broken connection is an API error, and watchers are notified how each call ended', async () => {
  const heard: string[] = [];
  const end = subscribeToCalls((outcome) => heard.push(outcome === 'answered' ? outcome : outcome.id));
  answer = (request) => request.socket.destroy();
  assert.equal((await getFailure(call(getMe, {}))).id, 'client.unreachable');
  answer = json(200, {});
  await call(getMe, {});
  end();
  await call(getMe, {});
  assert.deepEqual(heard, ['client.unreachable', 'answered']);
});

test('an aborted call isn’t a failure', async () => {
  const giveUp = new AbortController();
  answer = () => giveUp.abort();
  await assert.rejects(call(getMe, {}, { signal: giveUp.signal }), { name: 'AbortError' });
});

const UNCONFIRMED = { status_code: 403, message: "Confirm that it's you.", id: 'session.reauth_required' };

/** Refuses a number of requests until their sender has confirmed their identity, and records all. */
function refuseUntilConfirmed(times: number): { keys: unknown[] } {
  const seen: { keys: unknown[] } = { keys: [] };
  answer = (request, reply) => {
    seen.keys.push(received.key);
    json(seen.keys.length <= times ? 403 : 200, seen.keys.length <= times ? UNCONFIRMED : { status_code: 200 })(
      request,
      reply,
    );
  };
  return seen;
}

test('a call that needs a confirmation is repeated after it, with the same key, and the refusal is not reported', async () => {
  const heard: unknown[] = [];
  const stop = subscribeToCalls((outcome) => heard.push(outcome));
  const seen = refuseUntilConfirmed(1);
  setConfirmer(async () => true);
  const sent = { params: { teamId: 't' }, body: { email: 'kim@team.example', account_type: 2 as const } };
  await call(saveUser, sent, { idempotencyKey: 'one' });
  assert.deepEqual(seen.keys, ['one', 'one']);
  assert.deepEqual(heard, ['answered']);
  stop();
  setConfirmer(undefined);
});

test('without a confirmation, the call fails with its own error, and it is repeated at most once', async () => {
  for (const [confirm, requests] of [
    [undefined, 1],
    [async () => false, 1],
    [async () => true, 2],
  ] as const) {
    const seen = refuseUntilConfirmed(9);
    setConfirmer(confirm);
    assert.equal((await getFailure(call(getMe, {}))).id, 'session.reauth_required');
    assert.equal(seen.keys.length, requests);
  }
  setConfirmer(undefined);
});

test('a call that was aborted during the confirmation isn’t repeated', async () => {
  const seen = refuseUntilConfirmed(1);
  const given = new AbortController();
  setConfirmer(async () => {
    given.abort();
    return true;
  });
  await assert.rejects(call(getMe, {}, { signal: given.signal }), { name: 'AbortError' });
  assert.equal(seen.keys.length, 1);
  setConfirmer(undefined);
});
