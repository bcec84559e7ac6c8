import { RETENTION_WAIT_MS } from '@steward/contract/api/limits';
import type { ChannelType } from '@steward/contract/channels';
import type { RecordKind } from '@steward/contract/content';
import { RETENTION_KINDS, type RetentionKind, type RetentionRule } from '@steward/contract/retention/fields';
import { getRemoval } from '@steward/contract/retention/rules';
import type { KindCutoffs, RetentionScope } from '../expiry.ts';
import { type ActiveHold, holdsOn } from '../holds/active-holds.rules.ts';
import { computeCutoff } from './cutoff.rules.ts';
import type { TeamRules } from './rule-schedule.rules.ts';

export const KIND_OF_CHANNEL: Readonly<Record<ChannelType, RetentionKind>> = {
  O: 'public_channels',
  P: 'private_channels',
  D: 'direct_messages',
};

export const KIND_OF_RECORD: Readonly<Record<RecordKind, RetentionKind>> = {
  note: 'archived_notes',
  task: 'completed_tasks',
  meeting: 'meeting_history',
  meeting_recording: 'meeting_recordings',
  call: 'call_history',
  call_recording: 'call_recordings',
  voicemail: 'voicemails',
  communication: 'communication_history',
};

/** A moment, the team's time zone, when the rule was saved, and the holds on its kind. */
interface RuleMoment {
  now: number;
  timeZone: string;
  savedAt: number;
  holds: readonly ActiveHold[];
}

/** The items that a run would delete if it started now; null when the rule deletes nothing. */
export function getRetentionScope(
  teamId: string,
  rule: RetentionRule | null,
  { now, timeZone, savedAt, holds }: RuleMoment,
): RetentionScope | null {
  const removal = getRemoval(rule);
  const cutoff = removal && computeCutoff(removal.duration, now, timeZone);
  if (removal === null || cutoff === null) return null;
  return { teamId, clock: removal.clock, cutoff, keptSince: getKeptSince(now, savedAt), holds };
}

/** Items whose date was moved back after this moment are kept: for 24 hours, or until a rule saved later takes effect. */
export function getKeptSince(now: number, savedAt: number): number {
  return Math.max(now - RETENTION_WAIT_MS, savedAt);
}

export function getCurrentScope(teamId: string, kind: RetentionKind, rules: TeamRules): RetentionScope | null {
  return getRetentionScope(teamId, rules.byKind[kind].current, {
    ...rules,
    savedAt: rules.savedAt[kind],
    holds: holdsOn(kind, rules.holds),
  });
}

export type Cutoffs = Readonly<Record<RetentionKind, KindCutoffs>>;

/** The latest cutoff of each kind, of the current rule and of the one that is scheduled; null when no rule deletes anything. */
export function getCutoffs(teamId: string, rules: TeamRules): Cutoffs | null {
  let isNone = true;
  const toCutoffs = (kind: RetentionKind) => {
    const cutoffs = { own: 0, marked: 0 };
    const { current, scheduled } = rules.byKind[kind];
    for (const rule of [current, scheduled?.rule ?? null]) {
      const scope = getRetentionScope(teamId, rule, { ...rules, savedAt: 0, holds: [] });
      if (scope === null) continue;
      isNone = false;
      cutoffs[scope.clock] = Math.max(cutoffs[scope.clock], scope.cutoff);
    }
    return [kind, cutoffs];
  };
  const byKind = Object.fromEntries(RETENTION_KINDS.map(toCutoffs)) as Cutoffs;
  return isNone ? null : byKind;
}
