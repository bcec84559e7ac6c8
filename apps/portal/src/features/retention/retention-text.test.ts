import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RETENTION_KINDS, type SavedRule } from '@steward/contract/retention/fields';
import { formatDuration, formatKept, formatRule, KIND_WORDS, ruleClause } from './retention-text.ts';
import { GROUPS, getGroup, placeOf } from './rules/groups.ts';

const KEEP: SavedRule = { value: 0, canmark: 0 };
const LIMIT: SavedRule = { value: 1, duration: { count: 90, period: 'd' } };
const MARKED: SavedRule = { value: 0, canmark: 1, duration: { count: 1, period: 'm' } };
const now = { cutoff: Date.parse('2025-11-20T23:00:00Z'), zone: 'Europe/Berlin' };

describe('the groups of settings', () => {
  it('hold every kind once', () => {
    const kinds = GROUPS.flatMap(({ settings }) => settings.map(({ kind }) => kind));
    assert.deepEqual(kinds, [...RETENTION_KINDS]);
    assert.equal(placeOf('voicemails').group, getGroup('voice_retention'));
  });

  it('have the option texts of the spec', () => {
    const { setting } = placeOf('files');
    assert.equal(setting.keep, 'Keep all files forever');
    assert.equal(setting.limit, 'Keep all files, but only for a set duration');
    for (const kind of ['public_channels', 'private_channels', 'direct_messages'] as const) {
      assert.equal(placeOf(kind).setting.keep, 'Keep all messages forever');
      assert.equal(placeOf(kind).setting.limit, 'Keep all messages, but only for a set duration');
    }
    assert.equal(placeOf('archived_notes').setting.keep, 'Keep all archived notes forever');
  });
});

describe('what is kept', () => {
  it('is told with the date from the clock that the rule goes by', () => {
    assert.equal(
      formatKept('files', LIMIT, now),
      'Files created before November 21, 2025 (Europe/Berlin) are deleted every night.',
    );
    assert.match(formatKept('archived_notes', LIMIT, now), /^Notes archived before /);
    assert.equal(
      formatKept('direct_messages', MARKED, now),
      'Messages that were marked deleted before November 21, 2025 (Europe/Berlin) are removed every night. All others are kept.',
    );
  });

  it('is everything where nothing is cut off', () => {
    assert.equal(formatKept('files', KEEP, { ...now, cutoff: null }), 'Everything is kept.');
  });

  it('is said of the rule in force while another waits', () => {
    const waiting: SavedRule = { ...LIMIT, effective_at: 1, in_force: MARKED };
    assert.match(formatKept('files', waiting, now), /^Files that were marked deleted before/);
  });

  it('says so when what is stored cannot be read', () => {
    const text = formatKept('files', { value: 0, unreadable: true }, { ...now, cutoff: null });
    assert.equal(text, 'Nothing is deleted: the stored rule cannot be read. Save it again.');
  });
});

describe('a rule in words', () => {
  it('is short in a table', () => {
    const rules: SavedRule[] = [KEEP, LIMIT, MARKED, { value: 0, unreadable: true }];
    assert.deepEqual(rules.map(formatRule), [
      'Keep forever',
      'Keep 90 days',
      'Keep forever; 1 month once marked deleted',
      'Cannot be read',
    ]);
    assert.equal(formatRule({ value: 0, duration: { count: 5, period: 'y' } }), 'Keep forever');
  });

  it('follows «From tomorrow on,»', () => {
    assert.equal(ruleClause('voicemails', LIMIT), 'voicemails are kept for 90 days and then deleted');
    assert.equal(ruleClause('voicemails', KEEP), 'everything is kept');
    assert.equal(
      ruleClause('files', MARKED),
      'files that were marked deleted are removed after 1 month, all others are kept',
    );
  });

  it('counts one and many, and has words for every kind', () => {
    assert.equal(formatDuration({ count: 1, period: 'y' }), '1 year');
    assert.equal(formatDuration({ count: 2, period: 'm' }), '2 months');
    for (const kind of RETENTION_KINDS) assert.ok(KIND_WORDS[kind].many.length > 0);
  });
});
