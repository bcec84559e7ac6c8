import assert from 'node:assert/strict';
import { RETENTION_KINDS } from '@steward/contract/retention/fields';
import { it } from 'vitest';
import { findGroup, GROUPS, getGroupByKind } from './groups.ts';

it('has every kind in one group', () => {
  const kinds = GROUPS.flatMap(({ settings }) => settings.map(({ kind }) => kind));
  assert.deepEqual(kinds, [...RETENTION_KINDS]);
  assert.equal(getGroupByKind('voicemails'), findGroup('voice'));
  assert.equal(findGroup('other'), undefined);
});

it('has the option texts of the specification', () => {
  const options = ['files', 'messages', 'messages', 'messages', 'archived notes'];
  const settings = GROUPS.flatMap((group) => group.settings);
  for (const [at, all] of options.entries()) {
    assert.equal(settings[at]?.keep, `Keep all ${all} forever`);
    assert.equal(settings[at]?.limit, `Keep all ${all}, but only for a set duration`);
  }
});
