import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { programFile } from '#testing/app/programs.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { runProgram } from '#testing/system/run-program.ts';
import { sendSetUp } from '#testing/workspace/signup.ts';

const MAIN = programFile('server');
const NOWHERE = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
const ZEROS = '0'.repeat(64);

const toOptions = (env: Record<string, string>) => ({
  env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: '0', ...env },
});

/** The errors of a start that is refused. */
async function refused(env: Record<string, string>): Promise<string> {
  const { code, out, err } = await runProgram(process.execPath, [MAIN], toOptions(env));
  assert.deepEqual([code, out], [1, '']);
  return err;
}

/** Returns the output of a server until it listens; fails if it does not stop well. */
async function started(env: Record<string, string>, signal: NodeJS.Signals = 'SIGTERM'): Promise<string> {
  const server = spawn(process.execPath, [MAIN], { ...toOptions(env), stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(server, 'close');
  let said = '';
  let errors = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said.includes('Steward is at ')) server.kill(signal);
  });
  const [code] = await closed;
  assert.equal(code, 0, errors);
  return said;
}

test('a start with a database of its own names all that is unsafe in one message', async () => {
  assert.equal(
    await refused({ ...NOWHERE, SECRET_KEY: ZEROS, PUBLIC_URL: 'http://steward.test', DEMO: '1' }),
    [
      'Invalid configuration:',
      '  PUBLIC_URL: must be the https address of the portal',
      '  SMTP_URL: or SMTP_HOST is required: without a mail server, no email leaves this one',
      '  SECRET_KEY: can be guessed: use 32 random bytes',
      '  DEMO: must not be 1 with DATABASE_URL: production has no demo workspace',
      'To start without these safeguards, for a test on a machine that no one else can reach, set ALLOW_INSECURE=1.',
      '',
    ].join('\n'),
  );
  assert.match(await refused({ NODE_ENV: 'production' }), /^ {2}PUBLIC_URL: .*\n {2}SMTP_URL: /m);
});

describe('a server on an empty database', () => {
  let node: TestApp;
  let env: Record<string, string>;

  beforeAll(async () => {
    node = await startApp({ work: false });
    const { FILES_URL = '' } = node.deps.env;
    env = { DATABASE_URL: node.database.url, FILES_URL, SECRET_KEY: ZEROS, ALLOW_INSECURE: '1', DRAIN_SECONDS: '0' };
  });

  afterAll(() => node[Symbol.asyncDispose]());

  const SET_UP = /^Set up: https:\/\/steward\.test\/setup\?token=([\w-]{43})$/gm;

  test('says what ALLOW_INSECURE allows at every start, creates no demo, is open on loopback, and stops well when its terminal is closed', async () => {
    const listTeams = () => node.db.selectFrom('teams').select('id').execute();
    const before = await listTeams();
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
      const said = await started(env, signal);
      assert.match(said, new RegExp(`"signal":"${signal}".*"msg":"stopping"`));
      const line = said.split('\n').find((text) => text.includes('ALLOW_INSECURE=1'));
      const { level, msg, allows } = JSON.parse(line ?? '{}') as { level: number; msg: string; allows: string[] };
      assert.equal(level, 40);
      assert.match(msg, /without encryption.*never sent.*SECRET_KEY/);
      assert.equal(allows.length, 3);
      assert.doesNotMatch(said, /demo|password {2}|Set up/i);
    }
    assert.deepEqual(await listTeams(), before);
  });

  test('prints one set-up link at each start, until there is a team; processes for background work print none', async () => {
    const safe = { ...env, PUBLIC_URL: 'https://steward.test', SMTP_URL: 'smtp://127.0.0.1:1' };
    const tokens = [];
    for (let time = 0; time < 2; time += 1) {
      const found = [...(await started(safe)).matchAll(SET_UP)].map(([, token]) => token);
      assert.equal(found.length, 1);
      tokens.push(...found);
    }
    assert.doesNotMatch(await started({ ...safe, ROLES: 'worker' }), /Set up/);
    assert.equal((await sendSetUp(node, tokens[0])).body.id, 'setup.link_invalid');
    assert.equal((await sendSetUp(node, tokens[1])).status, 200);
    assert.doesNotMatch(await started(safe), /Set up/);
  });

  test('does not start on a database of a newer version, and says so in one line', async () => {
    await node.db
      .insertInto('kysely_migration' as never)
      .values({ name: '9999-later', timestamp: '' } as never)
      .execute();
    assert.match(await refused(env), /^The database belongs to a newer version \(migration 9999-later\)\. [^\n]+\n$/);
    await node.db
      .deleteFrom('kysely_migration' as never)
      .where('name' as never, '=', '9999-later' as never)
      .execute();
  });
});
