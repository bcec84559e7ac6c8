// Compares the answers with those of a real server, version 10.12, by their status and the types of their fields.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { type Reply, send } from './rig.ts';
import { startMattermost } from './simulator.ts';

interface Observed {
  name: string;
  call: string;
  status: number;
  answer: unknown;
  headers?: string[];
  /** The answer has no other fields. */
  full?: boolean;
}

const OBSERVED: Observed[] = readFileSync(join(import.meta.dirname, 'observed.ndjson'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const isId = (key: string) => /^[a-z0-9]{26}$/.test(key);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the paths where an answer isn't like the observed one. A field “…” stands for others, an entry “… n in all” too. */
function compare(observed: unknown, actual: unknown, isFull: boolean, path = ''): string[] {
  if (Array.isArray(observed)) {
    if (!Array.isArray(actual)) return [`${path}: no list`];
    const [first] = observed;
    if (first !== undefined && actual.length === 0) return [`${path}: empty`];
    return first === undefined ? [] : actual.slice(0, 1).flatMap((row) => compare(first, row, isFull, `${path}[]`));
  }
  if (!isObject(observed)) return typeof observed === typeof actual ? [] : [`${path}: ${typeof actual}`];
  if (!isObject(actual)) return [`${path}: no object`];
  const entries = Object.entries(observed).filter(([key]) => key !== '…');
  if (entries.some(([key]) => isId(key))) {
    const rows = Object.values(actual);
    return entries.flatMap(([key, row]) => compare(row, actual[key] ?? bestMatch(row, rows), isFull, `${path}{id}`));
  }
  const added = isFull ? Object.keys(actual).filter((key) => !(key in observed)) : [];
  return [
    ...added.map((key) => `${path}.${key}: not observed`),
    ...entries.flatMap(([key, value]) => compare(value, actual[key], isFull, `${path}.${key}`)),
  ];
}

/** Rows of a map have ids that differ, so a row is compared with the one that is most like it. */
function bestMatch(row: unknown, rows: unknown[]): unknown {
  return rows.toSorted((a, b) => compare(row, a, false).length - compare(row, b, false).length)[0];
}

function check(name: string, said: Reply): void {
  const observed = OBSERVED.find((each) => each.name === name);
  assert.ok(observed, name);
  assert.equal(said.status, observed.status, `${name}: ${said.text}`);
  for (const header of ['x-version-id', 'x-request-id', ...(observed.headers ?? [])]) {
    assert.ok(said.headers.has(header), `${name}: no header ${header}`);
  }
  const { answer } = observed;
  if (answer === 'OK') assert.deepEqual(said.body, { status: 'OK' }, name);
  else if (typeof answer === 'object') assert.deepEqual(compare(answer, said.body, observed.full === true), [], name);
  else assert.ok(name in TEXTS, `${name} has no object as its answer`);
  TEXTS[name]?.(said);
  if (isObject(answer) && 'status_code' in answer) assert.equal(said.body.id, answer.id, name);
}

/** Answers that aren't JSON, or not in the observed file. */
const TEXTS: Record<string, (said: Reply) => void> = {
  config_patch: ({ body }) => assert.equal(body.TeamSettings.MaxUsersPerTeam, 5_000),
  channels_of_user_none: ({ text, body }) => {
    assert.match(text, /^\[\{"id":"app.channel.get_channels.not_found.app_error".*\}$/);
    assert.equal(body, undefined);
  },
  rate_429: ({ text, headers }) => {
    assert.equal(text, 'limit exceeded\n');
    assert.match(headers.get('content-type') ?? '', /^text\/plain/);
  },
};

test('every recorded request gets an answer of the recorded shape', async () => {
  await using at = await startMattermost({ seed: 3 });
  const seen = new Set<string>();
  let admin: string | null = null;
  /** Calls, and compares with the recorded request of this name. */
  async function call(name: string, path: string, body?: unknown, token: string | null = admin) {
    const said = await send(at.url, path, { body, token });
    check(name, said);
    seen.add(name);
    return said.body;
  }
  const turn = (name: string, on: boolean) => at.set('ServiceSettings', name, on);
  const none = 'z'.repeat(26);

  // Setting up
  await call('ping', 'GET system/ping', undefined, null);
  await call('ping_status', 'GET system/ping?get_server_status=true', undefined, null);
  await call('config_client_anon', 'GET config/client?format=old', undefined, null);
  await call('license_client', 'GET license/client?format=old', undefined, null);
  const root = { email: 'root@example.test', username: 'root-admin', password: 'Adm1n-pass-1' };
  const owner = await call('create_first_admin', 'POST users', root, null);
  await call('create_second_anon', 'POST users', { ...root, username: 'two' }, null);
  const login = { login_id: root.email, password: root.password };
  await call('login', 'POST users/login', login, null);
  await call('login_bad', 'POST users/login', { ...login, password: 'bad' }, null);
  admin = (await send(at.url, 'POST users/login', { body: login, token: null })).headers.get('token');
  const rootToken = admin;
  await call('token_disabled', 'POST users/me/tokens', { description: 'x' });
  await call('bot_disabled', 'POST bots', { username: 'governance-bot' });
  turn('EnableBotAccountCreation', true);
  const bot = await call('bot_create', 'POST bots', {
    username: 'governance-bot',
    display_name: 'G',
    description: 'g',
  });
  await call('bot_token_disabled', `POST users/${bot.user_id}/tokens`, { description: 'governance' });
  const { token } = await call('bot_token', `POST users/${bot.user_id}/tokens`, { description: 'governance' });
  await call('set_roles', `PUT users/${bot.user_id}/roles`, { roles: 'system_user system_admin' });
  await call('bad_token', 'GET users/me', undefined, 'nonsense');
  await call('bots', 'GET bots?page=0&per_page=200&include_deleted=true');
  await call('bot_by_bot_403', 'POST bots', { username: 'x-bot' }, token);
  admin = token;
  await call('limits', 'GET limits/server');
  await call('usage_posts', 'GET usage/posts');
  await call('usage_storage', 'GET usage/storage');
  await call('delete_501', `DELETE posts/${none}?permanent=true`);
  turn('EnableAPIPostDeletion', true);
  await call('probe_ready_404', `DELETE posts/${none}?permanent=true`);
  await call('config', 'GET config');
  await call('config_patch', 'PUT config/patch', { TeamSettings: { MaxUsersPerTeam: 5_000 } });
  await call('job_create_data_retention', 'POST jobs', { type: 'data_retention' });
  await call('data_retention_501', 'GET data_retention/policy');

  // People
  const names = { first_name: 'Tess', last_name: 'Test', position: 'Clerk', password: 'Person-pass-1' };
  const tess = await call('user_create', 'POST users', { email: 'tess@example.test', username: 'tess', ...names });
  const [ada, ben, gus] = ['ada', 'ben', 'gus'].map((name) => at.addUser(name, { password: 'Person-pass-1' }));
  const adaToken = at.token(ada!);
  const team = await call('team_create', 'POST teams', { name: 'orchard', display_name: 'orchard', type: 'I' });
  const membership = (user: { id: string }) => ({ team_id: team.id, user_id: user.id });
  await call('team_add_member', `POST teams/${team.id}/members`, membership(tess));
  await call('team_add_batch', `POST teams/${team.id}/members/batch`, [membership(ada!), membership(ben!)]);
  const nobody = [{ team_id: team.id, user_id: none }];
  await call('team_add_batch_graceful', `POST teams/${team.id}/members/batch?graceful=true`, nobody);
  await call('users_in_team', `GET users?in_team=${team.id}&page=0&per_page=200`);
  await call('users_all', 'GET users?page=0&per_page=200');
  await call('users_stats', 'GET users/stats');
  await call(
    'users_stats_filtered',
    `GET users/stats/filtered?in_team=${team.id}&include_deleted=true&include_bots=true`,
  );
  await call('team_members', `GET teams/${team.id}/members?page=0&per_page=200`);
  await call('team_stats', `GET teams/${team.id}/stats`);
  await call('teams_members_of_user', `GET users/${ada!.id}/teams/members`);
  await call('report_users', 'GET reports/users?page_size=100&sort_column=Username&direction=next');
  await call('report_users_page_size', 'GET reports/users?page_size=200');
  await call('status', `GET users/${ada!.id}/status`);
  await call('statuses', 'POST users/status/ids', [ada!.id, ben!.id]);
  await call('sessions', `GET users/${ada!.id}/sessions`);
  await call('team_scheme_roles', `PUT teams/${team.id}/members/${ada!.id}/schemeRoles`, {
    scheme_admin: true,
    scheme_user: true,
  });
  await call('demote', `POST users/${ada!.id}/demote`);
  await call('user', `GET users/${ada!.id}`);
  await call('role_licence_400', `PUT users/${ada!.id}/roles`, { roles: 'system_user system_manager' });
  turn('EnableUserAccessTokens', true);
  const pat = await call('pat_create', `POST users/${gus!.id}/tokens`, { description: 'by admin' });
  await call('tokens_of_user', `GET users/${gus!.id}/tokens?page=0&per_page=200`);
  turn('EnableUserAccessTokens', false);
  await call('pat_while_off', 'GET users/me', undefined, pat.token);
  turn('EnableUserAccessTokens', true);
  await call('deactivate', `PUT users/${gus!.id}/active`, { active: false });
  await call('deactivated_pat', 'GET users/me', undefined, pat.token);
  await call('login_deactivated', 'POST users/login', { login_id: 'gus', password: 'Person-pass-1' }, null);
  await call('user_delete_soft', `DELETE users/${gus!.id}`);
  await call('user_delete_permanent_off', `DELETE users/${gus!.id}?permanent=true`);
  await call('deactivate_403', `PUT users/${ben!.id}/active`, { active: false }, adaToken);
  await call('token_disable', 'POST users/tokens/disable', { token_id: pat.id });
  await call('token_revoke', 'POST users/tokens/revoke', { token_id: pat.id });
  const benToken = at.token(ben!);
  await call('revoke_all_403', `POST users/${ben!.id}/sessions/revoke/all`, undefined, adaToken);
  await call('sessions_of_user', `GET users/${ben!.id}/sessions`);
  await call('revoke_all', `POST users/${ben!.id}/sessions/revoke/all`);
  await call('revoked_401', 'GET users/me', undefined, benToken);
  await call('reset_send', 'POST users/password/reset/send', { email: 'hana@example.test' }, null);
  await call('password_admin', `PUT users/${ben!.id}/password`, { new_password: 'Other-pass-12' });
  await call('bot_enable', `POST bots/${bot.user_id}/enable`, undefined, rootToken);

  // Channels
  const named = { name: 'arch-priv', display_name: 'arch-priv', type: 'P' };
  const hidden = await call('channel_create', 'POST channels', { team_id: team.id, ...named }, adaToken);
  await call('channels_public', `GET teams/${team.id}/channels?page=0&per_page=200`);
  await call('channels_private', `GET teams/${team.id}/channels/private?page=0&per_page=200`);
  await call('channels_all', 'GET channels?page=0&per_page=200&include_deleted=true&include_total_count=true');
  await call('channel', `GET channels/${hidden.id}`);
  await call('channel_stats', `GET channels/${hidden.id}/stats`);
  await call('channel_add_member', `POST channels/${hidden.id}/members`, { user_id: ben!.id });
  await call('channel_add_private', `POST channels/${hidden.id}/members`, { user_id: tess.id });
  await call('channel_members', `GET channels/${hidden.id}/members?per_page=200`);
  await call('channel_remove_member', `DELETE channels/${hidden.id}/members/${tess.id}`);
  await call('channel_add_many', `POST channels/${hidden.id}/members`, { user_ids: [tess.id, ben!.id] });
  await call('channel_add_not_in_team', `POST channels/${hidden.id}/members`, { user_id: gus!.id });
  await call('channels_of_user_none', `GET users/${gus!.id}/channels?include_deleted=true&last_delete_at=0`);
  const direct = await call('dm_create', 'POST channels/direct', [ada!.id, ben!.id], adaToken);
  await call('gm_create', 'POST channels/group', [ada!.id, ben!.id, tess.id], adaToken);
  await call('channels_of_user', `GET users/${ada!.id}/channels?include_deleted=true&last_delete_at=0`);
  await call('dm_delete_400', `DELETE channels/${direct.id}?permanent=true`);
  await call('channel_delete_permanent_off', `DELETE channels/${hidden.id}?permanent=true`);

  // Posts
  const channel = at.addChannel(team, 'talk', { type: 'P' });
  at.addToChannel(channel, ada!);
  at.addToChannel(channel, ben!);
  const base = { channel_id: channel.id };
  const plain = await call('post_create', 'POST posts', { ...base, message: 'word4 in talk' }, adaToken);
  await call('post_backdated', 'POST posts', { ...base, message: 'old by bot', create_at: 1_761_154_802_812 });
  await call('post_priority', 'POST posts', { ...base, message: 'p', metadata: { priority: { priority: 'urgent' } } });
  const form = new FormData();
  form.set('channel_id', channel.id);
  form.append('files', new Blob(['ten bytes.'], { type: 'text/plain' }), 'note.txt');
  const { file_infos } = await call('file_upload', 'POST files', form, adaToken);
  const withFile = { ...base, message: 'with file', file_ids: [file_infos[0].id] };
  const filed = (await send(at.url, 'POST posts', { body: withFile, token: adaToken })).body;
  await call('post_with_files', `GET posts/${filed.id}`);
  await call('file_info', `GET files/${filed.file_ids[0]}/info`);
  await call('files_info_of_post', `GET posts/${filed.id}/files/info`);
  await call('file_delete_none', `DELETE files/${filed.file_ids[0]}`);
  await call('file_info_404', `GET files/${none}/info`);
  await call('search', `POST teams/${team.id}/posts/search`, { terms: 'with file', is_or_search: false });
  await call('post_patch', `PUT posts/${plain.id}/patch`, { message: 'v2' }, adaToken);
  await call('post_patch_403', `PUT posts/${plain.id}/patch`, { message: 'x' }, at.token(ben!));
  const [version] = await call('edit_history', `GET posts/${plain.id}/edit_history`, undefined, adaToken);
  await call('edit_history_bot', `GET posts/${plain.id}/edit_history`);
  await call('get_version', `GET posts/${version.id}?include_deleted=true`);
  const fileless = { file_ids: [] };
  await send(at.url, `PUT posts/${filed.id}/patch`, { body: fileless, token: adaToken });
  const [detached] = (await send(at.url, `GET posts/${filed.id}/edit_history`, { token: adaToken })).body;
  await call('restore_version', `POST posts/${filed.id}/restore/${detached.id}`, undefined, adaToken);
  const pinned = at.post(channel, ada!, { message: 'pinned' });
  at.pin(pinned);
  const reaction = { user_id: ada!.id, post_id: pinned.id, emoji_name: 'smile' };
  await call('reaction_create', 'POST reactions', reaction, adaToken);
  await call('pinned', `GET channels/${channel.id}/pinned`);
  at.post(channel, ben!, { root_id: plain.id, message: 'a reply' });
  at.post(channel, ben!, { type: 'system_add_to_channel', props: systemProps() });
  at.post(channel, ben!, { type: 'system_join_channel', props: { username: 'ada' } });
  await call('thread', `GET posts/${plain.id}/thread`);
  const deleted = at.post(channel, ada!, { file_ids: [at.file(ada!, 'a.txt').id] });
  await call('soft_delete', `DELETE posts/${deleted.id}`, undefined, adaToken);
  await call('get_soft_deleted', `GET posts/${deleted.id}?include_deleted=true`);
  await call('posts_by_ids', 'POST posts/ids', [pinned.id, deleted.id]);
  await call('posts_by_ids_none', 'POST posts/ids', [none]);
  await call('posts_since', `GET channels/${channel.id}/posts?since=1795716370995&skipFetchThreads=true`);
  for (const name of ['posts_page', 'posts_page_kinds']) {
    await call(name, `GET channels/${channel.id}/posts?page=0&per_page=200&include_deleted=true&skipFetchThreads=true`);
  }
  await call(
    'posts_include_deleted_403',
    `GET channels/${channel.id}/posts?include_deleted=true`,
    undefined,
    at.token(ben!),
  );

  // Deletion
  await call('delete_403', `DELETE posts/${plain.id}?permanent=true`, undefined, adaToken);
  await call('delete_version', `DELETE posts/${version.id}?permanent=true`);
  await call('delete_ok', `DELETE posts/${plain.id}?permanent=true`);
  await call('delete_again', `DELETE posts/${plain.id}?permanent=true`);
  await call('get_404', `GET posts/${plain.id}`);
  await call('get_deleted_404', `GET posts/${plain.id}?include_deleted=true`);
  await call('delete_bad_id', 'DELETE posts/abc?permanent=true');
  await call('channel_archive', `DELETE channels/${hidden.id}`);
  await call('channels_deleted', `GET teams/${team.id}/channels/deleted?page=0&per_page=200`);
  await call('channel_add_archived', `POST channels/${hidden.id}/members`, { user_id: tess.id });
  at.set('TeamSettings', 'ExperimentalViewArchivedChannels', false);
  await call('posts_archived_403', `GET channels/${hidden.id}/posts?include_deleted=true`);
  await call('user_audits', `GET users/${owner.id}/audits`, undefined, rootToken);
  await call('audits', 'GET audits?page=0&per_page=3');
  await call('team_remove_member', `DELETE teams/${team.id}/members/${ben!.id}`);
  await call('team_remove_member_again', `DELETE teams/${team.id}/members/${ben!.id}`);
  await call('teams', 'GET teams?page=0&per_page=200&include_total_count=true');
  await call('team_delete_soft', `DELETE teams/${team.id}`);
  await call('team_restore', `POST teams/${team.id}/restore`);
  await call('team_delete_permanent_off', `DELETE teams/${team.id}?permanent=true`);
  turn('EnableAPITeamDeletion', true);
  await call('team_delete_permanent', `DELETE teams/${team.id}?permanent=true`);
  turn('EnableAPIUserDeletion', true);
  await call('user_delete_permanent', `DELETE users/${gus!.id}?permanent=true`);
  at.set('RateLimitSettings', 'Enable', true);
  at.set('RateLimitSettings', 'MaxBurst', -1);
  await call('rate_429', 'GET users/me');

  assert.deepEqual(
    OBSERVED.map(({ name }) => name).filter((name) => !seen.has(name)),
    [],
    'recorded requests that nothing compares',
  );
});

const systemProps = () => ({ addedUserId: 'x', addedUsername: 'ben', userId: 'y', username: 'ada' });
