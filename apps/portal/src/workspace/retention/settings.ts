import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import type { RetentionKind, RetentionRule, SavedRule } from '@steward/contract/retention/fields';

/** A kind of content with a rule, as a form shows it. */
export interface Setting {
  kind: RetentionKind;
  title: string;
  keep: string;
  limit: string;
  /** False where users can't mark items deleted, although the kind offers it elsewhere. */
  hasMarking: boolean;
}

/** Keeps everything. */
export const NO_RULE: SavedRule = { value: 0 };

export type SavedRules = Partial<Record<RetentionKind, SavedRule | undefined>>;
export type Rules = Partial<Record<RetentionKind, RetentionRule>>;

/** `all` is the noun in the options, such as “files”. */
export function toSetting(kind: RetentionKind, all: string, hasMarking = true): Setting {
  return {
    kind,
    title: KIND_TEXT[kind].title,
    keep: `Keep all ${all} forever`,
    limit: `Keep all ${all}, but only for a set duration`,
    hasMarking,
  };
}
