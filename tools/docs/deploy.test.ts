// The files in deploy/ must name existing paths and set variables that are read. No other test starts them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseServerEnv, VARIABLES } from '@steward/server/src/platform/env.ts';
import { testUnless } from '@steward/server/testing/system/unless.ts';
import { describe, test } from 'vitest';
import { parse } from 'yaml';
import { BUILT_SERVER } from '../build/build-server.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, 'deploy', file), 'utf8');
const STOP_SECONDS = 15;

/** Variables that are commented out are skipped. */
function parseVariables(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
}

const unknown = (names: readonly string[]) => names.filter((name) => !VARIABLES.includes(name));

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile');
  const manifests = dockerfile.split(/^FROM /m)[1] ?? '';
  /** Lists the sources of the COPY instructions that copy from the repository. */
  const copied = (text: string) =>
    [...text.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));

  test('copies files of the repository', () => {
    assert.ok(copied(dockerfile).length > 10);
    assert.deepEqual(
      copied(dockerfile).filter((path) => !existsSync(join(root, path))),
      [],
    );
  });

  test('copies the manifest of every workspace, without which npm rejects the lock file', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: object };
    const workspaces = Object.keys(lock.packages).filter((path) => path !== '' && !path.includes('node_modules'));
    assert.deepEqual(
      workspaces.filter((path) => !copied(manifests).includes(`${path}/package.json`)),
      [],
    );
  });

  test('runs the pinned Node.js as an unprivileged user, with a health check, and sets known variables', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    assert.match(dockerfile, new RegExp(`^ARG NODE=${devDependencies.node}$`, 'm'));
    assert.match(dockerfile, /^USER node$[\s\S]*^HEALTHCHECK [\s\S]*\/healthz/m);
    const file = /^CMD \["node", "--[\w-]+=\d+", "(.*)"\]$/m.exec(dockerfile)?.[1] ?? assert.fail();
    assert.equal(join(root, file), BUILT_SERVER);
    const variables = [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs = '']) => pairs.split(' '));
    assert.ok(variables.length > 2);
    assert.deepEqual(unknown(variables.map((pair) => pair.split('=', 1)[0] ?? '')), []);
  });
});

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true });
  const servers = ['web', 'worker'].map((name) => services[name]);

  test('sets variables that are read, and waits longer than a stop takes', () => {
    for (const server of servers) {
      assert.deepEqual(unknown(Object.keys(server.environment)), []);
      assert.ok(Number.parseInt(server.stop_grace_period, 10) > STOP_SECONDS);
      assert.ok(existsSync(join(root, 'deploy', server.build.context, server.build.dockerfile)));
      assert.ok(existsSync(join(root, 'deploy', `${server.env_file}.example`)));
    }
    assert.deepEqual(servers.map(({ environment }) => environment.ROLES).sort(), ['web', 'worker']);
  });

  test('mounts the volumes that it declares, the servers’ at the data directory of the image', () => {
    const mounts = Object.values(services).flatMap((service) => (service as { volumes?: string[] }).volumes ?? []);
    assert.deepEqual([...new Set(mounts.map((mount) => mount.split(':')[0]))].sort(), Object.keys(volumes).sort());
    const place = /DATA_DIR=(\S+)/.exec(read('Dockerfile'))?.[1];
    for (const server of servers) assert.deepEqual(server.volumes, [`files:${place}`]);
  });

  test('has the database of the servers’ URL', () => {
    const { DATABASE_URL = '', SMTP_URL = '', ...server } = parseVariables(read('steward.env.example'));
    const url = new URL(DATABASE_URL);
    const database = parseVariables(read('postgres.env.example'));
    assert.deepEqual(
      [url.username, url.password, url.pathname.slice(1)],
      [database.POSTGRES_USER, database.POSTGRES_PASSWORD, database.POSTGRES_DB],
    );
    for (const host of [url.hostname, new URL(SMTP_URL).hostname]) assert.ok(services[host], host);
    assert.deepEqual(unknown(Object.keys(server)), []);
    const SECRET_KEY = randomBytes(32).toString('hex');
    const { insecure, signUp } = parseServerEnv({ ...server, DATABASE_URL, SMTP_URL, SECRET_KEY }, '/nowhere');
    assert.deepEqual([insecure, signUp.mode], [[], 'off']);
  });
});

describe('steward.service', () => {
  const unit = read('steward.service');
  const line = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? assert.fail(name);

  test('starts files that exist, sets variables that are read, and waits longer than a stop takes', () => {
    const home = line('WorkingDirectory');
    const [program = '', file = ''] = line('ExecStart')
      .split(' ')
      .filter((word) => !word.startsWith('--'));
    assert.ok(existsSync(program.replace(home, root)), program);
    assert.equal(join(root, file), BUILT_SERVER);
    const set = line('Environment').split(' ');
    assert.deepEqual(unknown(set.map((pair) => pair.split('=', 1)[0] ?? '')), []);
    assert.ok(set.includes(`DATA_DIR=/var/lib/${line('StateDirectory')}`));
    assert.ok(Number(line('TimeoutStopSec')) > STOP_SECONDS);
  });

  const absent = spawnSync('systemd-analyze', ['--version']).error !== undefined;
  testUnless(absent && 'systemd-analyze is not installed', 'is accepted by systemd', () => {
    const folder = mkdtempSync(join(tmpdir(), 'steward-unit-'));
    try {
      const file = join(folder, 'steward.service');
      writeFileSync(file, unit.replaceAll('/opt/steward', root));
      const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
      assert.deepEqual([status, stdout + stderr], [0, '']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
