import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';

const directory = mkdtempSync(join(tmpdir(), 'steward-portal-'));
/** Inline script of the page. */
const INLINE = 'document.title += "!"';
let node: TestApp;

beforeAll(async () => {
  mkdirSync(join(directory, 'assets'));
  const page = `<!doctype html><head><title>__PRODUCT_NAME__</title><meta name="sign-up" content="__SIGN_UP__"><script>${INLINE}</script><style nonce="__CSP_NONCE__"></style></head>`;
  const screens = [
    { path: '^/login$', needsSession: false, scripts: ['assets/login-1.js'] },
    { path: '^/users/users/[^/]+$', needsSession: true, scripts: ['assets/panel-1.js'] },
    { path: '^/users/users$', needsSession: true, scripts: ['assets/users-1.js', 'assets/lists-1.js'] },
    ...['^/$', '^/dashboard/team_settings/[^/]+_retention$', '^/signup_confirm$', '^/reset_password$'].map((path) => ({
      path,
      needsSession: false,
      scripts: [],
    })),
  ];
  const files = {
    'index.html': page,
    'assets/a-1234.js': 'let a = 1',
    'assets/a-1234.js.map': '{}',
    'favicon.svg': '<svg/>',
    '.hidden': 'x',
    '.route-files.json': JSON.stringify(screens),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  node = await startApp({
    work: false,
    portalDirectory: directory,
    env: { PRODUCT_NAME: 'Acme $& Desk'.replace('&', '') },
  });
});

afterAll(async () => {
  await node[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

const get = (url: string, accept = 'text/html') => send(node, { url, headers: { accept } });

test('every path of the portal returns the page, with a CSP that has a new nonce each time', async () => {
  const nonces = new Set<string>();
  for (const path of [
    '/',
    '/login',
    '/users/users',
    '/dashboard/team_settings/file_retention',
    '/signup_confirm?token=x',
    '/reset_password?token=y',
  ]) {
    const reply = await get(path);
    assert.equal(reply.status, 200, path);
    assert.ok(reply.text.includes('<title>Acme $ Desk</title>'), reply.text);
    const policy = String(reply.headers['content-security-policy']);
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    assert.ok(reply.text.includes(`nonce="${nonce}"`));
    assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|\*/);
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
      assert.ok(policy.includes(part), part);
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.equal(reply.headers['x-content-type-options'], 'nosniff');
    assert.equal(reply.headers['referrer-policy'], 'no-referrer');
    nonces.add(nonce);
  }
  assert.equal(nonces.size, 6);
});

test('only the inline script of the page is allowed, by its hash', async () => {
  const policy = String((await get('/login')).headers['content-security-policy']);
  const hash = createHash('sha256').update(INLINE).digest('base64');
  assert.ok(policy.includes(`; script-src 'self' 'sha256-${hash}'; `), policy);
});

test('the path of a screen that is still to come shows the page', async () => {
  assert.equal((await get('/sms/manage_sms')).status, 200);
});

test('an unknown path is 404, with the page for browsers and JSON for programs', async () => {
  const user = await get('/no/such/screen');
  assert.equal(user.status, 404);
  assert.match(user.text, /<!doctype html>/);
  const program = await get('/no/such/screen', '*/*');
  assert.deepEqual([program.status, program.body.id], [404, 'request.not_found']);
});

test('an unknown API path is JSON, never the page', async () => {
  for (const url of ['/api/v4/nothing', '/api', '/api/v5/users']) {
    const reply = await get(url);
    assert.deepEqual([reply.status, reply.body?.id], [404, 'request.not_found'], url);
  }
});

test('hidden files, source maps and files outside the portal are 404', async () => {
  for (const url of [
    '/.hidden',
    '/.git/config',
    '/.env',
    '/assets/a-1234.js.map',
    '/assets/.x',
    '/index.html.br',
    '/../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/%2e%2e/package.json',
    '/assets/%00',
  ]) {
    const { status, text } = await get(url);
    assert.ok(status === 404 || status === 400, `${url}: ${status}`);
    assert.doesNotMatch(text, /"version"/);
  }
});

test('hashed assets are cached for a year, other files are revalidated', async () => {
  const asset = await get('/assets/a-1234.js');
  assert.deepEqual([asset.status, asset.headers['cache-control']], [200, 'public, max-age=31536000, immutable']);
  assert.equal((await get('/favicon.svg')).headers['cache-control'], 'no-cache');
});

test('the page says who may sign up, without the domains', async () => {
  const at = (mode: string) => `<meta name="sign-up" content="${mode}">`;
  assert.ok((await get('/login')).text.includes(at('open')));
  await using closed = await startApp({
    work: false,
    portalDirectory: directory,
    env: { SIGNUP: 'domains: a.example' },
  });
  const { text } = await send(closed, { url: '/login', headers: { accept: 'text/html' } });
  assert.ok(text.includes(at('domains')) && !text.includes('a.example'));
});

test('the page never contains a part of the URL', async () => {
  const { text } = await get('/login?next=<script>alert(1)</script>&__CSP_NONCE__#<b>');
  assert.doesNotMatch(text, /alert/);
});

test('a page names the files of its screen, or of the sign-in form for visitors without a cookie', async () => {
  const linked = async (url: string, cookie?: string) => {
    const { text } = await send(node, { url, headers: { accept: 'text/html', ...(cookie ? { cookie } : {}) } });
    return [...text.matchAll(/<link rel="(\w+)" crossorigin href="([^"]+)">/g)].map(
      ([, rel, href]) => `${rel} ${href}`,
    );
  };
  const login = ['modulepreload /assets/login-1.js'];
  const users = ['modulepreload /assets/users-1.js', 'modulepreload /assets/lists-1.js'];
  assert.deepEqual(await linked('/login'), login);
  assert.deepEqual(await linked('/users/users'), login);
  assert.deepEqual(await linked('/users/users?search=x', 'a=b'), users);
  assert.deepEqual(await linked('/users/users/06h0', 'a=b'), ['modulepreload /assets/panel-1.js']);
  assert.deepEqual(await linked('/dashboard/unknown', 'a=b'), []);
});

test('a page says that its screen needs a session', async () => {
  const isTold = async (url: string) => (await get(url)).text.includes('<meta name="needs-session"');
  assert.equal(await isTold('/users/users'), true);
  for (const url of ['/login', '/dashboard/unknown']) assert.equal(await isTold(url), false, url);
});

test('the list of those files is not served', async () => {
  assert.equal((await get('/.route-files.json')).status, 404);
});

test('a script may load only scripts of the portal, as a worker does', async () => {
  const { headers } = await get('/assets/a-1234.js');
  assert.equal(headers['content-security-policy'], "default-src 'none'; script-src 'self'");
});
