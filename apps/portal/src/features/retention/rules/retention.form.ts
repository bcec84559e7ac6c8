import { RETENTION_COUNT_MAX, RETENTION_COUNT_MIN } from '@steward/contract/api/limits';
import type { Duration, Period, RetentionKind, RetentionRule, SavedRule } from '@steward/contract/retention/fields';
import type { Setting } from './groups.ts';

/** What the form holds for a setting; the count as it was typed. */
export interface RuleValues {
  value: '0' | '1';
  canmark: '0' | '1';
  count: string;
  period: Period;
}

/** Rules of a group as they are answered, and as they are sent. */
export type SavedRules = Partial<Record<RetentionKind, SavedRule>>;
export type Rules = Partial<Record<RetentionKind, RetentionRule>>;

/** What somebody entered; a setting that nobody touched is absent and follows what is stored. */
export type Edits = Partial<Record<RetentionKind, RuleValues>>;

/** The form as it opens. */
export function getFormValues(rule: RetentionRule): RuleValues {
  const { value, canmark, duration } = rule;
  return {
    value: value === 1 ? '1' : '0',
    canmark: canmark === 1 ? '1' : '0',
    count: duration === undefined ? '' : String(duration.count),
    period: duration?.period ?? 'd',
  };
}

/** Whether people may mark things as deleted is asked here (spec §5). */
export function needsMarking({ marking }: Setting, { value }: Pick<RuleValues, 'value'>): boolean {
  return marking === 'always' || (marking === 'when kept' && value === '0');
}

/** Where the duration belongs: to what is kept for it, to what is marked as deleted, or nowhere (spec §4). */
export function getDurationPlacement(setting: Setting, values: RuleValues): 'limit' | 'mark' | 'none' {
  if (values.value === '1') return 'limit';
  return needsMarking(setting, values) && values.canmark === '1' ? 'mark' : 'none';
}

/** What is wrong with a count, in words; nothing when it can be sent (spec §5). */
export function getCountError(typed: string): string | undefined {
  const text = typed.trim();
  const range = `a whole number from ${RETENTION_COUNT_MIN} to ${RETENTION_COUNT_MAX}`;
  if (text === '') return `Enter ${range}.`;
  if (!/^[+-]?\d+(?:[.,]\d+)?$/.test(text)) return `“${shortened(text)}” is not a number. Enter ${range}.`;
  if (/[.,]/.test(text)) return `${shortened(text)} is not a whole number. Enter ${range}.`;
  if (Number(text) < RETENTION_COUNT_MIN) return `${shortened(text)} is too low: it starts at ${RETENTION_COUNT_MIN}.`;
  if (Number(text) > RETENTION_COUNT_MAX) return `${shortened(text)} is too high: it ends at ${RETENTION_COUNT_MAX}.`;
  return undefined;
}

function shortened(text: string): string {
  return text.length > 12 ? `${text.slice(0, 12)}…` : text;
}

/** What is wrong with a setting: only a duration that applies can be wrong. */
export function getError(setting: Setting, values: RuleValues): string | undefined {
  return getDurationPlacement(setting, values) === 'none' ? undefined : getCountError(values.count);
}

/** Whether the form says something else than what is stored; what does not apply says nothing. */
export function isChanged(setting: Setting, values: RuleValues, saved: RetentionRule): boolean {
  const said = (one: RuleValues) => {
    const place = getDurationPlacement(setting, one);
    const marks = needsMarking(setting, one) ? one.canmark : '';
    return [one.value, marks, ...(place === 'none' ? [] : [one.count.trim().replace(/^\+?0*(?=\d)/, ''), one.period])];
  };
  return said(values).join() !== said(getFormValues(saved)).join();
}

/** The rule to send. Where no duration applies, the stored one goes along: what was typed there may be anything. */
export function getRule(setting: Setting, values: RuleValues, saved: RetentionRule): RetentionRule {
  if (!isChanged(setting, values, saved)) return toPlainRule(saved);
  const typed: Duration = { count: Number(values.count), period: values.period };
  const duration = getDurationPlacement(setting, values) === 'none' ? saved.duration : typed;
  return {
    value: values.value === '1' ? 1 : 0,
    ...(duration && { duration }),
    ...(setting.marking !== undefined && {
      canmark: needsMarking(setting, values) && values.canmark === '1' ? (1 as const) : (0 as const),
    }),
  };
}

/** A rule without what is answered beside it. */
export function toPlainRule({ value, duration, canmark }: RetentionRule): RetentionRule {
  return { value, ...(duration && { duration }), ...(canmark !== undefined && { canmark }) };
}

/** The group with what was entered, ready to be sent: settings that nobody changed as they are stored. */
export function getRules(settings: readonly Setting[], saved: SavedRules, edits: Edits): Rules {
  const rules: Rules = {};
  for (const setting of settings) {
    const stored = saved[setting.kind] ?? { value: 0 };
    const values = edits[setting.kind];
    rules[setting.kind] = values === undefined ? toPlainRule(stored) : getRule(setting, values, stored);
  }
  return rules;
}

/** The settings that say something else than what is stored. */
export function getChangedSettings(settings: readonly Setting[], saved: SavedRules, edits: Edits): readonly Setting[] {
  return settings.filter((setting) => {
    const values = edits[setting.kind];
    return values !== undefined && isChanged(setting, values, saved[setting.kind] ?? { value: 0 });
  });
}

/**
 * Whether a rule can only delete less than the one in force, as far as that is plain without a calendar. Anything else is
 * for the server to say.
 */
export function isClearlyLessStrict(rule: RetentionRule, inForce: RetentionRule): boolean {
  const reach = getReach(rule);
  if (reach === 'nothing') return true;
  if (reach !== getReach(inForce) || !rule.duration || !inForce.duration) return false;
  return rule.duration.period === inForce.duration.period && rule.duration.count >= inForce.duration.count;
}

function getReach({ value, canmark, duration }: RetentionRule): 'everything' | 'marked' | 'nothing' {
  if (duration === undefined) return 'nothing';
  if (value === 1) return 'everything';
  return canmark === 1 ? 'marked' : 'nothing';
}
