// nginx runs with deploy/nginx.conf in front of the server, with other ports and its own certificate.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { describeUnless } from '@steward/server/testing/system/unless.ts';
import { findGeneralChannel, serviceToken } from '@steward/server/testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '@steward/server/testing/workspace/factories.ts';
import { delivery, helpdesk } from '@steward/server/testing/workspace/integrations.ts';
import { afterAll, beforeAll, test } from 'vitest';
import { freePort } from '../run/free-port.ts';

const PROGRAM = '/usr/sbin/nginx';
const absent = [PROGRAM, 'openssl'].find((program) => spawnSync(program, ['-v']).error !== undefined);
const MiB = 1024 ** 2;

interface Proxy {
  stop(): Promise<void>;
}

/** The servers run inside a minimal http block, in a separate folder. */
async function startNginx(servers: string): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-nginx-run-'));
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(folder, name));
    return `${name}_temp_path ${join(folder, name)};`;
  });
  const frame = [`pid ${folder}/nginx.pid;`, 'daemon off;', 'error_log stderr notice;', 'events {}'];
  writeFileSync(
    join(folder, 'nginx.conf'),
    [...frame, 'http {', 'access_log off;', ...places, servers, '}'].join('\n'),
  );
  const nginx = spawn(PROGRAM, ['-c', join(folder, 'nginx.conf'), '-p', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await started(nginx);
  return {
    async stop() {
      const gone = once(nginx, 'exit');
      nginx.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves when nginx listens, according to its log; rejects with the log if it exits. */
async function started(child: ChildProcess): Promise<void> {
  let said = '';
  const up = new Promise<void>((resolve) =>
    child.stderr?.setEncoding('utf8').on('data', (line: string) => {
      said += line;
      if (said.includes('start worker process ')) resolve();
    }),
  );
  await Promise.race([up, once(child, 'exit').then(() => Promise.reject(new Error(said)))]);
}

describeUnless(absent !== undefined && `${absent} is not installed`, 'behind nginx as in deploy/nginx.conf', () => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-nginx-'));
  let node: TestApp;
  let team: TestTeam;
  let nginx: Proxy | undefined;
  let port: number;
  let plainPort: number;

  beforeAll(async () => {
    port = await freePort();
    plainPort = await freePort();
    const env = { PUBLIC_URL: `https://127.0.0.1:${port}`, TRUST_PROXY: '1' };
    node = await startApp({ listen: true, pool: 4, env });
    team = await createTeamWithMembers(node);
    certificate();
    nginx = await startNginx(configuration());
  });

  afterAll(async () => {
    await nginx?.stop();
    await node?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  function certificate(): void {
    const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'fullchain.pem')];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names, ...files], {
      stdio: 'ignore',
    });
  }

  /** Only ports, name and certificate differ from the file. */
  function configuration(): string {
    return readFileSync(join(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8')
      .replace('127.0.0.1:8065', new URL(node.url).host)
      .replace('listen 443 ', `listen 127.0.0.1:${port} `)
      .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
      .replaceAll('steward.example', '127.0.0.1')
      .replaceAll('/etc/ssl/steward/', `${folder}/`);
  }

  async function ask(path: string, { body, ...options }: RequestOptions & { body?: string | Buffer } = {}) {
    const ca = readFileSync(join(folder, 'fullchain.pem'));
    const outgoing = request(`https://127.0.0.1:${port}${path}`, { ca, agent: false, ...options });
    outgoing.end(body);
    const [reply] = await once(outgoing, 'response');
    return { status: reply.statusCode as number, headers: reply.headers, body: await text(reply) };
  }

  const json = (value: unknown) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' } as Record<string, string>,
    body: JSON.stringify(value),
  });

  test('users sign in with cookies for https only, and their own address is recorded', async () => {
    const { email, password } = team.admin;
    const sent = json({ login_id: email, password });
    sent.headers['x-forwarded-for'] = '203.0.113.9';
    const reply = await ask('/api/v4/users/login', sent);
    assert.equal(reply.status, 200, reply.body);
    const cookies = (reply.headers['set-cookie'] as string[]).join('\n');
    assert.match(cookies, /^__Host-[^\n]*; Secure/m);
    const { address } = await node.db
      .selectFrom('audit_events')
      .select('address')
      .where('action', '=', 'session.signed_in')
      .executeTakeFirstOrThrow();
    assert.equal(address, '127.0.0.1', 'X-Forwarded-For of the client is ignored');
  });

  test('lists and content pass, including a line over the default size limit of proxies', async () => {
    const general = await findGeneralChannel(node, team.id);
    const { headers } = await serviceToken(node, team.id);
    const line = {
      kind: 'file',
      external_id: 'large',
      created_at: 1,
      channel_id: general.id,
      name: 'large.bin',
      data: randomBytes(6 * MiB).toString('base64'),
    };
    const sent = await ask(`/api/v4/teams/${team.id}/content`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
      body: `${JSON.stringify(line)}\n`,
    });
    assert.equal(sent.status, 200, sent.body);
    assert.deepEqual(JSON.parse(sent.body), { accepted: 1, unchanged: 0, held: 0, failed: 0, errors: [] });
    const login = await ask('/api/v4/users/login', json({ login_id: team.owner.email, password: team.owner.password }));
    const cookie = (login.headers['set-cookie'] as string[]).map((set) => set.split(';')[0]).join('; ');
    const list = await ask(`/api/v4/admin/teams/${team.id}/users?limit=2000`, { headers: { cookie } });
    assert.deepEqual([list.status, JSON.parse(list.body).records.length > 3], [200, true], list.body.slice(0, 200));
  });

  test('a delivery of the help desk arrives unchanged, so that its signature is valid', async () => {
    const desk = await helpdesk(node, team.id, { channels: [await findGeneralChannel(node, team.id)] });
    const { headers, body } = delivery(desk);
    const reply = await ask(desk.path, {
      method: 'POST',
      headers,
      body,
    });
    assert.equal(reply.status, 200, reply.body);
  });

  test('metrics and email are not public, and http redirects to https', async () => {
    for (const path of ['/metrics', '/dev/mail']) assert.equal((await ask(path)).status, 404, path);
    const plain = await fetch(`http://127.0.0.1:${plainPort}/login?a=b`, { redirect: 'manual' });
    assert.deepEqual([plain.status, plain.headers.get('location')], [301, 'https://127.0.0.1/login?a=b']);
  });
});

