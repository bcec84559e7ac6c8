import { INACTIVITY_DAYS_MAX, INACTIVITY_DAYS_MIN } from '@steward/contract/api/limits';
import type { ActivitySource, InactivityRule } from '@steward/contract/users/inactivity';

export interface RuleValues extends Omit<InactivityRule, 'days'> {
  days: string;
}

export function toRuleValues(rule: InactivityRule): RuleValues {
  return { ...rule, days: String(rule.days) };
}

export function toRule(values: RuleValues): InactivityRule {
  return { ...values, days: Number(values.days) };
}

/** A rule that is off can be saved without a source. */
export function validateRule(
  values: RuleValues,
  sources: readonly ActivitySource[],
): Partial<Record<keyof RuleValues, string>> {
  const days = values.days.trim();
  const isNumber = /^\d{1,4}$/.test(days) && Number(days) >= INACTIVITY_DAYS_MIN && Number(days) <= INACTIVITY_DAYS_MAX;
  const isKnown = sources.some(({ kind, is_on }) => kind === values.source && is_on);
  return {
    ...(!isNumber && { days: `Enter a whole number from ${INACTIVITY_DAYS_MIN} to ${INACTIVITY_DAYS_MAX}.` }),
    ...(values.is_on &&
      !isKnown && { source: 'This source has not reported any activity yet, so the rule can’t be on.' }),
  };
}
