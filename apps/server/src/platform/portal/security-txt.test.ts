import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

/** The page as a server with these settings serves it. */
async function read(env: Record<string, string>) {
  await using other = await startApp({ beside: node, work: false, env });
  return other.app.inject({ url: '/.well-known/security.txt', headers: { host: 'evil.example', accept: 'text/html' } });
}

test('names the contact, an end within a year and its own address', async () => {
  const reply = await read({ SECURITY_CONTACT: 'security@example.test', PUBLIC_URL: 'https://steward.test' });
  assert.equal(reply.statusCode, 200);
  assert.equal(reply.headers['content-type'], 'text/plain; charset=utf-8');
  const [contact, expires = '', ...more] = reply.body.split('\n');
  assert.equal(contact, 'Contact: mailto:security@example.test');
  const end = Date.parse(/^Expires: (\d{4}-\d\d-\d\dT[\d:.]+Z)$/.exec(expires)?.[1] ?? '');
  assert.ok(end > Date.now() && end < Date.now() + 365 * 86_400_000, expires);
  assert.deepEqual(more, ['Preferred-Languages: en', 'Canonical: https://steward.test/.well-known/security.txt', '']);
});

test('can name a page, and no canonical address without https', async () => {
  const { body } = await read({ SECURITY_CONTACT: 'https://example.test/report' });
  assert.match(body, /^Contact: https:\/\/example\.test\/report\n/);
  assert.doesNotMatch(body, /Canonical|evil/);
});

test('does not exist without a contact', async () => {
  const reply = await read({});
  assert.deepEqual([reply.statusCode, reply.json().id], [404, 'request.not_found']);
});
