import { RETENTION_COUNT_MAX, RETENTION_COUNT_MIN } from '@steward/contract/api/limits';
import type { Duration, Period, RetentionKind, RetentionRule } from '@steward/contract/retention/fields';
import { isMarkable, offersMarking } from '@steward/contract/retention/rules';
import { useState } from 'react';
import type { Rules, SavedRules, Setting } from './settings.ts';

/** The count is kept as typed. */
export interface RuleValues {
  value: '0' | '1';
  canmark: '0' | '1';
  count: string;
  period: Period;
}

/** A setting without edits is absent and follows the saved rule. */
export type Edits = Partial<Record<RetentionKind, RuleValues | undefined>>;

const KEEP: RetentionRule = { value: 0 };

export function toFormValues({ value, canmark, duration }: RetentionRule): RuleValues {
  return {
    value: value === 1 ? '1' : '0',
    canmark: canmark === 1 ? '1' : '0',
    count: duration === undefined ? '' : String(duration.count),
    period: duration?.period ?? 'd',
  };
}

export function asksMarking({ kind, hasMarking }: Setting, { value }: Pick<RuleValues, 'value'>): boolean {
  return hasMarking && offersMarking(kind, value === '1' ? 1 : 0);
}

/** The duration belongs to the set duration, to the marking of items, or to neither. */
export function getDurationPlacement(setting: Setting, values: RuleValues): 'limit' | 'mark' | 'none' {
  if (values.value === '1') return 'limit';
  return asksMarking(setting, values) && values.canmark === '1' ? 'mark' : 'none';
}

/** Returns undefined if the count is valid. */
export function getCountError(typed: string): string | undefined {
  const text = typed.trim();
  const range = `a whole number from ${RETENTION_COUNT_MIN} to ${RETENTION_COUNT_MAX}`;
  if (text === '') return `Enter ${range}.`;
  if (!/^[+-]?\d+(?:[.,]\d+)?$/.test(text)) return `“${shorten(text)}” isn't a number. Enter ${range}.`;
  if (/[.,]/.test(text)) return `${shorten(text)} isn't a whole number. Enter ${range}.`;
  if (Number(text) < RETENTION_COUNT_MIN) return `${shorten(text)} is too low. The minimum is ${RETENTION_COUNT_MIN}.`;
  if (Number(text) > RETENTION_COUNT_MAX) return `${shorten(text)} is too high. The maximum is ${RETENTION_COUNT_MAX}.`;
  return undefined;
}

function shorten(text: string): string {
  return text.length > 12 ? `${text.slice(0, 12)}…` : text;
}

/** Only a duration that applies can be invalid. */
export function getError(setting: Setting, values: RuleValues): string | undefined {
  return getDurationPlacement(setting, values) === 'none' ? undefined : getCountError(values.count);
}

/** Values that don't apply are ignored. */
export function isChanged(setting: Setting, values: RuleValues, saved: RetentionRule): boolean {
  const key = (one: RuleValues) => {
    const marking = asksMarking(setting, one) ? one.canmark : '';
    const duration = [one.count.trim().replace(/^\+?0*(?=\d)/, ''), one.period];
    return [one.value, marking, ...(getDurationPlacement(setting, one) === 'none' ? [] : duration)].join();
  };
  return key(values) !== key(toFormValues(saved));
}

/** If no duration applies, the saved one is sent, because the field may have any text. */
export function getRule(setting: Setting, values: RuleValues, saved: RetentionRule): RetentionRule {
  if (!isChanged(setting, values, saved)) return toPlainRule(saved);
  const typed: Duration = { count: Number(values.count), period: values.period };
  const duration = getDurationPlacement(setting, values) === 'none' ? saved.duration : typed;
  return {
    value: values.value === '1' ? 1 : 0,
    ...(duration && { duration }),
    ...(setting.hasMarking &&
      isMarkable(setting.kind) && {
        canmark: asksMarking(setting, values) && values.canmark === '1' ? (1 as const) : (0 as const),
      }),
  };
}

export function toPlainRule({ value, duration, canmark }: RetentionRule): RetentionRule {
  return { value, ...(duration && { duration }), ...(canmark !== undefined && { canmark }) };
}

/** A group is saved as a whole, so settings without edits are sent as saved. */
export function getRules(settings: readonly Setting[], saved: SavedRules, edits: Edits): Rules {
  const rules: Rules = {};
  for (const setting of settings) {
    const stored = saved[setting.kind] ?? KEEP;
    const values = edits[setting.kind];
    rules[setting.kind] = values === undefined ? toPlainRule(stored) : getRule(setting, values, stored);
  }
  return rules;
}

export function getChangedSettings(settings: readonly Setting[], saved: SavedRules, edits: Edits): readonly Setting[] {
  return settings.filter((setting) => {
    const values = edits[setting.kind];
    return values !== undefined && isChanged(setting, values, saved[setting.kind] ?? KEEP);
  });
}

export interface RulesFormState {
  getValues: (setting: Setting) => RuleValues;
  edit: (kind: RetentionKind, part: Partial<RuleValues>) => void;
  /** Errors are shown from the first attempt to save. */
  getError: (setting: Setting) => string | undefined;
  /** Returns undefined if the rule equals the saved one or is invalid. */
  getEdited: (setting: Setting) => RetentionRule | undefined;
  edits: Edits;
  changed: readonly Setting[];
  /** Returns the first invalid setting. */
  check: () => Setting | undefined;
  /** Without a kind, all edits are discarded. */
  reset: (kind?: RetentionKind) => void;
  /** Edits after the save was sent are kept. */
  markSaved: (sent: Edits) => void;
}

/** Settings without edits follow the saved rules, even when another admin changes them. */
export function useRulesForm(settings: readonly Setting[], saved: SavedRules): RulesFormState {
  const [edits, setEdits] = useState<Edits>({});
  const [isChecked, setChecked] = useState(false);
  const getSavedValues = (kind: RetentionKind) => toFormValues(saved[kind] ?? KEEP);
  const getValues = ({ kind }: Setting) => edits[kind] ?? getSavedValues(kind);
  const changed = getChangedSettings(settings, saved, edits);
  return {
    getValues,
    getEdited: (setting) => {
      if (!changed.includes(setting) || getError(setting, getValues(setting)) !== undefined) return undefined;
      return getRule(setting, getValues(setting), saved[setting.kind] ?? KEEP);
    },
    edits,
    changed,
    edit: (kind, part) =>
      setEdits((before) => ({ ...before, [kind]: { ...(before[kind] ?? getSavedValues(kind)), ...part } })),
    getError: (setting) => (isChecked ? getError(setting, getValues(setting)) : undefined),
    check: () => {
      const invalid = settings.find((setting) => getError(setting, getValues(setting)) !== undefined);
      setChecked(invalid !== undefined);
      return invalid;
    },
    reset: (kind) => {
      setChecked(false);
      setEdits((before) => (kind === undefined ? {} : { ...before, [kind]: undefined }));
    },
    markSaved: (sent) => {
      setChecked(false);
      setEdits((before) => (before === sent ? {} : before));
    },
  };
}
