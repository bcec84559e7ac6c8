import assert from 'node:assert/strict';
import { test } from 'vitest';
import { rig } from '../rig.ts';

test('revoking all sessions ends them at once, and a personal token makes a new one', async () => {
  await using at = await rig();
  const ada = at.at.addUser('ada');
  const session = at.at.token(ada);
  at.at.set('ServiceSettings', 'EnableUserAccessTokens', true);
  const personal = (await at.api(`POST users/${ada.id}/tokens`, { description: 'script' })).body;
  assert.equal((await at.api('GET users/me', undefined, personal.token)).status, 200);
  assert.equal((await at.api(`POST users/${ada.id}/sessions/revoke/all`)).status, 200);
  assert.deepEqual((await at.api(`GET users/${ada.id}/sessions`)).body, []);
  assert.equal((await at.api('GET users/me', undefined, session)).status, 401);
  assert.equal((await at.api('GET users/me', undefined, personal.token)).status, 200);
  await at.api('POST users/tokens/disable', { token_id: personal.id });
  assert.equal((await at.api('GET users/me', undefined, personal.token)).status, 401);
  await at.api('POST users/tokens/enable', { token_id: personal.id });
  assert.equal((await at.api('GET users/me', undefined, personal.token)).status, 200);
  assert.equal((await at.api('POST users/tokens/revoke', { token_id: personal.id })).status, 200);
  assert.equal((await at.api('POST users/tokens/revoke', { token_id: personal.id })).status, 404);
  assert.equal((await at.api(`POST users/${'z'.repeat(26)}/sessions/revoke/all`)).status, 200, 'nobody');
});

test('a token of a person needs the setting and sends an email; a token of a bot needs neither', async () => {
  await using at = await rig();
  const ada = at.at.addUser('ada');
  assert.equal((await at.api(`POST users/${ada.id}/tokens`, { description: 'x' })).status, 501);
  assert.equal((await at.api(`POST users/${at.bot.id}/tokens`, { description: 'x' })).status, 200);
  assert.deepEqual(at.at.world.mails, []);
  at.at.set('ServiceSettings', 'EnableUserAccessTokens', true);
  const { token } = (await at.api(`POST users/${ada.id}/tokens`, { description: 'x' })).body;
  assert.deepEqual(
    at.at.world.mails.map(({ to }) => to),
    [ada.email],
  );
  at.at.set('ServiceSettings', 'EnableUserAccessTokens', false);
  assert.equal((await at.api('GET users/me', undefined, token)).status, 401);
});

test('a deactivated person keeps teams, channels and tokens, and their bots stay disabled afterwards', async () => {
  await using at = await rig();
  const ada = at.at.addUser('ada', { roles: 'system_admin system_user' });
  const team = at.at.addTeam('orchard', [ada]);
  at.at.set('ServiceSettings', 'EnableUserAccessTokens', true);
  const personal = (await at.api(`POST users/${ada.id}/tokens`, { description: 'x' })).body;
  at.at.set('ServiceSettings', 'EnableBotAccountCreation', true);
  const bot = (await at.api('POST bots', { username: 'helper' }, personal.token)).body;
  await at.api(`PUT users/${ada.id}/active`, { active: false });
  assert.equal((await at.api('GET users/me', undefined, personal.token)).status, 401);
  assert.equal((await at.api(`GET users/${ada.id}/tokens`)).body[0].is_active, true);
  assert.equal((await at.api(`GET users?in_team=${team.id}`)).body[0].id, ada.id);
  assert.deepEqual((await at.api(`GET users?in_team=${team.id}&active=true`)).body, []);
  await at.api(`PUT users/${ada.id}/active`, { active: true });
  assert.equal((await at.api('GET users/me', undefined, personal.token)).status, 200);
  assert.ok((await at.api(`GET users/${bot.user_id}`)).body.delete_at > 0);
});

test('removing somebody from a team ends its channels for good, and adding brings only the default ones', async () => {
  await using at = await rig();
  const ada = at.at.addUser('ada');
  const team = at.at.addTeam('orchard', [ada]);
  const talk = at.at.addChannel(team, 'talk');
  at.at.addToChannel(talk, ada);
  const session = at.at.token(ada);
  assert.equal((await at.api(`DELETE teams/${team.id}/members/${ada.id}`)).status, 200);
  assert.equal((await at.api(`DELETE teams/${team.id}/members/${ada.id}`)).status, 200);
  assert.deepEqual((await at.api(`GET teams/${team.id}/members`)).body, []);
  assert.ok((await at.api(`GET teams/${team.id}/members/${ada.id}`)).body.delete_at > 0);
  assert.equal((await at.api('GET users/me', undefined, session)).status, 200);
  await at.api(`POST teams/${team.id}/members`, { team_id: team.id, user_id: ada.id });
  const names = (await at.api(`GET users/${ada.id}/channels`)).body.map(({ name }: { name: string }) => name);
  assert.deepEqual(names.sort(), ['off-topic', 'town-square']);
  const stranger = at.at.addUser('ben');
  assert.equal((await at.api(`DELETE teams/${team.id}/members/${stranger.id}`)).status, 400);
});

