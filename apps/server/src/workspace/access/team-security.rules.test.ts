import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type EntryRules, findTeamRefusal, isRecent, type SessionState } from './team-security.rules.ts';

const SESSION: SessionState = {
  method: 'password',
  only_team_id: null,
  connection_id: null,
  auth_seconds: 60,
  has_second_factor: false,
  idle_seconds: 60,
};
const SECURITY: EntryRules = {
  require_mfa: 'none',
  idle_minutes: null,
  session_hours: null,
  networks: [],
  required_connection_id: null,
  is_break_glass: false,
  is_signed_out: false,
};
const MEMBER = ['team_user'];
const ADMIN = ['team_user', 'team_admin'];
const OWNER = ['team_user', 'team_admin', 'team_owner'];

interface Case {
  security?: Partial<EntryRules>;
  session?: Partial<SessionState>;
  roles?: string[];
  address?: string;
}

const refusal = ({ security, session, roles = MEMBER, address = '192.0.2.7' }: Case) =>
  findTeamRefusal(security ? { ...SECURITY, ...security } : null, {
    session: { ...SESSION, ...session },
    roles,
    address,
  });

test('a team that demands nothing opens for every session', () => {
  assert.equal(refusal({}), null);
  assert.equal(refusal({ security: {} }), null);
});

test('networks bind IPv4, IPv6 and IPv4 inside IPv6', () => {
  const security = { networks: ['198.51.100.0/24', '2001:db8::/32'] };
  assert.equal(refusal({ security }), 'security.network');
  assert.equal(refusal({ security, address: '198.51.100.200' }), null);
  assert.equal(refusal({ security, address: '::ffff:198.51.100.200' }), null);
  assert.equal(refusal({ security, address: '2001:db8:1::1' }), null);
  assert.equal(refusal({ security, address: '2001:db9::1' }), 'security.network');
  assert.equal(refusal({ security, address: 'unknown' }), 'security.network');
});

test('required single sign-on takes its own connection only', () => {
  const security = { required_connection_id: 'ours' };
  assert.equal(refusal({ security }), 'sso.required');
  const sso = { method: 'sso', only_team_id: 'team', has_second_factor: true } as const;
  assert.equal(refusal({ security, session: { ...sso, connection_id: 'theirs' }, roles: OWNER }), 'sso.required');
  assert.equal(refusal({ security, session: { ...sso, connection_id: 'ours' } }), null);
});

test('without single sign-on, only a named owner with a second factor opens a team that requires it', () => {
  const security = { required_connection_id: 'ours', is_break_glass: true };
  const session = { has_second_factor: true };
  assert.equal(refusal({ security, session, roles: OWNER }), null);
  assert.equal(refusal({ security, session, roles: ADMIN }), 'sso.required');
  assert.equal(refusal({ security, roles: OWNER }), 'sso.required');
  const unnamed = { ...security, is_break_glass: false };
  assert.equal(refusal({ security: unnamed, session, roles: OWNER }), 'sso.required');
});

test('a second factor is required of admins, or of everyone, and not of single sign-on', () => {
  const [admins, everyone] = [{ require_mfa: 'admins' }, { require_mfa: 'everyone' }] as const;
  assert.equal(refusal({ security: admins }), null);
  assert.equal(refusal({ security: admins, roles: ADMIN }), 'mfa.enroll_required');
  assert.equal(refusal({ security: everyone }), 'mfa.enroll_required');
  assert.equal(refusal({ security: everyone, session: { has_second_factor: true } }), null);
  assert.equal(refusal({ security: everyone, session: { method: 'sso', only_team_id: 'team' } }), null);
});

test("a team's limits begin at the last proof and at the last request", () => {
  assert.equal(refusal({ security: { idle_minutes: 5 }, session: { idle_seconds: 300 } }), null);
  assert.equal(refusal({ security: { idle_minutes: 5 }, session: { idle_seconds: 301 } }), 'session.reauth_required');
  assert.equal(refusal({ security: { session_hours: 1 }, session: { auth_seconds: 3600 } }), null);
  assert.equal(refusal({ security: { session_hours: 1 }, session: { auth_seconds: 3601 } }), 'session.reauth_required');
});

test('of several refusals, the network comes first, then single sign-on, the second factor and the limits', () => {
  const all: Partial<EntryRules> = {
    networks: ['198.51.100.0/24'],
    required_connection_id: 'ours',
    require_mfa: 'everyone',
    idle_minutes: 5,
  };
  const session = { idle_seconds: 999 };
  assert.equal(refusal({ security: all, session }), 'security.network');
  assert.equal(refusal({ security: { ...all, networks: [] }, session }), 'sso.required');
  const withoutSso = { ...all, networks: [], required_connection_id: null };
  assert.equal(refusal({ security: withoutSso, session }), 'mfa.enroll_required');
  assert.equal(refusal({ security: { ...withoutSso, require_mfa: 'none' }, session }), 'session.reauth_required');
});

test('a dangerous change needs proof from the last ten minutes', () => {
  assert.equal(isRecent({ ...SESSION, auth_seconds: 600 }), true);
  assert.equal(isRecent({ ...SESSION, auth_seconds: 601 }), false);
});
