import { z } from 'zod';
import { RETENTION_COUNT_MAX, RETENTION_COUNT_MIN } from '../api/limits.ts';

/** What a rule can be set for, in the order of the screens; each is deleted by itself (spec §3, design §6). */
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

/** One of them, by the name it has in the settings; files go by `files`. */
export const RetentionKind = z.enum(RETENTION_KINDS);
export type RetentionKind = z.infer<typeof RetentionKind>;

/** Days, months or years of the calendar (spec §9). */
export const Period = z.enum(['d', 'm', 'y'], { error: 'must be d (days), m (months) or y (years)' });
export type Period = z.infer<typeof Period>;

const COUNT = `must be a whole number from ${RETENTION_COUNT_MIN} to ${RETENTION_COUNT_MAX}`;

/** How long something is kept (spec §5). */
export const Duration = z.object({
  count: z.int(COUNT).min(RETENTION_COUNT_MIN, COUNT).max(RETENTION_COUNT_MAX, COUNT),
  period: Period,
});
export type Duration = z.infer<typeof Duration>;

const Switch = z.union([z.literal(0), z.literal(1)], { error: 'must be 0 or 1' });

const keep = {
  /** 0 keep forever, 1 keep for the duration. */
  value: Switch,
  duration: Duration.optional(),
};
const REQUIRED = { path: ['duration'], error: 'is required' };

/** A rule: keep forever, or for a duration (spec §3). */
export const KeepRule = z.object(keep).refine(({ value, duration }) => value === 0 || duration !== undefined, REQUIRED);
export type KeepRule = z.infer<typeof KeepRule>;

/**
 * A rule for what people may also mark as deleted: with `canmark` 1 it is removed the duration after it was marked
 * (spec §3). Left out, `canmark` is 0.
 */
export const MarkRule = z
  .object({ ...keep, canmark: Switch.default(0) })
  .refine(({ value, canmark, duration }) => (value === 0 && canmark === 0) || duration !== undefined, REQUIRED);
export type MarkRule = z.infer<typeof MarkRule>;

/** Any of the two. */
export interface RetentionRule extends KeepRule {
  canmark?: 0 | 1 | undefined;
}

const rule = { value: Switch, duration: Duration.optional(), canmark: Switch.optional() };

/** A rule as it is answered: what was saved and, until it begins, what rules in its place. */
export const SavedRule = z.object({
  ...rule,
  /** When the saved rule begins, in milliseconds; left out when it rules already (design §6). */
  effective_at: z.int().optional(),
  /** The rule that rules until then. */
  in_force: z.object(rule).optional(),
  /** What is stored is no rule that can be read: nothing is deleted by it until it is saved again. */
  unreadable: z.literal(true).optional(),
});
export type SavedRule = z.infer<typeof SavedRule>;
