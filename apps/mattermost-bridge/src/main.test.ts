import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'vitest';
import { rig } from '../testing/rig.ts';

/** Runs a command of the bridge with these settings only. */
async function run(command: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), command], { env });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, err, code };
}

test('without settings, or with a wrong address, it says in one sentence what is missing', async () => {
  const none = await run('rehearse');
  assert.match(none.err, /^Set MATTERMOST_URL and MATTERMOST_TOKEN: .*\.\n$/);
  assert.equal(none.code, 1);
  const wrong = await run('check', { MATTERMOST_URL: 'chat.example', MATTERMOST_TOKEN: 'x' });
  assert.match(wrong.err, /^MATTERMOST_URL must be an address such as .*\.\n$/);
  assert.match((await run('serve')).err, /^Usage: /);
});

test.each(['http://chat.example.invalid', 'http://127.0.0.1.example.invalid'])(
  'the token is not sent to %s, which is unencrypted and another machine',
  async (url) => {
    const refused = await run('check', { MATTERMOST_URL: url, MATTERMOST_TOKEN: 'x' });
    assert.match(refused.err, /^MATTERMOST_URL must begin with https:.*\.\n$/);
    assert.deepEqual([refused.out, refused.code], ['', 1]);
  },
);

test.each(['http://localhost:9', 'http://[::1]:9', 'http://127.0.0.1:9'])(
  'the unencrypted address %s is allowed, because it does not leave this machine',
  async (url) => {
    const { out, err } = await run('check', { MATTERMOST_URL: url, MATTERMOST_TOKEN: 'x' });
    assert.match(out, /The call ping failed: no answer/);
    assert.equal(err, '');
  },
);

test('rehearse prints what was tried, and check what is missing', async () => {
  await using rigged = await rig();
  const { at, token } = rigged;
  const env = { MATTERMOST_URL: at.url, MATTERMOST_TOKEN: token };
  const passed = await run('rehearse', env);
  assert.match(passed.out, /^ok {4}Every row is gone +14 of 14$/m);
  assert.match(passed.out, /The rehearsal passed: \d+ calls, \d+ ms\.\n$/);
  assert.equal(passed.code, 0);
  assert.equal((await run('check', env)).code, 0);
  at.set('ServiceSettings', 'EnableAPIPostDeletion', false);
  const failed = await run('rehearse', env);
  assert.match(failed.out, /^FAIL {2}Set-up +The setting EnableAPIPostDeletion is off/m);
  assert.equal(failed.code, 1);
  const checked = await run('check', env);
  assert.match(checked.out, /^ {2}Missing: The setting EnableAPIPostDeletion is off/m);
  assert.equal(checked.code, 1);
  assert.ok(![passed, failed, checked].some(({ out, err }) => `${out}${err}`.includes(token)));
});
