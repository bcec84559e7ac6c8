import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import {
  type ClaimSettings,
  type IdToken,
  isFromFuture,
  isOutsideWorkspace,
  lacksClaims,
  readClaims,
  toGroupRole,
} from './claims.rules.ts';

const connection = (changes: Partial<ClaimSettings> = {}): ClaimSettings => ({
  issuer: 'https://id.steward.example',
  default_role: 'team_user',
  group_claim: 'groups',
  group_roles: { 'steward-admins': 'team_admin', staff: 'team_user' },
  ...changes,
});
const ENTRA = 'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0';
const GOOGLE = 'https://accounts.google.com';

describe('claims of an ID token', () => {
  test('an email address counts as verified only if the provider says exactly that', () => {
    const read = (token: object, issuer?: string) =>
      readClaims({ email: 'a@steward.example', ...token }, connection(issuer ? { issuer } : {})).isEmailVerified;
    for (const email_verified of [true, 'true']) assert.equal(read({ email_verified }), true);
    for (const email_verified of [
      'True',
      'TRUE',
      ' true',
      '1',
      1,
      'yes',
      'false',
      false,
      null,
      undefined,
      {},
      ['true'],
    ])
      assert.equal(read({ email_verified }), false, String(email_verified));
    assert.equal(read({ xms_edov: true }), false, 'only Microsoft has this claim');
    for (const xms_edov of [true, '1', 1]) assert.equal(read({ xms_edov }, ENTRA), true);
    for (const xms_edov of [false, '0', 0, undefined]) assert.equal(read({ xms_edov }, ENTRA), false);
  });

  test('names are cleaned and cut, and an address that is none is left out', () => {
    const token = { email: 'no address', given_name: ' A\u0000da\n', family_name: 'L'.repeat(300), sid: 5 };
    const claims = readClaims(token, connection());
    assert.deepEqual([claims.email, claims.first_name, claims.last_name.length, claims.sid], [null, 'Ada', 100, null]);
    const whole = readClaims({ name: 'Ada King Lovelace' }, connection());
    assert.deepEqual([whole.first_name, whole.last_name], ['Ada', 'King Lovelace']);
    const reversed = readClaims({ name: 'King Lovelace, Ada' }, connection());
    assert.deepEqual([reversed.first_name, reversed.last_name], ['Ada', 'King Lovelace']);
  });

  test('case 15: groups that the provider left out because there are too many are unknown, not none', () => {
    const role = (token: Record<string, unknown>) => toGroupRole(connection(), readClaims(token, connection()).groups);
    assert.equal(role({ groups: ['steward-admins', 'x'] }), 'team_admin');
    assert.equal(role({ groups: ['staff'] }), 'team_user');
    assert.equal(role({ groups: [] }), 'team_user');
    assert.equal(role({ groups: 'steward-admins' }), 'team_admin');
    const unknown = [{}, { groups: null }, { hasgroups: true, groups: [] }];
    for (const token of [...unknown, { groups: [], _claim_names: { groups: 'src1' }, _claim_sources: {} }])
      assert.equal(role(token), undefined, JSON.stringify(token));
    assert.equal(toGroupRole(connection({ group_roles: {} }), ['staff']), undefined);
    assert.equal(toGroupRole(connection(), ['__proto__', 'constructor']), 'team_user');
  });

  test('case 8: a Google account needs the Workspace domain (hd) of the team', () => {
    const domains = ['steward.example'];
    assert.equal(isOutsideWorkspace(GOOGLE, { hd: 'steward.example' }, domains), false);
    for (const hd of [undefined, '', 'other.example', 'steward.example.evil.example', ['steward.example'], null])
      assert.equal(isOutsideWorkspace(GOOGLE, { hd, email: 'a@steward.example' }, domains), true, String(hd));
    assert.equal(isOutsideWorkspace('https://id.steward.example', {}, domains), false, 'other providers have no hd');
  });

  test('case 25: clocks may differ by 30 seconds, and not by 10 minutes', () => {
    assert.equal(isFromFuture({ iat: 1_030 }, 1_000), false);
    for (const iat of [1_031, 1_600, undefined, '1000']) assert.equal(isFromFuture({ iat }, 1_000), true, String(iat));
  });
});

describe('ID tokens as the vendors document them', () => {
  const common = { aud: 'steward', iat: 1, exp: 2, nonce: 'n', email: 'ada@steward.example' };
  const read = (token: IdToken, changes: Partial<ClaimSettings>) => {
    const settings = connection(changes);
    const { email, isEmailVerified, first_name, last_name, groups } = readClaims(token, settings);
    return { email, isEmailVerified, first_name, last_name, groups, lacks: lacksClaims(token, settings) };
  };
  const ada = { email: common.email, isEmailVerified: true, first_name: 'Ada', last_name: 'Lovelace' };

  test('Entra: xms_edov verifies the address, groups are object ids, and nothing is missing', () => {
    const group = '0760b6cf-170e-4a14-91b3-4b78e0739963';
    const token = { ...common, iss: ENTRA, sub: 'AAAAA', oid: '1', tid: '2', ver: '2.0', name: 'Ada Lovelace' };
    const whole = { ...token, preferred_username: common.email, xms_edov: true, groups: [group] };
    assert.deepEqual(read(whole, { issuer: ENTRA }), { ...ada, groups: [group], lacks: false });
    const overage = {
      _claim_names: { groups: 'src1' },
      _claim_sources: { src1: { endpoint: 'https://graph.example' } },
    };
    const bare = { ...ada, isEmailVerified: false, groups: null, lacks: false };
    assert.deepEqual(read({ ...token, ...overage }, { issuer: ENTRA }), bare);
  });

  test('Google: says everything but groups', () => {
    const name = { name: 'Ada Lovelace', given_name: 'Ada', family_name: 'Lovelace', picture: 'https://x.example/a' };
    const token = { ...common, iss: GOOGLE, azp: 'steward', sub: '1', hd: 'steward.example', email_verified: true };
    const settings = { issuer: GOOGLE, group_claim: '' };
    assert.deepEqual(read({ ...token, ...name }, settings), { ...ada, groups: null, lacks: false });
  });

  test('Okta: keeps the verification, names and groups for its UserInfo endpoint', () => {
    const issuer = 'https://company.okta.com';
    const token = { ...common, iss: issuer, ver: 1, sub: '00u', idp: '00o', amr: ['pwd'], name: 'Ada Lovelace' };
    assert.equal(read({ ...token, preferred_username: common.email }, { issuer }).lacks, true);
    const info = { email_verified: true, given_name: 'Ada', family_name: 'Lovelace', groups: ['Everyone'] };
    assert.deepEqual(read({ ...token, ...info }, { issuer }), { ...ada, groups: ['Everyone'], lacks: false });
  });

  test('Keycloak: says everything if a mapper adds the groups', () => {
    const name = { name: 'Ada Lovelace', given_name: 'Ada', family_name: 'Lovelace', preferred_username: 'ada' };
    const token = { ...common, sub: '1', typ: 'ID', azp: 'steward', sid: 's', acr: '1', email_verified: true, ...name };
    assert.deepEqual(read({ ...token, groups: ['staff'] }, {}), { ...ada, groups: ['staff'], lacks: false });
  });
});
