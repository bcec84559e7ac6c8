import assert from 'node:assert/strict';
import { test } from 'vitest';
import {
  readNetworks,
  type SecurityValues,
  toSecurityPolicy,
  toSecurityValues,
  validateSecurity,
} from './security.form.ts';

const EMPTY: SecurityValues = {
  require_mfa: 'none',
  idle_minutes: '',
  session_hours: '',
  networks: '',
  break_glass_owners: [],
};

test('empty fields are the limits of the server and all networks', () => {
  assert.deepEqual(validateSecurity(EMPTY), {});
  const policy = { require_mfa: 'none', idle_minutes: null, session_hours: null, networks: [], break_glass_owners: [] };
  assert.deepEqual(toSecurityPolicy(EMPTY), policy);
  const server = { your_address: '192.0.2.1', server_idle_minutes: 60, server_session_hours: 24 };
  assert.deepEqual(
    toSecurityValues({ ...policy, require_mfa: 'none', ...server, owners: [], requires_sso: false }),
    EMPTY,
  );
});

test('networks are read from lines and lists', () => {
  assert.deepEqual(readNetworks(' 203.0.113.0/24\n\n2001:db8::/32 , 192.0.2.1;'), [
    '203.0.113.0/24',
    '2001:db8::/32',
    '192.0.2.1',
  ]);
});

test('an invalid value is reported at its field', () => {
  const wrong = { ...EMPTY, idle_minutes: '4', session_hours: '1.5', networks: '203.0.113.0/24\noffice' };
  assert.deepEqual(validateSecurity(wrong), {
    idle_minutes: 'Enter a whole number from 5 to 1440, or leave it empty.',
    session_hours: 'Enter a whole number from 1 to 720, or leave it empty.',
    networks: '“office” isn’t an address or a network such as 203.0.113.0/24.',
  });
  const many = Array.from({ length: 101 }, (_, i) => `10.0.${i}.0/24`).join('\n');
  assert.deepEqual(validateSecurity({ ...EMPTY, networks: many }), { networks: 'Enter at most 100 networks.' });
});
