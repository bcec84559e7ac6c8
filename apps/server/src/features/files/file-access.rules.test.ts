import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { type FileAccess, getFileReading } from './file-access.rules.ts';

const ME = 'm'.repeat(26);
const OTHER = 'o'.repeat(26);
const MEMBER = ['team_user'];
const ADMIN = ['team_user', 'team_admin'];
const DESK = ['team_admin', 'zendesk'];

const none = { has_joined: false, has_compliance_access: false };
const outside = { user_id: OTHER, channel_id: '', channel_name: null, channel_type: null, roles: MEMBER, ...none };
const open = { ...outside, channel_id: 'c'.repeat(26), channel_name: 'plans', channel_type: 'O' as const };
const closed = { ...open, channel_type: 'P' as const };
const gone = { ...open, channel_name: null, channel_type: null };

describe('who may view a file', () => {
  /** A description, the caller's relation to the file, and the expected access. */
  const CASES: [string, FileAccess, 'own' | 'compliance' | null][] = [
    ['their own outside any channel', { ...outside, user_id: ME }, 'own'],
    ['another’s outside any channel', outside, null],
    ['another’s outside any channel, to an admin', { ...outside, roles: ADMIN }, 'own'],
    ['the help desk’s own outside any channel', { ...outside, user_id: ME, roles: DESK }, null],
    ['in a channel that they joined', { ...closed, has_joined: true }, 'own'],
    ['in a channel that they have not joined, though it is theirs', { ...open, user_id: ME }, null],
    ['in a public channel that they have not joined, to an admin', { ...open, roles: ADMIN }, 'own'],
    ['in a private channel that they have not joined, to an admin', { ...closed, roles: ADMIN }, null],
    ['in a conversation of others, to an admin', { ...closed, channel_type: 'D', roles: ADMIN }, null],
    ['in a private channel, by compliance access', { ...closed, has_compliance_access: true }, 'compliance'],
    [
      'in a private channel, by compliance access, to the help desk',
      { ...closed, roles: DESK, has_compliance_access: true },
      null,
    ],
    ['in a private channel that they joined too', { ...closed, has_joined: true, has_compliance_access: true }, 'own'],
    ['in general', { ...open, channel_name: 'general' }, 'own'],
    ['in general, to the help desk', { ...open, channel_name: 'general', roles: DESK }, null],
    ['their own in a channel that is gone', { ...gone, user_id: ME }, null],
    ['in a channel that is gone, to an admin', { ...gone, roles: ADMIN }, null],
  ];
  for (const [what, standing, reading] of CASES) {
    it(`${reading === null ? 'hides' : 'shows'} one ${what}`, () =>
      assert.equal(getFileReading(standing, ME), reading));
  }
});
