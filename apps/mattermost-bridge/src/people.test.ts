import assert from 'node:assert/strict';
import type { User } from '@steward/mattermost-simulator/model.ts';
import { send } from '@steward/mattermost-simulator/rig.ts';
import { test } from 'vitest';
import { type Rig, rig } from '../testing/rig.ts';
import { CallError } from './mattermost.client.ts';
import { type Actor, doWork, type Work } from './people.ts';

async function stage() {
  const rigged = await rig();
  const { at, mattermost, scope, bot, owner, team, ada } = rigged;
  at.addToTeam(team, ada);
  const actor: Actor = { mattermost, scope, me: { ...bot }, owner: owner.id };
  const work = (action: Work['action'], more: Partial<Work> = {}): Work => {
    const asked = { action, user_id: ada.id, team_id: team.id, channel_ids: [] };
    return { ...asked, ...more };
  };
  const act = (action: Work['action'], more: Partial<Work> = {}) => doWork(actor, work(action, more));
  return { ...rigged, actor, work, act, [Symbol.asyncDispose]: () => rigged[Symbol.asyncDispose]() };
}

const asUser = ({ at }: Rig, token: string) => send(at.url, 'GET users/me', { token });

function changes({ at }: Rig, from: number) {
  return at.requests.slice(from).filter(({ method, path }) => method !== 'GET' && path !== 'posts/ids');
}

test('revoking ends sessions and disables personal tokens, and says what survives', async () => {
  await using staged = await stage();
  const { at, ada, act } = staged;
  at.set('ServiceSettings', 'EnableUserAccessTokens', true);
  const session = at.token(ada);
  const made = await send(at.url, `POST users/${ada.id}/tokens`, { token: staged.token, body: { description: 'x' } });
  assert.equal((await asUser(staged, made.body.token)).status, 200);
  const { bot } = at.addAdminBot('own-bot');
  at.world.bots.get(bot.id)!.owner_id = ada.id;
  assert.deepEqual(await act('revoke_sessions'), {
    outcome: 'done',
    detail: '1 personal token was disabled. 1 bot of this person and webhooks go on working.',
  });
  for (const token of [session, made.body.token]) assert.equal((await asUser(staged, token)).status, 401);
  assert.deepEqual(await act('revoke_sessions'), {
    outcome: 'done',
    detail: '1 bot of this person and webhooks go on working.',
  });
});

test('a revocation stays open while a personal token is still active', async () => {
  await using staged = await stage();
  const { at, ada, act } = staged;
  const id = at.world.id();
  at.world.tokens.set(id, { id, token: 'x', user_id: ada.id, description: '', is_active: true });
  at.fault({ method: 'POST', path: /tokens\/disable/, times: 1 });
  await assert.rejects(act('revoke_sessions'), CallError);
  assert.equal((await act('revoke_sessions')).outcome, 'done');
  assert.equal(at.world.tokens.get(id)?.is_active, false);
});

test('a revocation is done where personal tokens are switched off and can’t be listed', async () => {
  await using staged = await stage();
  staged.at.fault({ method: 'GET', path: /\/tokens/, status: 501 });
  assert.equal((await staged.act('revoke_sessions')).outcome, 'done');
});

test('a password reset is sent to the person, and not to a deactivated one', async () => {
  await using staged = await stage();
  const { at, ada, act } = staged;
  assert.equal((await act('send_password_reset')).outcome, 'done');
  assert.deepEqual(at.world.mails, [{ to: ada.email, subject: 'Reset your password' }]);
  ada.delete_at = 1;
  assert.equal((await act('send_password_reset')).outcome, 'refused');
  assert.equal(at.world.mails.length, 1);
});

test('deactivating and reactivating is confirmed by reading the person, and can be repeated', async () => {
  await using staged = await stage();
  const { ada, act } = staged;
  for (const [action, isActive] of [
    ['deactivate', false],
    ['deactivate', false],
    ['reactivate', true],
  ] as const) {
    assert.equal((await act(action)).outcome, 'done');
    assert.equal(ada.delete_at === 0, isActive);
  }
  staged.at.fault({ method: 'PUT', path: /\/active/ });
  await assert.rejects(act('deactivate'), /nothing changed/);
});

test('a person who is in a team that is not connected, or owns a bot, is not deactivated', async () => {
  await using staged = await stage();
  const { at, ada, act } = staged;
  const { bot } = at.addAdminBot('own-bot');
  at.world.bots.get(bot.id)!.owner_id = ada.id;
  assert.match((await act('deactivate')).detail, /owns bots/);
  at.world.bots.get(bot.id)!.owner_id = staged.owner.id;
  const harbor = at.addTeam('harbor', [ada]);
  assert.match((await act('deactivate')).detail, /teams that are not connected/);
  assert.equal(ada.delete_at, 0);
  assert.equal((await act('remove_from_team')).outcome, 'done');
  assert.equal(at.world.teamMembers.get(harbor.id)?.get(ada.id)?.delete_at, 0);
  assert.match((await act('deactivate')).detail, /not in the team/);
});