describeUnless(absent !== undefined && `${absent} is not installed`, 'behind nginx with proxy_pass alone', () => {
  const INTERNAL = ['/metrics', '/dev/mail', '/dev/mail.json', '/api/v4/docs', '/api/v4/openapi.json'];

  /** The status of each internal page through a proxy that hides itself: it sends no header and rewrites the host. */
  async function statuses(env: Record<string, string>): Promise<number[]> {
    await using node = await startApp({ listen: true, work: false, pool: 4, env });
    const port = await freePort();
    const proxy = await startNginx(`server { listen 127.0.0.1:${port}; location / { proxy_pass ${node.url}; } }`);
    try {
      const replies = INTERNAL.map((path) => fetch(`http://127.0.0.1:${port}${path}`));
      return (await Promise.all(replies)).map(({ status }) => status);
    } finally {
      await proxy.stop();
    }
  }

  test('a server with a public address shows no metrics, no email, and the reference to signed-in users', async () => {
    assert.deepEqual(await statuses({ PUBLIC_URL: 'https://steward.example' }), [404, 404, 404, 401, 401]);
  });

  test('a server whose PUBLIC_URL was left at its default shows no email', async () => {
    const [, ...replies] = await statuses({ PUBLIC_URL: 'http://localhost' });
    assert.deepEqual(replies.slice(0, 2), [404, 404]);
  });
});
