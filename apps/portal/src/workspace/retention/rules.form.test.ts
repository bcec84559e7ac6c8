import assert from 'node:assert/strict';
import { FileRetention, MessageRetention } from '@steward/contract/retention';
import { Duration, MarkRule, Period, type RetentionRule } from '@steward/contract/retention/fields';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import {
  asksMarking,
  getChangedSettings,
  getCountError,
  getDurationPlacement,
  getError,
  getRule,
  getRules,
  isChanged,
  type RuleValues,
  toFormValues,
} from './rules.form.ts';
import { toSetting } from './settings.ts';

const files = toSetting('files', 'files');
const direct = toSetting('direct_messages', 'messages');
const channels = toSetting('public_channels', 'messages');
const notes = toSetting('archived_notes', 'archived notes');

const KEEP: RetentionRule = { value: 0 };
const DAYS_90: RetentionRule = { value: 1, duration: { count: 90, period: 'd' }, canmark: 0 };

function values(over: Partial<RuleValues> = {}): RuleValues {
  return { value: '0', canmark: '0', count: '', period: 'd', ...over };
}

const anyCount = fc.oneof(fc.string(), fc.integer({ min: -5, max: 1_200 }).map(String), fc.double().map(String));
const anyValues = fc.record<RuleValues>({
  value: fc.constantFrom('0', '1'),
  canmark: fc.constantFrom('0', '1'),
  count: anyCount,
  period: fc.constantFrom(...Period.options),
});
const anyRule = fc.oneof(
  fc.constant<RetentionRule>({ value: 0 }),
  fc.record({
    value: fc.constantFrom(0 as const, 1 as const),
    canmark: fc.constantFrom(0 as const, 1 as const),
    duration: fc.record({ count: fc.integer({ min: 1, max: 999 }), period: fc.constantFrom(...Period.options) }),
  }),
);

describe('a count', () => {
  it('has an error that says what is wrong and what is valid', () => {
    const errors = ['', '12abc', '1.5', '0', '-3', '1000', '1e2'].map(getCountError);
    assert.deepEqual(errors, [
      'Enter a whole number from 1 to 999.',
      "“12abc” isn't a number. Enter a whole number from 1 to 999.",
      "1.5 isn't a whole number. Enter a whole number from 1 to 999.",
      '0 is too low. The minimum is 1.',
      '-3 is too low. The minimum is 1.',
      '1000 is too high. The maximum is 999.',
      "“1e2” isn't a number. Enter a whole number from 1 to 999.",
    ]);
  });

  it('can be anything from 1 to 999, with spaces around it', () => {
    assert.deepEqual(['1', '999', ' 30 ', '007'].map(getCountError), [undefined, undefined, undefined, undefined]);
  });

  it('is valid only if the contract accepts it', () => {
    fc.assert(
      fc.property(anyCount, (text) => {
        if (getCountError(text) !== undefined) return;
        assert.ok(Duration.safeParse({ count: Number(text), period: 'd' }).success, text);
      }),
    );
  });
});

describe('the duration', () => {
  it('belongs to the set duration', () => {
    assert.equal(getDurationPlacement(channels, values()), 'none');
    assert.equal(getDurationPlacement(channels, values({ value: '1' })), 'limit');
    assert.equal(getDurationPlacement(notes, values({ canmark: '1' })), 'none');
  });

  it('belongs to marking where users can mark files or direct messages deleted', () => {
    assert.equal(getDurationPlacement(files, values({ canmark: '1' })), 'mark');
    assert.equal(getDurationPlacement(direct, values({ canmark: '1' })), 'mark');
    assert.equal(getDurationPlacement(files, values({ value: '1', canmark: '1' })), 'limit');
  });

  it('belongs to marking, which is always offered for files, and for direct messages only when kept forever', () => {
    assert.deepEqual(
      [files, direct, channels].flatMap((setting) => [
        asksMarking(setting, { value: '0' }),
        asksMarking(setting, { value: '1' }),
      ]),
      [true, true, true, false, false, false],
    );
  });

  it('is the only value that can be invalid', () => {
    assert.equal(getError(channels, values({ count: 'x' })), undefined);
    assert.match(getError(channels, values({ value: '1', count: 'x' })) ?? '', /isn't a number/);
  });
});

describe('a change', () => {
  it('ignores values that do not apply', () => {
    assert.equal(isChanged(channels, values({ count: 'x', period: 'y' }), KEEP), false);
    assert.equal(isChanged(channels, values({ value: '1', count: '90' }), DAYS_90), false);
    assert.equal(isChanged(channels, values({ value: '1', count: ' 090 ' }), DAYS_90), false);
    assert.equal(isChanged(channels, values({ value: '1', count: '90', period: 'm' }), DAYS_90), true);
    assert.equal(isChanged(files, values({ canmark: '1', count: '5' }), KEEP), true);
    assert.equal(isChanged(direct, values({ value: '1', count: '90', canmark: '1' }), DAYS_90), false);
  });

  it('is absent in a form that was just opened', () => {
    fc.assert(
      fc.property(anyRule, fc.constantFrom(files, direct, notes), (rule, setting) => {
        assert.equal(isChanged(setting, toFormValues(rule), rule), false);
      }),
    );
  });
});

describe('the request body', () => {
  it('has the saved duration where none applies, not what was typed', () => {
    const kept = getRule(files, values({ count: '12abc' }), DAYS_90);
    assert.deepEqual(kept, { value: 0, canmark: 0, duration: { count: 90, period: 'd' } });
    assert.deepEqual(getRule(channels, values({ count: '0' }), KEEP), { value: 0 });
  });

  it('has canmark only for kinds that can be marked', () => {
    const limited = values({ value: '1', count: '3', period: 'm', canmark: '1' });
    const duration = { count: 3, period: 'm' };
    assert.deepEqual(getRule(files, limited, KEEP), { value: 1, duration, canmark: 1 });
    assert.deepEqual(getRule(direct, limited, KEEP), { value: 1, duration, canmark: 0 });
    assert.deepEqual(getRule(notes, limited, KEEP), { value: 1, duration });
  });

  it('is accepted by the contract whenever the form has no error', () => {
    fc.assert(
      fc.property(anyValues, anyRule, (typed, stored) => {
        const saved = MarkRule.parse(stored);
        if (getError(files, typed) !== undefined) return;
        assert.ok(FileRetention.safeParse(getRule(files, typed, saved)).success);
      }),
      { numRuns: 1_000 },
    );
  });

  it('has the other settings of the group as saved, without response fields', () => {
    const settings = [channels, toSetting('private_channels', 'messages'), direct];
    const saved = { public_channels: { ...DAYS_90, effective_at: 5, in_force: KEEP }, private_channels: KEEP };
    const edits = { direct_messages: values({ value: '1', count: '1', period: 'y' }) };
    const rules = getRules(settings, saved, edits);
    assert.deepEqual(rules, {
      public_channels: DAYS_90,
      private_channels: KEEP,
      direct_messages: { value: 1, duration: { count: 1, period: 'y' }, canmark: 0 },
    });
    assert.ok(MessageRetention.safeParse(rules).success);
    assert.deepEqual(
      getChangedSettings(settings, saved, edits).map(({ kind }) => kind),
      ['direct_messages'],
    );
  });
});
