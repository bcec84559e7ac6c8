import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type Rig, rig } from '../rig.ts';

const NEEDED = 'webhooks:read webhooks:write triggers:read triggers:write users:read';

function ask(at: Rig, more: object = {}) {
  const body = { grant_type: 'client_credentials', client_id: 'steward', client_secret: 'acme-secret', scope: NEEDED };
  return at.api('POST /oauth/tokens', { ...body, ...more }, { auth: null });
}

async function bearer(at: Rig, more: object = {}): Promise<{ auth: string }> {
  const { body } = await ask(at, more);
  return { auth: `Bearer ${body.access_token}` };
}

test('client credentials return a token with the requested scopes', async () => {
  await using at = await rig();
  const { status, body } = await ask(at, { expires_in: 600 });
  assert.equal(status, 201);
  assert.deepEqual([body.token_type, body.scope, body.expires_in], ['bearer', NEEDED, 600]);
  const auth = `Bearer ${body.access_token}`;
  for (const call of ['GET users/me', 'GET webhooks', 'GET triggers']) {
    assert.equal((await at.api(call, undefined, { auth })).status, 200);
  }
  assert.equal((await at.api('GET users/me', undefined, { auth })).body.user.email, 'ada@acme.example');
});

test('broad scopes include every resource, narrow ones only their own', async () => {
  await using at = await rig();
  const reader = await bearer(at, { scope: 'read' });
  assert.equal((await at.api('GET webhooks', undefined, reader)).status, 200);
  assert.equal((await at.api('POST triggers', { trigger: {} }, reader)).status, 403);
  const narrow = await bearer(at, { scope: 'webhooks:read' });
  assert.equal((await at.api('GET webhooks', undefined, narrow)).status, 200);
  assert.equal((await at.api('GET triggers', undefined, narrow)).status, 403);
  assert.equal((await at.api('GET users/me', undefined, narrow)).status, 403);
});

test('an unknown or malformed scope returns a token without access', async () => {
  await using at = await rig();
  for (const scope of ['webhook:read', `${NEEDED} everything`, ['read', 'write'], '']) {
    assert.equal((await ask(at, { scope })).status, 201);
    assert.equal((await at.api('GET webhooks', undefined, await bearer(at, { scope }))).status, 403);
  }
});

test('a client gets no more scopes than it is registered with, as the response shows', async () => {
  await using at = await rig();
  const { body } = await ask(at, { client_id: 'reader', client_secret: 'acme-reader', scope: 'read write' });
  assert.equal(body.scope, 'read');
});

test('an expired or unknown token is invalid', async () => {
  await using at = await rig();
  const auth = await bearer(at, { expires_in: 301 });
  at.simulator.clock.advance(300_999);
  assert.equal((await at.api('GET users/me', undefined, auth)).status, 200);
  at.simulator.clock.advance(1);
  for (const gone of [auth, { auth: 'Bearer nonsense' }]) {
    const { status, body } = await at.api('GET users/me', undefined, gone);
    assert.deepEqual([status, body.error], [401, 'invalid_token']);
  }
});

test('a token lives half an hour by default, and its lifetime has bounds', async () => {
  await using at = await rig();
  assert.equal((await ask(at)).body.expires_in, 1_800);
  for (const expires_in of [300, 172_800, 'long']) {
    assert.equal((await ask(at, { expires_in })).body.error, 'invalid_request');
  }
});

test('a wrong client, a wrong secret and other grants are refused', async () => {
  await using at = await rig();
  const wrong = await ask(at, { client_secret: 'wrong' });
  assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_client']);
  assert.equal((await ask(at, { client_id: 'unknown' })).status, 401);
  const password = await ask(at, { grant_type: 'password' });
  assert.deepEqual([password.status, password.body.error], [400, 'unsupported_grant_type']);
});
