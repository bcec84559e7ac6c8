import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { describeCutoff, describeRule, formatDay, formatDuration, summarizeRule } from './describe-rule.ts';
import { RETENTION_KINDS, type SavedRule } from './fields.ts';

const KEEP: SavedRule = { value: 0, canmark: 0 };
const LIMIT: SavedRule = { value: 1, duration: { count: 90, period: 'd' } };
const MARKED: SavedRule = { value: 0, canmark: 1, duration: { count: 1, period: 'm' } };
const DAY = 'Nov 21, 2025 (Europe/Berlin)';

describe('a rule', () => {
  it('is summarized in a few words', () => {
    assert.deepEqual([KEEP, LIMIT, MARKED].map(summarizeRule), [
      'Keep forever',
      'Keep 90 days',
      'Keep forever; 1 month once marked deleted',
    ]);
    assert.equal(summarizeRule({ value: 0, duration: { count: 5, period: 'y' } }), 'Keep forever');
  });

  it('is described in sentences that name the items and the date it counts from', () => {
    assert.equal(describeRule('voicemails', LIMIT), 'Voicemails are deleted 90 days after they are received.');
    assert.equal(
      describeRule('public_channels', LIMIT),
      'Messages in public channels are deleted 90 days after they are posted.',
    );
    assert.equal(describeRule('call_history', KEEP), 'All calls are kept.');
    assert.equal(
      describeRule('files', MARKED),
      'Files that users mark deleted are removed after 1 month. All others are kept.',
    );
    assert.equal(describeRule('files', null), "No files are deleted because the stored rule can't be read.");
  });

  it('has a description for every kind', () => {
    for (const kind of RETENTION_KINDS)
      assert.match(describeRule(kind, LIMIT), /^[A-Z].* are deleted 90 days after they /);
  });
});

describe('what a rule deletes every night', () => {
  it('names the cutoff and the date it applies to', () => {
    assert.equal(describeCutoff('files', LIMIT, DAY), `Files created before ${DAY} are deleted every night.`);
    assert.match(describeCutoff('archived_notes', LIMIT, DAY), /^Notes archived before /);
    assert.equal(
      describeCutoff('direct_messages', MARKED, DAY),
      `Direct messages that users marked deleted before ${DAY} are deleted every night. All others are kept.`,
    );
  });

  it('is nothing without a cutoff', () => {
    assert.equal(describeCutoff('files', KEEP, null), 'All files are kept.');
  });

  it('follows the current rule until a scheduled one takes effect', () => {
    const scheduled: SavedRule = { ...LIMIT, effective_at: 1, in_force: MARKED };
    assert.match(describeCutoff('files', scheduled, DAY), /^Files that users marked deleted before/);
  });

  it('is nothing when the stored rule is unreadable, and asks to save it again', () => {
    const text = describeCutoff('files', { value: 0, unreadable: true }, null);
    assert.equal(text, "No files are deleted because the stored rule can't be read. Save it again.");
  });
});

describe('dates and durations', () => {
  it('are written in one short format', () => {
    assert.equal(formatDuration({ count: 1, period: 'y' }), '1 year');
    assert.equal(formatDuration({ count: 2, period: 'm' }), '2 months');
    const midnight = Date.parse('2025-11-20T23:00:00Z');
    assert.equal(formatDay(midnight, 'Europe/Berlin'), 'Nov 21, 2025');
    assert.equal(formatDay(midnight, 'UTC'), 'Nov 20, 2025');
    assert.equal(formatDay(midnight, 'Nowhere/At_All'), 'Nov 20, 2025');
  });
});
