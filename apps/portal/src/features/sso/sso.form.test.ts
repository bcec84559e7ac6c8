import assert from 'node:assert/strict';
import type { SsoConnection } from '@steward/contract/sso/connection';
import { test } from 'vitest';
import { toSsoSettings, toSsoValues, validateSso } from './sso.form.ts';

const stored: SsoConnection = {
  id: 'a'.repeat(26),
  name: 'Keycloak',
  issuer: 'https://id.steward.example',
  client_id: 'steward',
  has_secret: true,
  enabled: true,
  required: true,
  jit: false,
  default_role: 'team_user',
  group_claim: 'groups',
  group_roles: { admins: 'team_admin', staff: 'team_user', leads: 'team_admin' },
  redirect_uri: '',
  logout_uri: '',
  tested_at: 1,
  has_break_glass: true,
};

test('stored values are sent unchanged and without the secret if nothing was edited', () => {
  const { name, issuer, client_id, enabled, required, jit, default_role, group_claim, group_roles } = stored;
  const same = { name, issuer, client_id, enabled, required, jit, default_role, group_claim, group_roles };
  assert.deepEqual(toSsoSettings(toSsoValues(stored), stored), same);
});

test('a new client, secret or issuer disables the connection, because it has to be tested first', () => {
  const values = toSsoValues(stored);
  for (const change of [{ client_id: 'b' }, { client_secret: 'c' }, { issuer: 'https://other.steward.example' }]) {
    const sent = toSsoSettings({ ...values, ...change }, stored);
    assert.deepEqual([sent.enabled, sent.required], [false, false]);
  }
  assert.equal(toSsoSettings({ ...values, enabled: false }, stored).required, false);
});

test('each line is a group, and a group in both lists gives the admin role', () => {
  const values = { ...toSsoValues(stored), admin_groups: ' a \n\n b', user_groups: 'b\nc' };
  const { group_roles } = toSsoSettings(values, stored);
  assert.deepEqual(group_roles, { b: 'team_admin', c: 'team_user', a: 'team_admin' });
  assert.deepEqual(Object.keys(validateSso({ ...values, name: ' ', issuer: '' })), ['name', 'issuer']);
});
