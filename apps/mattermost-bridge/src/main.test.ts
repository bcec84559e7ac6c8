import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'vitest';
import { startSteward } from '../testing/fake-steward.ts';
import { rig } from '../testing/rig.ts';
import { findAddressFault } from './server-address.ts';

const W1 = 'w1'.padEnd(26, '0');

const start = (command: string | undefined, env: Record<string, string>) =>
  spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...(command ? [command] : [])], { env });

/** Runs a command of the bridge with these settings only. */
async function run(command: string | undefined, env: Record<string, string> = {}) {
  const child = start(command, env);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, err, code };
}

test('without settings, or with a wrong address, it says in one sentence what is missing', async () => {
  const none = await run('rehearse');
  assert.match(none.err, /^Set MATTERMOST_URL: .*\.\nSet MATTERMOST_TOKEN: .*\.\n$/);
  assert.equal(none.code, 1);
  const wrong = await run('check', { MATTERMOST_URL: 'chat.example', MATTERMOST_TOKEN: 'x' });
  assert.match(wrong.err, /^MATTERMOST_URL must be an address such as .*\.\n$/);
  assert.match((await run('serve')).err, /^Usage: /);
  const all = await run(undefined);
  assert.equal(all.err.match(/^Set .*\.$/gm)?.length, 4);
});

test.each(['http://chat.example.invalid', 'http://127.0.0.1.example.invalid'])(
  'the token is not sent to %s, which is unencrypted and another machine',
  (url) => {
    assert.match(findAddressFault('MATTERMOST_URL', url) ?? '', /^MATTERMOST_URL must begin with https:.*\.$/);
  },
);

test.each(['http://localhost:9', 'http://[::1]:9', 'http://127.0.0.1:9'])(
  'the unencrypted address %s is allowed, because it does not leave this machine',
  (url) => {
    assert.equal(findAddressFault('MATTERMOST_URL', url), undefined);
  },
);

test('the program refuses an address to which the token must not be sent, and says so if an allowed one does not answer', async () => {
  const refused = await run('check', { MATTERMOST_URL: 'http://chat.example.invalid', MATTERMOST_TOKEN: 'x' });
  assert.match(refused.err, /^MATTERMOST_URL must begin with https:.*\.\n$/);
  assert.deepEqual([refused.out, refused.code], ['', 1]);
  const { out, err } = await run('check', { MATTERMOST_URL: 'http://127.0.0.1:9', MATTERMOST_TOKEN: 'x' });
  assert.match(out, /The call ping failed: no answer/);
  assert.equal(err, '');
});

test('rehearse prints what was tried, and check what is missing', async () => {
  await using rigged = await rig();
  const { at, token, team } = rigged;
  const env = { MATTERMOST_URL: at.url, MATTERMOST_TOKEN: token };
  const passed = await run('rehearse', env);
  assert.match(passed.out, /^ok {4}Every row is gone +14 of 14$/m);
  assert.match(passed.out, /The rehearsal passed: \d+ calls, \d+ ms\.\n$/);
  assert.equal(passed.code, 0);
  const ready = await run('check', env);
  assert.match(
    ready.out,
    new RegExp(`^Everything that deletion needs is there\\.\n\nTeams of the server:\n {2}${team.id} {2}orchard$`, 'm'),
  );
  assert.equal(ready.code, 0);
  at.set('ServiceSettings', 'EnableAPIPostDeletion', false);
  const failed = await run('rehearse', env);
  assert.match(failed.out, /^FAIL {2}Set-up +The setting EnableAPIPostDeletion is off/m);
  assert.equal(failed.code, 1);
  const checked = await run('check', env);
  assert.match(checked.out, /^ {2}Missing: The setting EnableAPIPostDeletion is off/m);
  assert.equal(checked.code, 1);
  assert.ok(![passed, failed, checked].some(({ out, err }) => `${out}${err}`.includes(token)));
});

test('the bridge reads everything, does work, and gives the lease back when it is ended', async () => {
  await using rigged = await rig();
  await using steward = await startSteward();
  const { at, team, talk, ada, token } = rigged;
  at.addToTeam(team, ada);
  const post = rigged.old();
  const session = at.token(ada);
  steward.mappings.push({ remote_team_id: team.id, accepted: true, paused: false, direct_messages: false });
  steward.work.push({ id: W1, action: 'revoke_sessions', user_id: ada.id, team_id: team.id, channel_ids: [] });
  const finished = new Promise<void>((resolve) => {
    steward.fault = () => {
      if (steward.read.size === 3 && steward.workOutcomes.size === 1) resolve();
      return undefined;
    };
  });
  const env = {
    MATTERMOST_URL: at.url,
    MATTERMOST_TOKEN: token,
    STEWARD_URL: steward.url,
    STEWARD_TOKEN: steward.token,
  };
  const child = start(undefined, env);
  const [out, err] = [text(child.stdout), text(child.stderr)];
  await finished;
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.deepEqual([code, await err, steward.lease], [0, '', undefined]);
  assert.match(await out, /^Connected as “Chat”\. Mattermost 10\.12\.0: everything that deletion needs is there\.$/m);
  assert.deepEqual([...steward.read.get(talk.id)!.messages.keys()], [post.id]);
  assert.equal(at.world.sessions.has(session), false);
});

test('a token that Steward does not know is one sentence, and the server is not asked anything', async () => {
  await using rigged = await rig();
  await using steward = await startSteward();
  const { at, token } = rigged;
  const env = { MATTERMOST_URL: at.url, MATTERMOST_TOKEN: token, STEWARD_URL: steward.url, STEWARD_TOKEN: 'x' };
  const { out, err, code } = await run(undefined, env);
  assert.deepEqual(
    [out, err, code],
    ['', 'Steward does not accept STEWARD_TOKEN; it is wrong, or the connection was removed.\n', 1],
  );
  assert.deepEqual(at.requests, []);
});