test('channels take members when archived, write a message for each, and town-square lets nobody go', async () => {
  await using at = await rig();
  const ada = at.at.addUser('ada');
  const ben = at.at.addUser('ben');
  const team = at.at.addTeam('orchard', [ada]);
  const talk = at.at.addChannel(team, 'talk', { type: 'P', delete_at: 1 });
  const add = (channel: string, user: string) => at.api(`POST channels/${channel}/members`, { user_id: user });
  assert.equal((await add(talk.id, ada.id)).status, 201);
  assert.equal((await add(talk.id, ada.id)).status, 201);
  assert.equal((await add(talk.id, ben.id)).status, 400, 'not in the team');
  assert.equal((await add(at.at.openDirect(ada, ben).id, ada.id)).status, 400);
  const types = (await at.api(`GET channels/${talk.id}/posts`)).body;
  assert.deepEqual(
    types.order.map((id: string) => types.posts[id].type),
    ['system_add_to_channel'],
  );
  const square = [...at.at.world.channels.values()].find(({ name }) => name === 'town-square')!;
  assert.equal((await at.api(`DELETE channels/${square.id}/members/${ada.id}`)).status, 400);
});

test('a reset email is sent without a token, and neither it nor a new password ends sessions', async () => {
  await using at = await rig();
  const ada = at.at.addUser('ada');
  const session = at.at.token(ada);
  for (const email of [ada.email, 'nobody@example.test']) {
    assert.equal((await at.api('POST users/password/reset/send', { email }, null)).status, 200);
  }
  assert.equal(at.at.world.mails.length, 1);
  await at.api(`PUT users/${ada.id}/password`, { new_password: 'Other-pass-12' });
  assert.equal((await at.api('GET users/me', undefined, session)).status, 200);
});

test('the list of all channels has archived ones and those of deleted teams, but no direct messages', async () => {
  await using at = await rig();
  const [ada, ben] = [at.at.addUser('ada'), at.at.addUser('ben', { delete_at: 1 })];
  const team = at.at.addTeam('orchard', [ada]);
  at.at.addChannel(team, 'old', { delete_at: 1 });
  at.at.openDirect(ada, ben);
  at.at.openDirect(ada, ben, at.owner);
  await at.api(`DELETE teams/${team.id}`);
  const { channels, total_count } = (await at.api('GET channels?include_deleted=true&include_total_count=true')).body;
  assert.deepEqual(channels.map(({ name }: { name: string }) => name).sort(), ['off-topic', 'old', 'town-square']);
  assert.equal(total_count, 3);
  const ofBen = (await at.api(`GET users/${ben.id}/channels?include_deleted=true&last_delete_at=0`)).body;
  assert.deepEqual(ofBen.map(({ type }: { type: string }) => type).sort(), ['D', 'G']);
  const none = await at.api(`GET users/${at.at.addUser('cleo').id}/channels`);
  assert.equal(none.status, 404);
  assert.throws(() => JSON.parse(none.text), 'the list is never closed');
});

test('audits record revocations, activations, roles and channel members, but no reads, deletions and teams', async () => {
  await using at = await rig();
  const ada = at.at.addUser('ada');
  const team = at.at.addTeam('orchard');
  const talk = at.at.addChannel(team, 'talk');
  const post = at.at.post(talk, ada);
  await at.api(`GET channels/${talk.id}/posts`);
  await at.api(`DELETE posts/${post.id}?permanent=true`);
  await at.api(`POST teams/${team.id}/members`, { team_id: team.id, user_id: ada.id });
  assert.deepEqual((await at.api('GET audits')).body, []);
  await at.api(`POST users/${ada.id}/sessions/revoke/all`);
  await at.api(`POST channels/${talk.id}/members`, { user_id: ada.id });
  assert.equal((await at.api('GET audits')).body.length, 2);
});

test('the report of users has at most 100 a page and goes on from a person', async () => {
  await using at = await rig();
  for (let count = 0; count < 120; count += 1) at.at.addUser(`person-${String(count).padStart(3, '0')}`);
  assert.equal((await at.api('GET reports/users?page_size=200')).status, 400);
  const first = (await at.api('GET reports/users?page_size=100')).body;
  const next = (await at.api(`GET reports/users?page_size=100&from_id=${first.at(-1).id}`)).body;
  assert.equal(first.length + next.length, 121);
});
