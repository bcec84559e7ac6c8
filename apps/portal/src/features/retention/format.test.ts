import assert from 'node:assert/strict';
import { RETENTION_KINDS } from '@steward/contract/retention/fields';
import { it } from 'vitest';
import { formatTimeSpan } from './format.ts';
import { findGroup, GROUPS, getGroupByKind } from './groups.ts';

it('formats a duration in at most two units', () => {
  const texts = [-5, 999, 1_000, 59_999, 60_000, 185_000, 3_600_000, 7_800_000].map(formatTimeSpan);
  assert.deepEqual(texts, ['under 1 s', 'under 1 s', '1 s', '59 s', '1 min', '3 min 5 s', '1 h', '2 h 10 min']);
});

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
