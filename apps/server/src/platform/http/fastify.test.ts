import assert from 'node:assert/strict';
import { ErrorBody } from '@steward/contract/api/errors';
import { login, resetPassword, sendPasswordReset } from '@steward/contract/session';
import { listUsers } from '@steward/contract/users';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call, send } from '#testing/app/call.ts';
import { exchange } from '#testing/app/raw-http.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false, listen: true });
  team = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const EXPECTED_HEADERS: Record<string, string | RegExp | undefined> = {
  'content-type': /^application\/json; charset=utf-8$/,
  'content-security-policy': /default-src 'none'.*frame-ancestors 'none'.*base-uri 'none'/,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-request-id': /^[a-v0-9]{26}$/,
  'strict-transport-security': undefined,
  'x-powered-by': undefined,
  server: undefined,
};

describe('the headers', () => {
  test('for security are on every response: success, errors, unknown and invalid paths', async () => {
    const cookie = team.admin.cookie;
    const answers: [number, Parameters<typeof send>[1]][] = [
      [200, { url: '/api/v4/users/me', headers: { cookie } }],
      [401, { url: '/api/v4/users/me' }],
      [403, { url: '/api/v4/users/x/teams', headers: { cookie } }],
      [404, { url: '/api/v4/nothing' }],
      [404, { url: '/' }],
      [405, { method: 'PUT', url: '/api/v4/users/login' }],
      [400, { url: '/api/v4/users/%zz' }],
      [400, { url: '/api/v4/users/%ff/teams' }],
      [415, { method: 'POST', url: '/api/v4/users/login', headers: { 'content-type': 'text/plain' }, body: 'a' }],
      [
        413,
        {
          method: 'POST',
          url: '/api/v4/users/login',
          headers: { 'content-type': 'application/json' },
          body: '1'.repeat(20_000),
        },
      ],
      [400, { method: 'POST', url: '/api/v4/users/login', headers: { 'content-type': 'application/json' }, body: '{' }],
      [403, { method: 'POST', url: '/api/v4/users/login', headers: { origin: 'https://evil.example' } }],
    ];
    for (const [status, request] of answers) {
      const reply = await send(node, request);
      assert.equal(reply.status, status, JSON.stringify(request).slice(0, 100));
      if (status !== 200) assert.equal(ErrorBody.parse(reply.body).request_id, reply.headers['x-request-id']);
      for (const [name, expected] of Object.entries(EXPECTED_HEADERS)) {
        const given = reply.headers[name];
        const fits = expected instanceof RegExp ? expected.test(String(given)) : given === expected;
        assert.ok(fits, `${status} ${name}: ${String(given)}`);
      }
    }
  });

  test('include HSTS for a year with https', async () => {
    await using https = await startApp({ beside: node, work: false, env: { PUBLIC_URL: 'https://steward.test' } });
    const reply = await send(https, { url: '/api/v4/users/me' });
    assert.match(String(reply.headers['strict-transport-security']), /max-age=31536000/);
  });
});

