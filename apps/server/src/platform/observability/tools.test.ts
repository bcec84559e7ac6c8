import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { getDevMailPath } from '#platform/mail/dev-mail.ts';
import { send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { signedIn } from '#testing/workspace/factories.ts';

let node: TestApp;
let keyed: string;

beforeAll(async () => {
  node = await startApp({ work: false, env: { PUBLIC_URL: 'http://localhost:8065' } });
  keyed = getDevMailPath(node.deps.secrets);
});

afterAll(() => node[Symbol.asyncDispose]());

/** An internal page, with the key where it needs one. */
const withKey = (url: string) => (url.startsWith('/dev/') ? `${url}${keyed.slice(keyed.indexOf('?'))}` : url);

/** Requests that don't come directly from this machine, although some look like it. */
const FROM_ELSEWHERE: { remoteAddress?: string; headers: Record<string, string> }[] = [
  { remoteAddress: '203.0.113.1', headers: { host: 'localhost' } },
  { headers: { host: 'steward.test' } },
  { headers: { host: 'localhost.evil.example' } },
  { headers: { host: 'localhost', 'x-forwarded-for': '203.0.113.1' } },
  { headers: { host: 'localhost', forwarded: 'for=203.0.113.1' } },
  { headers: { host: 'localhost', via: '1.1 proxy' } },
  { headers: { host: 'localhost', 'x-real-ip': '127.0.0.1' } },
  { headers: { host: 'localhost', 'x-forwarded-proto': 'https' } },
];
const HERE = { headers: { host: 'localhost:8065' } };

describe('internal pages', () => {
  const PAGES = ['/metrics', '/dev/mail', '/dev/mail.json', '/dev/mail.css'];

  for (const url of PAGES)
    test(`${url} is served to this machine and is 404 elsewhere`, async () => {
      const path = withKey(url);
      assert.ok((await send(node, { url: path, ...HERE })).status < 400);
      for (const from of FROM_ELSEWHERE) {
        const reply = await send(node, { url: path, ...from });
        assert.deepEqual([reply.status, reply.body?.id], [404, 'request.not_found'], JSON.stringify(from));
      }
    });

  test('each is 404 on a server with a public address, also through a proxy that hides itself', async () => {
    // Such a proxy sends its own loopback connection, the Host of the server behind it, and no header of its own.
    for (const env of [{ PUBLIC_URL: 'https://steward.example' }, { PUBLIC_URL: 'http://192.0.2.1:8065' }]) {
      await using open = await startApp({ beside: node, work: false, env });
      for (const url of PAGES) {
        const reply = await send(open, { url: withKey(url), ...HERE });
        assert.deepEqual([reply.status, reply.body?.id], [404, 'request.not_found'], url);
      }
    }
  });

  test('the dev mailbox needs the key that the start prints, which becomes a cookie', async () => {
    for (const url of [
      '/dev/mail',
      '/dev/mail.json',
      '/dev/mail.css',
      '/dev/mail?key=',
      '/dev/mail?key=x',
      '/dev/mail?key=a&key=b',
    ])
      assert.equal((await send(node, { url, ...HERE })).status, 404, url);
    const opened = await send(node, { url: keyed, ...HERE });
    assert.deepEqual([opened.status, opened.headers.location], [303, '/dev/mail']);
    const cookie = String(opened.headers['set-cookie']);
    assert.match(cookie, /^steward_dev_mail=[\w-]+; Path=\/dev\/; HttpOnly; SameSite=Strict$/);
    const headers = { ...HERE.headers, cookie: cookie.split(';')[0] ?? '' };
    for (const url of ['/dev/mail', '/dev/mail.json', '/dev/mail.css'])
      assert.equal((await send(node, { url, headers })).status, 200, url);
    const other = { ...headers, cookie: 'steward_dev_mail=x' };
    assert.equal((await send(node, { url: '/dev/mail', headers: other })).status, 404);
  });

  test('with METRICS_TOKEN, metrics require the token, and are served everywhere', async () => {
    const token = 'a-token-for-metrics';
    await using tokened = await startApp({ beside: node, work: false, env: { METRICS_TOKEN: token } });
    const [from] = FROM_ELSEWHERE;
    const request = { url: '/metrics', ...from, headers: { authorization: `Bearer ${token}` } };
    const { text } = await send(tokened, request);
    assert.match(text, /http_request_duration_seconds/);
    assert.match(text, /^mails\{state="failed"\} 0$/m);
    assert.match(text, /^jobs\{state="failed"\} 0$/m);
    assert.equal((await send(tokened, { url: '/metrics', ...HERE })).status, 404);
    for (const wrong of ['', 'Bearer ', `Bearer ${token}x`])
      assert.equal((await send(tokened, { url: '/metrics', headers: { authorization: wrong } })).status, 404);
  });

  test('the dev mailbox does not exist with SMTP_URL or DATABASE_URL', async () => {
    for (const env of [
      { PUBLIC_URL: 'http://localhost:8065', SMTP_URL: 'smtp://127.0.0.1:1' },
      {
        PUBLIC_URL: 'http://localhost:8065',
        DATABASE_URL: 'postgres://127.0.0.1/x',
        SECRET_KEY: '5e'.repeat(32),
      },
    ]) {
      await using other = await startApp({ beside: node, work: false, env });
      assert.equal((await send(other, { url: keyed, ...HERE })).status, 404);
    }
  });

  test('the dev mailbox shows emails as text and links, and escapes their content', async () => {
    const evil = '<script>alert(1)</script>';
    await node.inbox.mailbox.keep({
      to: `a@example.test${evil}`,
      from: 'b@example.test',
      subject: evil,
      text: `${evil}\nhttp://steward.test/reset_password?token=abc"onclick=x`,
      html: evil,
      messageId: '<1@x>',
      date: new Date().toISOString(),
    });
    const headers = { ...HERE.headers, cookie: `steward_dev_mail=${keyed.split('=')[1]}` };
    const reply = await send(node, { url: '/dev/mail', headers });
    assert.doesNotMatch(reply.text, /<script/);
    assert.match(reply.text, /<a href="http:\/\/steward\.test\/reset_password\?token=abc&#34;onclick=x">/);
    assert.match(String(reply.headers['content-security-policy']), /default-src 'none'; style-src 'self'/);
  });
});

describe('the API reference', () => {
  test('is served to this machine, and elsewhere to signed-in users', async () => {
    const { cookie } = await signedIn(node);
    await using open = await startApp({ beside: node, work: false, env: { PUBLIC_URL: 'https://steward.example' } });
    for (const url of ['/api/v4/openapi.json', '/api/v4/docs', '/api/v4/docs/style.css']) {
      assert.equal((await send(node, { url, ...HERE })).status, 200);
      for (const from of FROM_ELSEWHERE) {
        assert.equal((await send(node, { url, ...from })).status, 401);
        assert.equal((await send(node, { url, ...from, headers: { ...from.headers, cookie } })).status, 200);
      }
      assert.equal((await send(open, { url, ...HERE })).status, 401);
    }
  });

  test('lists every endpoint of the contract with parameters, body and answer', async () => {
    const { endpoints } = await import('@steward/contract/api/endpoints');
    const { body } = await send(node, { url: '/api/v4/openapi.json', ...HERE });
    const page = (await send(node, { url: '/api/v4/docs', ...HERE })).text;
    for (const { name, method, path } of endpoints) {
      const operation = body.paths[`/api/v4${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()];
      assert.equal(operation?.operationId, name);
      assert.ok(page.includes(`id="${name}"`), name);
    }
    assert.equal(body.openapi, '3.1.0');
    assert.doesNotMatch(page, /id="part-more"/, 'every call belongs to a part of the page');
  });

  test('finds endpoints by words, and escapes the search text', async () => {
    const page = async (q: string) =>
      (await send(node, { url: `/api/v4/docs?q=${encodeURIComponent(q)}`, ...HERE })).text;
    const found = await page('TOKEN create');
    assert.ok(found.includes('id="addToken"') && !found.includes('id="removeToken"') && !found.includes('id="getMe"'));
    const evil = await page('"><script>alert(1)</script>');
    assert.match(evil, /No matching endpoints/);
    assert.doesNotMatch(evil, /<script|value="">/);
  });
});

describe('health', () => {
  test('tells only that the process is alive and whether it can serve', async () => {
    assert.deepEqual((await send(node, { url: '/healthz' })).body, { status: 'ok' });
    assert.deepEqual((await send(node, { url: '/readyz' })).body, { status: 'ready' });
  });
});
