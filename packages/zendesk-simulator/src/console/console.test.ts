import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { type Rig, rig } from '../rig.ts';
import { hasValidSignature } from '../webhooks/receiver.ts';

async function ask(at: Rig, call: string, body: object = {}) {
  const [method = '', path = ''] = call.split(' ');
  const response = await fetch(`${at.simulator.url}/console/${path}`, {
    method,
    ...(method !== 'GET' && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

test('tickets can be created and changed, and requests and responses are shown', async () => {
  await using at = await rig(() => ({ status: 200, body: 'ok' }));
  await at.wired();
  const made = await ask(at, 'POST accounts/acme/tickets', { title: 'Paper', tags: ['printer'], comment: 'Help' });
  assert.deepEqual([made.status, made.body.ticket.id, made.body.deliveries.length], [200, 1, 1]);
  const change = { status: 'pending', assignee: 'ada@acme.example', comment: 'A note', is_public: false };
  const changed = (await ask(at, 'PATCH accounts/acme/tickets/1', change)).body.ticket;
  assert.deepEqual(
    [changed.status, changed.assignee.name, changed.comments[1].is_public],
    ['pending', 'Ada Admin', false],
  );
  await at.simulator.settled();
  const { body } = await ask(at, 'GET accounts/acme/deliveries');
  assert.deepEqual([body[0].payload, body[0].answer, body[0].status_code], ['{"text":"Paper"}', 'ok', 200]);
});

test('settings, people, tokens, webhooks and triggers can be changed, and a mistake is refused with a message', async () => {
  await using at = await rig();
  const { webhook, trigger } = await at.wired();
  const { people } = at.simulator.account('acme').state;
  const saved = async (path: string, body: object) =>
    assert.equal((await ask(at, `PATCH accounts/acme/${path}`, body)).status, 204);
  await saved('settings', { password_access: true });
  await saved('delivery', { copies: 2 });
  await saved(`people/${people[0]?.id}`, { role: 'agent' });
  await saved('tokens/acme-token-off', { state: 'active' });
  await saved(`webhooks/${webhook}`, { status: 'inactive' });
  await saved(`triggers/${trigger}`, { active: false });
  const { body } = await ask(at, 'GET accounts/acme');
  assert.deepEqual(
    [body.settings.password_access, body.delivery.copies, body.people[0].role, body.tokens[2].state],
    [true, 2, 'agent', 'active'],
  );
  assert.deepEqual([body.webhooks[0].status, body.triggers[1].active], ['inactive', false]);
  const slip = await ask(at, 'PATCH accounts/acme/settings', { pasword_access: true });
  assert.deepEqual([slip.status, slip.body.message], [400, 'pasword_access is not known here.']);
  assert.equal((await ask(at, 'PATCH accounts/acme/settings', { password_access: 'yes' })).status, 400);
  assert.equal((await ask(at, 'PATCH accounts/nosuch/settings', {})).body.message, 'There is no account nosuch.');
  assert.equal((await ask(at, 'GET nosuch')).status, 404);
});

test('webhooks and triggers can be deleted, secrets reset, bodies sent manually and replayed', async () => {
  await using at = await rig();
  const { webhook, trigger } = await at.wired();
  const { secret } = (await ask(at, `POST accounts/acme/webhooks/${webhook}/secret`)).body;
  const [sent] = (await ask(at, `POST accounts/acme/webhooks/${webhook}/send`, { payload: '[]' })).body;
  await at.simulator.settled();
  assert.ok(hasValidSignature(secret, at.receiver.got[0]!));
  assert.equal((await ask(at, `POST accounts/acme/deliveries/${sent.id}/replay`)).body.cause, 'replay');
  assert.equal((await ask(at, `DELETE accounts/acme/triggers/${trigger}`)).status, 204);
  assert.equal((await ask(at, `DELETE accounts/acme/webhooks/${webhook}`)).status, 204);
  assert.equal((await at.api(`GET webhooks/${webhook}`)).status, 404);
});

test('held deliveries can be released', async () => {
  await using at = await rig();
  await at.wired();
  await ask(at, 'PATCH accounts/acme/delivery', { hold: true });
  for (const title of ['one', 'two']) await ask(at, 'POST accounts/acme/tickets', { title });
  assert.equal((await ask(at, 'GET accounts/acme')).body.held, 2);
  await ask(at, 'POST accounts/acme/release', { order: 'reversed' });
  assert.deepEqual(at.receiver.bodies(), ['{"text":"two"}', '{"text":"one"}']);
});

test('faults can be added and removed, calls listed, the clock advanced, and everything reset', async () => {
  await using at = await rig();
  await ask(at, 'POST faults', { status: 503, account: 'acme', times: 2 });
  assert.equal((await at.api('GET webhooks')).status, 503);
  assert.equal((await ask(at, 'GET faults')).body[0].times, 1);
  await ask(at, 'DELETE faults');
  assert.equal((await at.api('GET webhooks')).status, 200);
  assert.deepEqual(
    (await ask(at, 'GET requests')).body.map(({ status }: { status: number }) => status),
    [503, 200],
  );
  const before = at.simulator.clock.now();
  await ask(at, 'POST clock', { advance_ms: 60_000 });
  assert.equal(at.simulator.clock.now() - before, 60_000);
  assert.equal((await ask(at, 'POST clock', { advance_ms: -1 })).status, 400);
  await ask(at, 'POST accounts', { subdomain: 'initech' });
  await ask(at, 'DELETE accounts/globex');
  assert.ok(
    (await ask(at, 'GET accounts')).body.some(({ subdomain }: { subdomain: string }) => subdomain === 'initech'),
  );
  await ask(at, 'POST reset');
  assert.equal((await ask(at, 'GET accounts/initech')).status, 400);
  assert.equal((await ask(at, 'GET accounts/globex')).status, 200);
});

test('the page is served, and the console refuses other host names and plain forms', async () => {
  await using at = await rig();
  const page = await fetch(at.simulator.url);
  assert.match(await page.text(), /<title>Help-desk simulator<\/title>/);
  const form = await fetch(`${at.simulator.url}/console/reset`, { method: 'POST', body: 'a=b' });
  assert.equal(form.status, 415);
  const { port } = new URL(at.simulator.url);
  const rebound = await new Promise<number>((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path: '/console/accounts', headers: { host: 'evil.example' } });
    call.on('response', (response) => resolve(response.resume().statusCode ?? 0));
    call.on('error', reject).end();
  });
  assert.equal(rebound, 403);
});
