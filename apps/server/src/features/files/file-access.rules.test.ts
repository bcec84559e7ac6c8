import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canViewFile, type FileAccess } from './file-access.rules.ts';

const ME = 'm'.repeat(26);
const OTHER = 'o'.repeat(26);
const MEMBER = ['team_user'];
const ADMIN = ['team_user', 'team_admin'];
const DESK = ['team_admin', 'zendesk'];

const outside = { user_id: OTHER, channel_id: '', channel_name: null, roles: MEMBER, has_joined: false };
const inside = { ...outside, channel_id: 'c'.repeat(26), channel_name: 'plans' };

describe('who may view a file', () => {
  /** Description → relation of the caller to the file, and whether they may view it. */
  const CASES: [string, FileAccess, boolean][] = [
    ['their own outside any channel', { ...outside, user_id: ME }, true],
    ['another’s outside any channel', outside, false],
    ['another’s outside any channel, to an admin', { ...outside, roles: ADMIN }, true],
    ['the help desk’s own outside any channel', { ...outside, user_id: ME, roles: DESK }, false],
    ['in a channel that they joined', { ...inside, has_joined: true }, true],
    ['in a channel that they have not joined, though it is theirs', { ...inside, user_id: ME }, false],
    ['in a channel that they have not joined, to an admin', { ...inside, roles: ADMIN }, true],
    ['in general', { ...inside, channel_name: 'general' }, true],
    ['in general, to the help desk', { ...inside, channel_name: 'general', roles: DESK }, false],
    ['their own in a channel that is gone', { ...inside, channel_name: null, user_id: ME }, false],
    ['in a channel that is gone, to an admin', { ...inside, channel_name: null, roles: ADMIN }, true],
  ];
  for (const [what, standing, sees] of CASES) {
    it(`${sees ? 'shows' : 'hides'} one ${what}`, () => assert.equal(canViewFile(standing, ME), sees));
  }
});
