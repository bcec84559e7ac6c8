import assert from 'node:assert/strict';
import { test } from 'vitest';
import { basic, rig, token } from '../rig.ts';

const ME = 'GET users/me.json';

test('without or with wrong credentials users/me returns an anonymous user; other calls are refused', async () => {
  await using at = await rig();
  at.simulator.account('acme').state.settings.password_access = true;
  for (const auth of [null, basic('ada@acme.example', 'wrong'), basic('nobody@acme.example', 'acme-password')]) {
    const me = await at.api(ME, undefined, { auth });
    assert.equal(me.status, 200);
    assert.deepEqual(me.body, { user: { name: 'Anonymous user', id: null } });
    for (const path of ['webhooks', 'triggers.json', 'tickets.json']) {
      const { status, body } = await at.api(`GET ${path}`, undefined, { auth });
      assert.deepEqual([status, body], [401, { error: "Couldn't authenticate you" }]);
    }
  }
});

test('a correct password counts as none until password access is turned on', async () => {
  await using at = await rig();
  const auth = basic('ada@acme.example', 'acme-password');
  assert.equal((await at.api(ME, undefined, { auth })).body.user.id, null);
  at.simulator.account('acme').state.settings.password_access = true;
  assert.equal((await at.api(ME, undefined, { auth })).body.user.email, 'ada@acme.example');
});

test('a token works with any verified email of the account, case-insensitively, and may contain any character', async () => {
  await using at = await rig();
  for (const auth of [
    token('ada@acme.example'),
    token('ADA@Acme.Example'),
    token('rita@acme.example'),
    token('zoë@acme.example', 'acme+odd:token'),
  ]) {
    const { status, body } = await at.api(ME, undefined, { auth });
    assert.equal(status, 200);
    assert.ok(Number.isInteger(body.user.id));
    assert.equal(body.user.suspended, false);
  }
});

test('a wrong, deactivated or expired token is refused, as is one with an unknown or unverified email', async () => {
  await using at = await rig();
  for (const auth of [
    token('ada@acme.example', 'wrong'),
    token('ada@acme.example', 'acme-token-off'),
    token('ada@acme.example', 'acme-token-old'),
    token('nobody@acme.example'),
    token('uma@acme.example'),
    'Digest x',
  ]) {
    const { status, body } = await at.api(ME, undefined, { auth });
    assert.deepEqual([status, body], [401, { error: "Couldn't authenticate you" }]);
  }
});

test('with token access off, tokens are ignored', async () => {
  await using at = await rig();
  at.simulator.account('acme').state.settings.token_access = false;
  assert.equal((await at.api(ME)).body.user.id, null);
  assert.equal((await at.api('GET webhooks')).status, 401);
});

test('suspended and deleted users can only call users/me', async () => {
  await using at = await rig();
  for (const [name, flag, value] of [
    ['susan', 'suspended', true],
    ['dora', 'active', false],
  ] as const) {
    const auth = token(`${name}@acme.example`);
    assert.equal((await at.api(ME, undefined, { auth })).body.user[flag], value);
    assert.equal((await at.api('GET webhooks', undefined, { auth })).status, 403);
  }
});

test('admins and agents with a custom role can manage, agents can read triggers, light agents and end users nothing', async () => {
  await using at = await rig();
  const statuses = async (name: string) => {
    const auth = token(`${name}@acme.example`);
    const read = await Promise.all(['GET webhooks', 'GET triggers'].map((call) => at.api(call, undefined, { auth })));
    const write = await at.api('POST triggers', { trigger: {} }, { auth });
    return [...read, write].map(({ status }) => status);
  };
  assert.deepEqual(await statuses('ada'), [200, 200, 422]);
  assert.deepEqual(await statuses('max'), [200, 200, 422]);
  assert.deepEqual(await statuses('agnes'), [403, 200, 403]);
  assert.deepEqual(await statuses('lily'), [403, 403, 403]);
  assert.deepEqual(await statuses('rita'), [403, 403, 403]);
  const { body } = await at.api(ME, undefined, { auth: token('lily@acme.example') });
  assert.deepEqual([body.user.role, body.user.role_type], ['agent', 1]);
});

test("users/me has Zendesk's keys, in the same order", async () => {
  await using at = await rig();
  const { body } = await at.api(ME);
  const keys =
    'id url name email created_at updated_at time_zone iana_time_zone phone shared_phone_number photo ' +
    'locale_id locale organization_id role verified authenticity_token external_id tags alias active ' +
    'shared shared_agent last_login_at two_factor_auth_enabled signature details notes role_type ' +
    'custom_role_id moderator ticket_restriction only_private_comments restricted_agent suspended ' +
    'default_group_id report_csv user_fields';
  assert.deepEqual(Object.keys(body.user).join(' '), keys);
  assert.equal(body.user.role_type, 4);
});
