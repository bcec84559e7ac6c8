import { z } from 'zod';
import { RETENTION_COUNT_MAX, RETENTION_COUNT_MIN } from '../api/limits.ts';

/** Kinds of content with a rule of their own, in the order of the screens. */
export const RETENTION_KINDS = [
  'files',
  'public_channels',
  'private_channels',
  'direct_messages',
  'archived_notes',
  'completed_tasks',
  'meeting_history',
  'meeting_recordings',
  'call_history',
  'call_recordings',
  'voicemails',
  'communication_history',
] as const;

/** The names are those of the settings. */
export const RetentionKind = z.enum(RETENTION_KINDS);
export type RetentionKind = z.infer<typeof RetentionKind>;

/** Days, months or years of the calendar. */
export const Period = z.enum(['d', 'm', 'y'], { error: 'must be d (days), m (months) or y (years)' });
export type Period = z.infer<typeof Period>;

const COUNT = `must be a whole number from ${RETENTION_COUNT_MIN} to ${RETENTION_COUNT_MAX}`;

export const Duration = z.object({
  count: z.int(COUNT).min(RETENTION_COUNT_MIN, COUNT).max(RETENTION_COUNT_MAX, COUNT),
  period: Period,
});
export type Duration = z.infer<typeof Duration>;

export const HeldCount = z.object({ count: z.int(), bytes: z.int() });
export type HeldCount = z.infer<typeof HeldCount>;

const Switch = z.union([z.literal(0), z.literal(1)], { error: 'must be 0 or 1' });

const keep = {
  /** 0 keep forever, 1 keep for the duration. */
  value: Switch,
  duration: Duration.optional(),
};
const REQUIRED = { path: ['duration'], error: 'is required' };

export const KeepRule = z.object(keep).refine(({ value, duration }) => value === 0 || duration !== undefined, REQUIRED);
export type KeepRule = z.infer<typeof KeepRule>;

/**
 * A rule for items that users can mark deleted: with `canmark` 1, marked items are removed after the duration. `canmark`
 * defaults to 0.
 */
export const MarkRule = z
  .object({ ...keep, canmark: Switch.default(0) })
  .refine(({ value, canmark, duration }) => (value === 0 && canmark === 0) || duration !== undefined, REQUIRED);
export type MarkRule = z.infer<typeof MarkRule>;

export interface RetentionRule extends KeepRule {
  canmark?: 0 | 1 | undefined;
}

const rule = { value: Switch, duration: Duration.optional(), canmark: Switch.optional() };

/** The saved rule and, while it is a scheduled one, the current rule. */
export const SavedRule = z.object({
  ...rule,
  /** Time at which a scheduled rule takes effect, in milliseconds. */
  effective_at: z.int().optional(),
  /** The current rule; absent if the saved rule is the current one. */
  in_force: z.object(rule).optional(),
  /** The stored rule can't be read: nothing is deleted until it is saved again. */
  unreadable: z.literal(true).optional(),
});
export type SavedRule = z.infer<typeof SavedRule>;
