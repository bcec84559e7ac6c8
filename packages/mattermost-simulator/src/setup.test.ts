import assert from 'node:assert/strict';
import { test } from 'vitest';
import { rig, send } from './rig.ts';
import { startMattermost } from './simulator.ts';

const NONE = 'z'.repeat(26);
const PROBE = `DELETE posts/${NONE}?permanent=true`;

test('the probe of the rights answers 401 without a token, 501 while off, 403 to others, 404 when ready', async () => {
  await using at = await rig();
  assert.equal((await at.api(PROBE)).status, 404);
  assert.equal((await at.api(PROBE, undefined, null)).status, 401);
  const ada = at.at.token(at.at.addUser('ada'));
  assert.equal((await at.api(PROBE, undefined, ada)).status, 403);
  at.at.set('ServiceSettings', 'EnableAPIPostDeletion', false);
  assert.equal((await at.api(PROBE)).status, 501);
  assert.equal((await at.api(PROBE, undefined, ada)).status, 501);
});

test('permanent deletion of people, teams and channels is 401, not 501, while its setting is off', async () => {
  await using at = await rig();
  const ada = at.at.addUser('ada');
  const team = at.at.addTeam('orchard', [ada]);
  const channel = at.at.addChannel(team, 'talk');
  for (const path of [`users/${ada.id}`, `teams/${team.id}`, `channels/${channel.id}`]) {
    assert.equal((await at.api(`DELETE ${path}?permanent=true`)).status, 401, path);
  }
  for (const name of ['EnableAPIUserDeletion', 'EnableAPITeamDeletion', 'EnableAPIChannelDeletion']) {
    at.at.set('ServiceSettings', name, true);
  }
  assert.equal((await at.api(`DELETE users/${ada.id}?permanent=true`)).status, 200);
  assert.equal((await at.api(`DELETE channels/${channel.id}?permanent=true`)).status, 200);
  assert.equal((await at.api(`DELETE teams/${team.id}?permanent=true`)).status, 200);
});

test('a plain bot may not list channels, reports and audits, nor read the configuration', async () => {
  await using at = await rig();
  at.bot.roles = 'system_user';
  for (const path of ['channels', 'config', 'reports/users?page_size=50', 'audits']) {
    assert.equal((await at.api(`GET ${path}`)).status, 403, path);
  }
  at.bot.roles = 'system_user system_manager';
  assert.equal((await at.api(PROBE)).status, 403);
});

test('the version header changes with each setting, and the configuration hides its secrets', async () => {
  await using at = await rig();
  const before = (await at.api('GET system/ping')).headers.get('x-version-id');
  assert.match(before ?? '', /^10\.12\.0\.10\.12\.0-local\.[0-9a-f]{32}\.false$/);
  at.at.set('TeamSettings', 'MaxUsersPerTeam', 51);
  assert.notEqual((await at.api('GET system/ping')).headers.get('x-version-id'), before);
  assert.equal((await at.api('GET config')).body.SqlSettings.DataSource, '*'.repeat(32));
});

test('a bot can switch settings on by itself', async () => {
  await using at = await rig();
  at.at.set('ServiceSettings', 'EnableAPIPostDeletion', false);
  await at.api('PUT config/patch', { ServiceSettings: { EnableAPIPostDeletion: true } });
  assert.equal((await at.api(PROBE)).status, 404);
});

test('a bot stops with the deactivation of its owner and stays disabled when the owner returns', async () => {
  await using at = await rig();
  const admin = at.at.token(at.at.addUser('second', { roles: 'system_admin system_user' }));
  await at.api(`PUT users/${at.owner.id}/active`, { active: false }, admin);
  assert.equal((await at.api('GET users/me')).status, 401);
  await at.api(`PUT users/${at.owner.id}/active`, { active: true }, admin);
  assert.equal((await at.api('GET users/me')).status, 401);
  await at.api(`POST bots/${at.bot.id}/enable`, undefined, admin);
  assert.equal((await at.api('GET users/me')).status, 200);
  at.at.set('ServiceSettings', 'DisableBotsWhenOwnerIsDeactivated', false);
  await at.api(`PUT users/${at.owner.id}/active`, { active: false }, admin);
  assert.equal((await at.api('GET users/me')).status, 200);
});

