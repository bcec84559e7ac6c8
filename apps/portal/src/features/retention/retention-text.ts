import type { RunState } from '@steward/contract/retention';
import type { Duration, Period, RetentionKind, RetentionRule, SavedRule } from '@steward/contract/retention/fields';
import { formatDay } from './runs/format.ts';

/** How the items of a kind are spoken of. */
interface KindWords {
  one: string;
  many: string;
  /** Begins “… before November 21, 2025 are deleted every night”. */
  since: string;
}

/** Words for each kind; what `since` says is the clock that its rule goes by (design §6). */
export const KIND_WORDS: Record<RetentionKind, KindWords> = {
  files: { one: 'file', many: 'files', since: 'Files created' },
  public_channels: { one: 'message', many: 'messages', since: 'Messages posted' },
  private_channels: { one: 'message', many: 'messages', since: 'Messages posted' },
  direct_messages: { one: 'message', many: 'messages', since: 'Messages posted' },
  archived_notes: { one: 'note', many: 'notes', since: 'Notes archived' },
  completed_tasks: { one: 'task', many: 'tasks', since: 'Tasks completed' },
  meeting_history: { one: 'meeting', many: 'meetings', since: 'Meetings that ended' },
  meeting_recordings: { one: 'recording', many: 'recordings', since: 'Recordings that ended' },
  call_history: { one: 'call', many: 'calls', since: 'Calls that ended' },
  call_recordings: { one: 'recording', many: 'recordings', since: 'Recordings that ended' },
  voicemails: { one: 'voicemail', many: 'voicemails', since: 'Voicemails received' },
  communication_history: { one: 'communication', many: 'communications', since: 'Communications received' },
};

export const STATE_WORDS: Record<RunState, string> = {
  running: 'Running',
  finished: 'Finished',
  stopped: 'Stopped',
  refused: 'Refused',
  failed: 'Failed',
};

export const PERIOD_WORDS: Record<Period, string> = { d: 'Days', m: 'Months', y: 'Years' };

/** “1 day”, “18 months” */
export function formatDuration({ count, period }: Duration): string {
  const word = { d: 'day', m: 'month', y: 'year' }[period];
  return `${count} ${count === 1 ? word : `${word}s`}`;
}

/** What a rule goes by: when items came to be, when they were marked, or nothing that would ever delete them. */
function getRemoval({ value, canmark, duration }: RetentionRule): { marked: boolean; after: string } | null {
  if (duration === undefined) return null;
  if (value === 1) return { marked: false, after: formatDuration(duration) };
  return canmark === 1 ? { marked: true, after: formatDuration(duration) } : null;
}

/** A rule in a few words, for a table: “Keep 90 days”. */
export function formatRule(rule: SavedRule): string {
  if (rule.unreadable) return 'Cannot be read';
  const removal = getRemoval(rule);
  if (removal === null) return 'Keep forever';
  return removal.marked ? `Keep forever; ${removal.after} once marked deleted` : `Keep ${removal.after}`;
}

/** What is kept now, in a sentence with the date that counts. */
export function formatKept(
  kind: RetentionKind,
  rule: SavedRule,
  { cutoff, zone }: { cutoff: number | null; zone: string },
): string {
  if (rule.unreadable) return 'Nothing is deleted: the stored rule cannot be read. Save it again.';
  const ruling = rule.in_force ?? rule;
  if (cutoff === null) return 'Everything is kept.';
  const date = `${formatDay(cutoff, zone)} (${zone})`;
  if (getRemoval(ruling)?.marked !== true) return `${KIND_WORDS[kind].since} before ${date} are deleted every night.`;
  const { many } = KIND_WORDS[kind];
  return `${capitalize(many)} that were marked deleted before ${date} are removed every night. All others are kept.`;
}

/** What a rule does, to stand after “From tomorrow on,” or “Until then”. */
export function ruleClause(kind: RetentionKind, rule: RetentionRule): string {
  const removal = getRemoval(rule);
  if (removal === null) return 'everything is kept';
  const { many } = KIND_WORDS[kind];
  if (removal.marked) return `${many} that were marked deleted are removed after ${removal.after}, all others are kept`;
  return `${many} are kept for ${removal.after} and then deleted`;
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
