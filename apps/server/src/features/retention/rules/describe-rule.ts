import type { Duration, RetentionKind, RetentionRule } from '@steward/contract/retention/fields';
import { toRemoval } from './retention.rules.ts';

/** What each kind is called in a sentence. */
export const NOUNS: Readonly<Record<RetentionKind, string>> = {
  files: 'Files',
  public_channels: 'Messages in public channels',
  private_channels: 'Messages in private channels',
  direct_messages: 'Direct messages',
  archived_notes: 'Archived notes',
  completed_tasks: 'Completed tasks',
  meeting_history: 'Meetings',
  meeting_recordings: 'Meeting recordings',
  call_history: 'Calls',
  call_recordings: 'Call recordings',
  voicemails: 'Voicemails',
  communication_history: 'Communication history',
};

const BEGINS: Readonly<Record<RetentionKind, string>> = {
  files: 'it was added',
  public_channels: 'it was sent',
  private_channels: 'it was sent',
  direct_messages: 'it was sent',
  archived_notes: 'it was archived',
  completed_tasks: 'it was completed',
  meeting_history: 'it ended',
  meeting_recordings: 'it ended',
  call_history: 'it ended or was received',
  call_recordings: 'it ended or was received',
  voicemails: 'it was received',
  communication_history: 'it ended or was received',
};

const UNITS = { d: ['day', 'days'], m: ['month', 'months'], y: ['year', 'years'] } as const;

function describeDuration({ count, period }: Duration): string {
  const [one, many] = UNITS[period];
  return `${count} ${count === 1 ? one : many}`;
}

/** What a rule does, in one sentence. */
export function describeRule(kind: RetentionKind, rule: RetentionRule | null): string {
  if (rule === null) return 'Nothing is deleted, because the stored rule cannot be read.';
  const removal = toRemoval(rule);
  if (removal === null) return 'Everything is kept.';
  const duration = describeDuration(removal.duration);
  if (removal.clock === 'marked') return `What somebody marked deleted is removed ${duration} later. All else is kept.`;
  return `Each is deleted ${duration} after ${BEGINS[kind]}.`;
}

/** An instant as a person of the team reads it, with its zone. */
export function formatInstant(instant: number, timeZone: string): string {
  const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone });
  return `${words.format(instant)} (${timeZone})`;
}

/** The day of an instant in the team's zone. */
export function formatDay(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(instant);
}
