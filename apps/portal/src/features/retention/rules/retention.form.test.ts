import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FileRetention, MessageRetention } from '@steward/contract/retention';
import { Duration, MarkRule, Period, type RetentionRule } from '@steward/contract/retention/fields';
import fc from 'fast-check';
import { getGroup, placeOf } from './groups.ts';
import {
  getChangedSettings,
  getCountError,
  getDurationPlacement,
  getError,
  getFormValues,
  getRule,
  getRules,
  isChanged,
  isClearlyLessStrict,
  needsMarking,
  type RuleValues,
} from './retention.form.ts';

const files = placeOf('files').setting;
const direct = placeOf('direct_messages').setting;
const channels = placeOf('public_channels').setting;
const notes = placeOf('archived_notes').setting;

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
  it('says what is wrong with it and what would be right', () => {
    const faults = ['', '12abc', '1.5', '0', '-3', '1000', '1e2'].map(getCountError);
    assert.deepEqual(faults, [
      'Enter a whole number from 1 to 999.',
      '“12abc” is not a number. Enter a whole number from 1 to 999.',
      '1.5 is not a whole number. Enter a whole number from 1 to 999.',
      '0 is too low: it starts at 1.',
      '-3 is too low: it starts at 1.',
      '1000 is too high: it ends at 999.',
      '“1e2” is not a number. Enter a whole number from 1 to 999.',
    ]);
  });

  it('may be anything from 1 to 999, with spaces around it', () => {
    assert.deepEqual(['1', '999', ' 30 ', '007'].map(getCountError), [undefined, undefined, undefined, undefined]);
  });

  it('is accepted only when the contract accepts it too', () => {
    fc.assert(
      fc.property(anyCount, (text) => {
        if (getCountError(text) !== undefined) return;
        assert.ok(Duration.safeParse({ count: Number(text), period: 'd' }).success, text);
      }),
    );
  });
});

describe('where the duration is asked for', () => {
  it('is where something is kept for it', () => {
    assert.equal(getDurationPlacement(channels, values()), 'none');
    assert.equal(getDurationPlacement(channels, values({ value: '1' })), 'limit');
    assert.equal(getDurationPlacement(notes, values({ canmark: '1' })), 'none');
  });

  it('is also where users may mark files or direct messages as deleted', () => {
    assert.equal(getDurationPlacement(files, values({ canmark: '1' })), 'mark');
    assert.equal(getDurationPlacement(direct, values({ canmark: '1' })), 'mark');
    assert.equal(getDurationPlacement(files, values({ value: '1', canmark: '1' })), 'limit');
  });

  it('goes with marking, which files always offer and direct messages only while they are kept', () => {
    assert.deepEqual(
      [files, direct, channels].flatMap((setting) => [
        needsMarking(setting, { value: '0' }),
        needsMarking(setting, { value: '1' }),
      ]),
      [true, true, true, false, false, false],
    );
  });

  it('is the only place that can be wrong', () => {
    assert.equal(getError(channels, values({ count: 'x' })), undefined);
    assert.match(getError(channels, values({ value: '1', count: 'x' })) ?? '', /not a number/);
  });
});

describe('a change', () => {
  it('is only what applies', () => {
    assert.equal(isChanged(channels, values({ count: 'x', period: 'y' }), KEEP), false);
    assert.equal(isChanged(channels, values({ value: '1', count: '90' }), DAYS_90), false);
    assert.equal(isChanged(channels, values({ value: '1', count: ' 090 ' }), DAYS_90), false);
    assert.equal(isChanged(channels, values({ value: '1', count: '90', period: 'm' }), DAYS_90), true);
    assert.equal(isChanged(files, values({ canmark: '1', count: '5' }), KEEP), true);
    assert.equal(isChanged(direct, values({ value: '1', count: '90', canmark: '1' }), DAYS_90), false);
  });

  it('is none in a form as it opens', () => {
    fc.assert(
      fc.property(anyRule, fc.constantFrom(files, direct, notes), (rule, setting) => {
        assert.equal(isChanged(setting, getFormValues(rule), rule), false);
      }),
    );
  });
});

describe('the body', () => {
  it('keeps what was typed out where no duration applies, and sends the stored one', () => {
    const kept = getRule(files, values({ count: '12abc' }), DAYS_90);
    assert.deepEqual(kept, { value: 0, canmark: 0, duration: { count: 90, period: 'd' } });
    assert.deepEqual(getRule(channels, values({ count: '0' }), KEEP), { value: 0 });
  });

  it('has canmark only where the setting has it', () => {
    const limited = values({ value: '1', count: '3', period: 'm', canmark: '1' });
    const duration = { count: 3, period: 'm' };
    assert.deepEqual(getRule(files, limited, KEEP), { value: 1, duration, canmark: 1 });
    assert.deepEqual(getRule(direct, limited, KEEP), { value: 1, duration, canmark: 0 });
    assert.deepEqual(getRule(notes, limited, KEEP), { value: 1, duration });
  });

  it('is accepted by the contract whenever the form has no fault, whatever was typed', () => {
    fc.assert(
      fc.property(anyValues, anyRule, (typed, stored) => {
        const saved = MarkRule.parse(stored);
        if (getError(files, typed) !== undefined) return;
        assert.ok(FileRetention.safeParse(getRule(files, typed, saved)).success);
      }),
      { numRuns: 1_000 },
    );
  });

  it('holds the other settings of the group as they are stored, without what is answered beside them', () => {
    const { settings } = getGroup('message_retention');
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

describe('a rule that is plainly milder', () => {
  it('keeps everything, or keeps longer in the same unit', () => {
    assert.equal(isClearlyLessStrict(KEEP, DAYS_90), true);
    assert.equal(isClearlyLessStrict({ value: 1, duration: { count: 91, period: 'd' } }, DAYS_90), true);
    assert.equal(isClearlyLessStrict({ value: 0, canmark: 0, duration: { count: 1, period: 'd' } }, DAYS_90), true);
  });

  it('is none that is shorter, or that only a calendar or the server can compare', () => {
    for (const rule of [
      { value: 1, duration: { count: 89, period: 'd' } },
      { value: 1, duration: { count: 3, period: 'm' } },
      { value: 0, canmark: 1, duration: { count: 90, period: 'd' } },
    ] as RetentionRule[]) {
      assert.equal(isClearlyLessStrict(rule, DAYS_90), false);
    }
    assert.equal(isClearlyLessStrict(DAYS_90, KEEP), false);
  });
});