describe('a body', () => {
  const post = (body: string, type = 'application/json') =>
    send(node, { method: 'POST', url: '/api/v4/users/login', headers: { 'content-type': type }, body });

  test('with prototype-polluting keys is rejected at any depth', async () => {
    for (const body of [
      '{"__proto__":{"a":1},"login_id":"a","password":"b"}',
      '{"login_id":"a","password":"b","x":{"__proto__":1}}',
      '{"constructor":{"prototype":{"a":1}},"login_id":"a","password":"b"}',
    ])
      assert.equal((await post(body)).status, 400, body);
  });

  test('with 50,000 levels, garbage or a wrong charset is rejected cleanly', async () => {
    const deep = (open: string, close: string) => open.repeat(7_000) + close.repeat(7_000);
    for (const body of [
      deep('[', ']'),
      `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
      'nul',
      '"',
      '\ufeff{}',
      '{"a":1,}',
    ])
      assert.equal((await post(body)).status, 400, body.slice(0, 20));
    const { body } = await post(`{"login_id":${deep('[', ']')}}`);
    assert.match(body.message, /nested more than 64 levels deep/);
    const raw = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
    const reply = await send(node, {
      method: 'POST',
      url: '/api/v4/users/login',
      headers: { 'content-type': 'application/json' },
      body: raw,
    });
    assert.equal(reply.status, 400);
    assert.equal((await post('['.repeat(50_000) + ']'.repeat(50_000))).status, 413);
  });

  test('over 1 MiB is rejected by every endpoint with a body', async () => {
    const url = `/api/v4/admin/teams/${team.id}/users`;
    const headers = { 'content-type': 'application/json', cookie: team.admin.cookie };
    const reply = await send(node, { method: 'POST', url, headers, body: `"${'x'.repeat(5_000_000)}"` });
    assert.deepEqual([reply.status, reply.body.id], [413, 'request.too_large']);
  });

  test('is not read before the caller is authorized', async () => {
    const url = `/api/v4/admin/teams/${team.id}/users`;
    for (const [cookie, status] of [
      ['', 401],
      [team.member.cookie, 403],
    ] as const) {
      const headers = { 'content-type': 'application/json', cookie };
      assert.equal((await send(node, { method: 'POST', url, headers, body: '{broken' })).status, status);
      assert.equal((await send(node, { method: 'POST', url, headers, body: 'x'.repeat(2_000_000) })).status, status);
    }
  });

  test('with a duplicate key uses the last value', async () => {
    const body = `{"login_id":"unknown@example.test","password":"x","login_id":7}`;
    assert.match((await post(body)).body.message, /^login_id: must be a string/);
  });

  test('requires exactly the content type JSON', async () => {
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'APPLICATION/JSON',
      'application/json ;x',
    ])
      assert.equal((await post('{}', type)).status, 400, type);
    for (const type of ['application/jsonp', 'application/json-seq', 'text/json', 'application/x+json', 'a'])
      assert.equal((await post('{}', type)).status, 415, type);
  });
});

describe('a path', () => {
  test('with malformed, hidden or endless parts is rejected cleanly', async () => {
    const cookie = team.admin.cookie;
    for (const part of [
      '%',
      '%zz',
      '%00',
      '..%2f..%2fetc',
      '%c0%ae',
      'x'.repeat(5_000),
      '%ff%fe',
      encodeURIComponent("' or 1=1"),
    ])
      for (const url of [
        `/api/v4/users/${part}/teams`,
        `/api/v4/admin/teams/${part}/users`,
        `/api/v4/users/${part}/image`,
        `/${part}`,
      ]) {
        const reply = await send(node, { url, headers: { cookie } });
        assert.ok([400, 403, 404, 413].includes(reply.status), `${url.slice(0, 60)}: ${reply.status}`);
        assert.equal(ErrorBody.parse(reply.body).status_code, reply.status);
      }
  });

  test('is exact: other case or extra slashes are 404', async () => {
    for (const url of [
      '/API/v4/users/me',
      '/api/v4/users/me/',
      '//api/v4/users/me',
      '/api/v4//users/me',
      '/api/v4/Users/me',
      '/api/v4/users/me;x',
    ])
      assert.equal((await send(node, { url, headers: { cookie: team.admin.cookie } })).status, 404, url);
  });

  test('with a duplicate query key is rejected where one value is expected', async () => {
    const url = `/api/v4/admin/teams/${team.id}/users?search=a&search=b`;
    const reply = await send(node, { url, headers: { cookie: team.admin.cookie } });
    assert.deepEqual([reply.status, reply.body.id], [400, 'request.invalid']);
  });

  test('of project files, secrets or tools is 404', async () => {
    for (const url of [
      '/.git/config',
      '/.env',
      '/package.json',
      '/var/data/secret-key',
      '/api/v4/../../package.json',
      '/src/main.ts',
      '/docs',
      '/swagger',
    ])
      assert.equal((await send(node, { url })).status, 404, url);
  });
});

describe('below the framework', () => {
  test('invalid HTTP gets our error body and a closed connection', async () => {
    for (const [bytes, status] of [
      ['rubbish\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n', 400],
      ['GET /\u0000 HTTP/1.1\r\nHost: a\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: a\r\nX: a\u0000b\r\n\r\n', 400],
      ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 413],
      ['GET /%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
      ['GET /api/v4/users/%00/teams HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 401],
      ['TRACE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404],
    ] as const) {
      const answer = await exchange(node.url, bytes);
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), bytes.slice(0, 60));
      assert.match(head, /content-type: application\/json; charset=utf-8/i);
      assert.match(head, /x-content-type-options: nosniff/i);
      assert.equal(ErrorBody.parse(JSON.parse(body)).status_code, status);
    }
  });

  test("a client's address is the socket's, regardless of headers", async () => {
    const answer = await fetch(`${node.url}/api/v4/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '6.6.6.6', 'x-real-ip': '6.6.6.6' },
      body: JSON.stringify({ login_id: 'unknown@example.test', password: 'a wrong guess' }),
    });
    assert.equal(answer.status, 401);
    assert.ok(!node.log.join('').includes('6.6.6.6'));
    assert.ok(node.log.some((line) => line.includes('"address":"127.0.0.1"')));
  });
});

describe('the log', () => {
  test('has one line per request, with its id and without query, cookie or body', async () => {
    const start = node.log.length;
    const headers = { cookie: team.admin.cookie };
    const reply = await send(node, { url: `/api/v4/admin/teams/${team.id}/users?search=a-private-search`, headers });
    const lines = node.log.slice(start).filter((line) => line.includes('"msg":"request"'));
    assert.equal(lines.length, 1);
    const line = JSON.parse(lines[0] ?? '');
    assert.partialDeepStrictEqual(line, {
      request_id: reply.headers['x-request-id'],
      method: 'GET',
      path: `/api/v4/admin/teams/${team.id}/users`,
      status: 200,
    });
    assert.ok(!node.log.join('').includes('a-private-search'));
  });

  test('keeps one JSON line per entry despite hostile names, agents and paths', async () => {
    const evil = 'x\r\n{"level":30,"msg":"forged"}\u001b[31m';
    const start = node.log.length;
    await call(node, login, { body: { login_id: evil, password: evil }, headers: { 'user-agent': 'a\u001b[2J"b' } });
    await send(node, { url: `/api/v4/${encodeURIComponent(evil)}` });
    for (const line of node.log.slice(start)) {
      assert.equal(line.trimEnd().split('\n').length, 1);
      assert.notEqual(JSON.parse(line).msg, 'forged');
      assert.ok(!line.includes('\u001b'));
    }
  });

  test('contains no cookie, password or token after a typical session', async () => {
    const secret = 'a-canary-for-the-log';
    await call(node, login, { body: { login_id: team.member.email, password: secret } });
    await call(node, resetPassword, { body: { token: secret, new_password: `${secret}-new` } });
    await call(node, sendPasswordReset, { body: { email: team.member.email }, headers: { authorization: secret } });
    await call(node, listUsers, { as: team.admin, params: { teamId: team.id }, query: { search: secret } });
    await send(node, { url: `/reset_password?token=${secret}` });
    const text = node.log.join('\n');
    for (const word of [secret, team.admin.token, team.member.token]) assert.ok(!text.includes(word));
  });
});
