import assert from 'node:assert/strict';
import { test } from 'vitest';
import { basic, rig, token, until } from './rig.ts';
import { startHelpdeskSimulator } from './simulator.ts';

test('listens on loopback, and its URL template reaches any account', async () => {
  await using at = await rig();
  assert.match(at.simulator.template, /^http:\/\/127\.0\.0\.1:\d+\/\{subdomain\}$/);
  const address = `${at.simulator.template.replace('{subdomain}', 'globex')}/api/v2/users/me.json`;
  const response = await fetch(address, { headers: { authorization: token('ada@globex.example', 'globex-token') } });
  assert.equal(((await response.json()) as { user: { email: string } }).user.email, 'ada@globex.example');
});

test('an unknown subdomain has no help desk, for any call', async () => {
  await using at = await rig();
  for (const call of ['GET users/me.json', 'POST webhooks', 'POST /oauth/tokens']) {
    const { status, body } = await at.api(call, call.startsWith('POST') ? {} : undefined, { account: 'nosuch' });
    assert.equal(status, 404);
    assert.equal(body.error.title, 'No help desk at nosuch.zendesk.com');
  }
});

test('accounts can be removed and added', async () => {
  await using at = await rig();
  at.simulator.removeAccount('acme');
  assert.equal((await at.api('GET users/me')).status, 404);
  at.simulator.addAccount({ subdomain: 'acme' });
  assert.equal((await at.api('GET users/me')).body.user.role, 'admin');
});

test('accounts are independent', async () => {
  await using at = await rig();
  await at.wired();
  const other = { account: 'globex', auth: token('ada@globex.example', 'globex-token') };
  assert.deepEqual((await at.api('GET webhooks', undefined, other)).body.webhooks, []);
  assert.equal((await at.api('GET users/me', undefined, { account: 'globex' })).status, 401);
});

test('a suspended account returns HTML, one without the feature 404', async () => {
  await using at = await rig();
  const suspended = await at.api('GET users/me', undefined, { account: 'suspended' });
  assert.equal(suspended.status, 403);
  assert.match(suspended.headers.get('content-type') ?? '', /html/);
  const auth = token('ada@basic.example', 'basic-token');
  for (const path of ['webhooks', 'triggers.json']) {
    const { status, body } = await at.api(`GET ${path}`, undefined, { account: 'basic', auth });
    assert.equal(status, 404);
    assert.equal(body.error, 'InvalidEndpoint');
  }
});

test('every call is recorded with its headers and body', async () => {
  await using at = await rig();
  assert.deepEqual(at.simulator.account('acme').requests(), []);
  await at.api('POST webhooks?x=1', { webhook: {} });
  const [request] = at.simulator.account('acme').requests();
  assert.deepEqual(
    [request?.method, request?.path, request?.query, request?.body, request?.status],
    ['POST', '/api/v2/webhooks', 'x=1', '{"webhook":{}}', 400],
  );
  assert.equal(request?.headers.authorization, token('ada@acme.example'));
  assert.deepEqual(at.simulator.account('globex').requests(), []);
});

test('the same seed produces the same ids and secrets', async () => {
  const made = async () => {
    await using at = await rig();
    const { webhook, trigger } = await at.wired();
    return [webhook, trigger, at.simulator.account('acme').webhooks()[0]?.secret];
  };
  assert.deepEqual(await made(), await made());
});

test('resetting restores everything except the time', async () => {
  await using at = await rig();
  await at.wired();
  at.simulator.fault({ status: 500 });
  at.simulator.account('acme').state.settings.password_access = true;
  at.simulator.reset();
  assert.deepEqual(at.simulator.account('acme').webhooks(), []);
  assert.equal(at.simulator.account('acme').triggers().length, 1);
  assert.equal(
    (await at.api('GET users/me', undefined, { auth: basic('ada@acme.example', 'acme-password') })).body.user.id,
    null,
  );
});

test("a body that isn't JSON, or has another content type, is refused", async () => {
  await using at = await rig();
  assert.equal((await at.api('POST triggers', '{"trigger":')).status, 400);
  const response = await fetch(`${at.simulator.url}/acme/api/v2/triggers`, {
    method: 'POST',
    headers: { authorization: token('ada@acme.example'), 'content-type': 'text/plain' },
    body: '{}',
  });
  assert.equal(response.status, 415);
});

test('stops immediately, even during a call', async () => {
  const simulator = await startHelpdeskSimulator({ speed: 0 });
  simulator.fault({ delay_ms: 60_000 });
  const call = fetch(`${simulator.url}/acme/api/v2/users/me`).then(
    () => 'answered',
    () => 'dropped',
  );
  await until(() => simulator.requests.length > 0);
  await simulator[Symbol.asyncDispose]();
  assert.equal(await call, 'dropped');
});