test('a membership that ended in another team does not count', async () => {
  await using staged = await stage();
  const { at, ada, act } = staged;
  const harbor = at.addTeam('harbor', [ada]);
  at.world.teamMembers.get(harbor.id)!.get(ada.id)!.delete_at = 1;
  assert.equal((await act('deactivate')).outcome, 'done');
});

test('a reactivation above the user limit of the server is refused with the reason of the server', async () => {
  await using staged = await stage();
  const { at, ada, act } = staged;
  ada.delete_at = 1;
  at.world.limits.maxUsersHardLimit = 1;
  assert.deepEqual(await act('reactivate'), {
    outcome: 'refused',
    detail: 'The server refused it: app.user.update_active.user_limit.exceeded.',
  });
});

test('removing from a team is confirmed by reading the memberships, and can be repeated', async () => {
  await using staged = await stage();
  const { at, team, ada, act } = staged;
  for (const _ of [1, 2]) assert.equal((await act('remove_from_team')).outcome, 'done');
  assert.ok(at.world.teamMembers.get(team.id)!.get(ada.id)!.delete_at > 0);
  at.addToTeam(team, ada);
  at.fault({ method: 'DELETE', path: /members/ });
  await assert.rejects(act('remove_from_team'), /nothing changed/);
});

test('only public channels of the team are added, and the server writes one message for each', async () => {
  await using staged = await stage();
  const { at, team, ada, ben, talk, act } = staged;
  const harbor = at.addTeam('harbor', [ada]);
  const others = [
    at.addChannel(team, 'old', { delete_at: 1 }),
    at.addChannel(team, 'secret', { type: 'P' }),
    at.addChannel(harbor, 'quay'),
    at.openDirect(ada, ben),
  ];
  const channel_ids = [talk, ...others].map(({ id }) => id);
  const before = at.counts().posts!;
  for (const _ of [1, 2]) {
    const { outcome, detail } = await act('add_to_channels', { channel_ids: [...channel_ids, 'x'] });
    assert.equal(outcome, 'done');
    assert.match(detail, /^5 channels were left out/);
  }
  assert.equal(at.counts().posts, before + 1);
  assert.ok(at.world.channelMembers.get(talk.id)!.has(ada.id));
  assert.ok(!others.slice(0, 3).some(({ id }) => at.world.channelMembers.get(id)!.has(ada.id)));
});

const ALL = [
  'revoke_sessions',
  'send_password_reset',
  'deactivate',
  'reactivate',
  'remove_from_team',
  'add_to_channels',
] as const;

const PROTECTED: [who: string, find: (staged: Awaited<ReturnType<typeof stage>>) => User][] = [
  ['a system admin', ({ at }) => at.addUser('root', { roles: 'system_user system_admin' })],
  ['a system manager', ({ at }) => at.addUser('manager', { roles: 'system_user system_manager' })],
  ['a bot', ({ at }) => at.addUser('other-bot', { is_bot: true })],
  [
    'the bridge’s own account',
    ({ actor, ada }) => {
      actor.me.id = ada.id;
      return ada;
    },
  ],
  ['the owner of the bot', ({ owner }) => Object.assign(owner, { roles: 'system_user' })],
];

test.each(PROTECTED)('nothing is changed for %s', async (_, find) => {
  await using staged = await stage();
  const { at, team, talk, act } = staged;
  const user = find(staged);
  at.addToTeam(team, user);
  const from = at.requests.length;
  for (const action of ALL) {
    const { outcome } = await act(action, { user_id: user.id, channel_ids: [talk.id] });
    assert.equal(outcome, 'refused');
  }
  assert.deepEqual(changes(staged, from), []);
});

test('nothing is changed in a team that is not connected, for an unknown account, or without a known owner', async () => {
  await using staged = await stage();
  const { at, ada, act, actor, work } = staged;
  const harbor = at.addTeam('harbor', [ada]);
  const from = at.requests.length;
  for (const action of ALL) {
    assert.equal((await act(action, { team_id: harbor.id })).outcome, 'refused');
    assert.equal((await act(action, { user_id: at.world.id() })).outcome, 'refused');
    assert.equal((await act(action, { user_id: '../config' })).outcome, 'refused');
    assert.equal((await doWork({ ...actor, owner: undefined }, work(action))).outcome, 'refused');
  }
  assert.deepEqual(changes(staged, from), []);
});

test('work stays open while the server can’t be reached or lacks rights', async () => {
  await using staged = await stage();
  const { at, act } = staged;
  for (const status of [401, 403, 500, 503]) {
    at.world.faults.splice(0);
    at.fault({ method: 'POST', path: /revoke/, status });
    await assert.rejects(act('revoke_sessions'), CallError);
  }
});