test('nothing protects the last admin, only the caller', async () => {
  await using at = await rig();
  at.at.set('ServiceSettings', 'DisableBotsWhenOwnerIsDeactivated', false);
  assert.equal((await at.api(`PUT users/${at.bot.id}/active`, { active: false })).status, 403);
  assert.equal((await at.api(`PUT users/${at.owner.id}/active`, { active: false })).status, 200);
});

test('the rate limit answers 429 in plain text, to an admin too, until time has passed', async () => {
  await using at = await rig();
  at.at.set('RateLimitSettings', 'Enable', true);
  // So slow that the time that this test takes doesn't count.
  at.at.set('RateLimitSettings', 'PerSec', 0.1);
  const said = [];
  for (let count = 0; count < 110; count += 1) said.push(await at.api('GET users/me'));
  const refused = said.find(({ status }) => status === 429);
  assert.equal(refused?.text, 'limit exceeded\n');
  assert.equal(refused?.headers.get('retry-after'), '1');
  assert.equal(refused?.headers.get('x-ratelimit-limit'), '101');
  at.at.advance(600_000);
  assert.equal((await at.api('GET users/me')).status, 200);
});

test('without a license the configuration accepts a retention that never happens, and its calls are 501', async () => {
  await using at = await rig();
  const patched = await at.api('PUT config/patch', { DataRetentionSettings: { EnableMessageDeletion: true } });
  assert.equal(patched.body.DataRetentionSettings.EnableMessageDeletion, true);
  assert.equal((await at.api('GET data_retention/policy')).status, 501);
  at.at.world.isLicensed = true;
  assert.equal((await at.api('GET data_retention/policy')).body.message_deletion_enabled, true);
  assert.equal((await at.api('GET license/client')).body.IsLicensed, 'true');
  assert.match((await at.api('GET users/me')).headers.get('x-version-id') ?? '', /\.true$/);
});

test('the limits of a newer server refuse a reactivation above them', async () => {
  await using at = await rig();
  const ada = at.at.addUser('ada', { delete_at: 1 });
  at.at.world.limits = { maxUsersLimit: 1, maxUsersHardLimit: 1, postHistoryLimit: 10_000 };
  assert.equal((await at.api('GET limits/server')).body.postHistoryLimit, 10_000);
  assert.equal((await at.api(`PUT users/${ada.id}/active`, { active: true })).status, 400);
});

test('faults answer instead of the server, after its work, or not at all', async () => {
  await using at = await rig();
  const talk = at.at.addChannel(at.at.addTeam('orchard'), 'talk');
  const post = at.at.post(talk, at.bot);
  at.at.fault({ method: 'DELETE', path: /posts/, times: 1 });
  assert.equal((await at.api(`DELETE posts/${post.id}?permanent=true`)).status, 200);
  assert.equal((await at.api(`GET posts/${post.id}`)).status, 200, 'the answer was 200 and nothing was done');
  at.at.fault({ method: 'DELETE', path: /posts/, times: 1, status: 500, after: true });
  assert.equal((await at.api(`DELETE posts/${post.id}?permanent=true`)).status, 500);
  assert.equal((await at.api(`GET posts/${post.id}`)).status, 404, 'the answer was 500 and everything was done');
  at.at.fault({ path: /users\/me/, times: 1, drop: true });
  await assert.rejects(at.api('GET users/me'));
});

test('an empty server makes its first person an admin and refuses the next', async () => {
  await using at = await startMattermost();
  const person = (username: string) => ({ username, email: `${username}@example.test`, password: 'Person-pass-1' });
  const first = await send(at.url, 'POST users', { body: person('ada'), token: null });
  assert.equal(first.body.roles, 'system_admin system_user');
  assert.equal((await send(at.url, 'POST users', { body: person('ben'), token: null })).status, 403);
});
