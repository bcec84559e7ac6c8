import type { Duration, RetentionKind, RetentionRule, SavedRule } from './fields.ts';
import { getRemoval } from './rules.ts';

/** Texts of screens and emails about a kind. */
interface KindText {
  /** Heading of its setting: “Public channels”. */
  title: string;
  /** In a count: “1 message”, “2 messages”. */
  one: string;
  many: string;
  /** In a sentence, and in the options “Keep all … forever”. */
  items: string;
  /** The event that a rule counts from: “Files are deleted 90 days after they are created.” */
  event: string;
  /** Items by their date: “Files created before Nov 21, 2025”. */
  dated: string;
}

const message = { one: 'message', many: 'messages', event: 'are posted' };
const recording = { one: 'recording', many: 'recordings', event: 'end' };

/** `event` and `dated` name the date that the rule of a kind counts from. */
export const KIND_TEXT: Readonly<Record<RetentionKind, KindText>> = {
  files: { title: 'Files', one: 'file', many: 'files', items: 'files', event: 'are created', dated: 'Files created' },
  public_channels: {
    ...message,
    title: 'Public channels',
    items: 'messages in public channels',
    dated: 'Messages posted in public channels',
  },
  private_channels: {
    ...message,
    title: 'Private channels',
    items: 'messages in private channels',
    dated: 'Messages posted in private channels',
  },
  direct_messages: { ...message, title: 'Direct messages', items: 'direct messages', dated: 'Direct messages posted' },
  archived_notes: {
    title: 'Archived notes',
    one: 'note',
    many: 'notes',
    items: 'archived notes',
    event: 'are archived',
    dated: 'Notes archived',
  },
  completed_tasks: {
    title: 'Completed tasks',
    one: 'task',
    many: 'tasks',
    items: 'completed tasks',
    event: 'are completed',
    dated: 'Tasks completed',
  },
  meeting_history: {
    title: 'Meeting history',
    one: 'meeting',
    many: 'meetings',
    items: 'meetings',
    event: 'end',
    dated: 'Meetings that ended',
  },
  meeting_recordings: {
    ...recording,
    title: 'Meeting recordings',
    items: 'meeting recordings',
    dated: 'Meeting recordings that ended',
  },
  call_history: {
    title: 'Call history',
    one: 'call',
    many: 'calls',
    items: 'calls',
    event: 'end',
    dated: 'Calls that ended',
  },
  call_recordings: {
    ...recording,
    title: 'Call recordings',
    items: 'call recordings',
    dated: 'Call recordings that ended',
  },
  voicemails: {
    title: 'Voicemails',
    one: 'voicemail',
    many: 'voicemails',
    items: 'voicemails',
    event: 'are received',
    dated: 'Voicemails received',
  },
  communication_history: {
    title: 'Communication history',
    one: 'communication',
    many: 'communications',
    items: 'communications',
    event: 'end or are received',
    dated: 'Communications that ended or were received',
  },
};

const UNITS = { d: 'day', m: 'month', y: 'year' } as const;

/** “1 day”, “18 months” */
export function formatDuration({ count, period }: Duration): string {
  return `${count} ${UNITS[period]}${count === 1 ? '' : 's'}`;
}

/** A rule in a few words, for tables and the audit log: “Keep 90 days”. */
export function summarizeRule(rule: RetentionRule): string {
  const removal = getRemoval(rule);
  if (removal === null) return 'Keep forever';
  const duration = formatDuration(removal.duration);
  return removal.clock === 'marked' ? `Keep forever; ${duration} once marked deleted` : `Keep ${duration}`;
}

/** A rule in full sentences; null is a stored rule that can't be read. */
export function describeRule(kind: RetentionKind, rule: RetentionRule | null): string {
  const { items, event } = KIND_TEXT[kind];
  if (rule === null) return `No ${items} are deleted because the stored rule can't be read.`;
  const removal = getRemoval(rule);
  if (removal === null) return `All ${items} are kept.`;
  const duration = formatDuration(removal.duration);
  if (removal.clock === 'marked')
    return `${capitalize(items)} that users mark deleted are removed after ${duration}. All others are kept.`;
  return `${capitalize(items)} are deleted ${duration} after they ${event}.`;
}

/** The nightly deletion by the current rule; `day` is the cutoff as text, null when nothing is deleted. */
export function describeCutoff(kind: RetentionKind, saved: SavedRule, day: string | null): string {
  if (saved.unreadable) return `${describeRule(kind, null)} Save it again.`;
  const rule = saved.in_force ?? saved;
  const removal = getRemoval(rule);
  if (day === null || removal === null) return describeRule(kind, { value: 0 });
  const { items, dated } = KIND_TEXT[kind];
  if (removal.clock === 'own') return `${dated} before ${day} are deleted every night.`;
  return `${capitalize(items)} that users marked deleted before ${day} are deleted every night. All others are kept.`;
}

const NUMBER = new Intl.NumberFormat('en-US');

/** “1 file”, “12,345 files” */
export function formatCount(count: number, { one, many }: Pick<KindText, 'one' | 'many'>): string {
  return `${NUMBER.format(count)} ${count === 1 ? one : many}`;
}

/** A day of a time zone's calendar: “Nov 21, 2025”. An unknown zone counts as UTC. */
export function formatDay(at: number, timeZone: string): string {
  return getFormat(timeZone, { dateStyle: 'medium' }).format(at);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function getFormat(timeZone: string, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([timeZone, style]);
  const format = formats.get(key) ?? createFormat(timeZone, style);
  formats.set(key, format);
  return format;
}

function createFormat(timeZone: string, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { ...style, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...style, timeZone: 'UTC' });
  }
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
