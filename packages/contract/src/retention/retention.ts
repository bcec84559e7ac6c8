import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Id, LastKey, listOf, listQuery } from '../api/fields.ts';
import { KeepRule, MarkRule, RetentionKind, SavedRule } from './fields.ts';

const TeamParams = z.object({ teamId: Id });

/** Body of each save: the whole group of settings (spec §7). */
export const FileRetention = MarkRule;
export const MessageRetention = z.object({
  public_channels: KeepRule,
  private_channels: KeepRule,
  direct_messages: MarkRule,
});
export const NoteRetention = z.object({ archived_notes: KeepRule });
export const TaskRetention = z.object({ completed_tasks: KeepRule });
export const MeetingRetention = z.object({ meeting_history: KeepRule, meeting_recordings: KeepRule });
export const VoiceRetention = z.object({
  call_history: KeepRule,
  call_recordings: KeepRule,
  voicemails: KeepRule,
  communication_history: KeepRule,
});

const SavedMessages = z.object({
  public_channels: SavedRule,
  private_channels: SavedRule,
  direct_messages: SavedRule,
});
const SavedNotes = z.object({ archived_notes: SavedRule });
const SavedTasks = z.object({ completed_tasks: SavedRule });
const SavedMeetings = z.object({ meeting_history: SavedRule, meeting_recordings: SavedRule });
const SavedVoice = z.object({
  call_history: SavedRule,
  call_recordings: SavedRule,
  voicemails: SavedRule,
  communication_history: SavedRule,
});

/** Reads one group of settings; what was never saved keeps everything (spec §7). */
function reading<Name extends string, Reply extends z.ZodType>(name: Name, path: string, answer: Reply) {
  return endpoint({
    name,
    method: 'GET' as const,
    path: `/admin/teams/:teamId/${path}`,
    summary: 'Retention rules as saved, with the moment each begins.',
    params: TeamParams,
    answer,
  });
}

/**
 * Saves one group of settings, whole or not at all. A rule that deletes more than the one in force begins after 24 hours,
 * any other at once; saving the rule in force again cancels the wait (design §6). Answers what reading would.
 */
function saving<Name extends string, Body extends z.ZodType, Reply extends z.ZodType>(
  name: Name,
  path: string,
  { body, answer }: { body: Body; answer: Reply },
) {
  return endpoint({
    name,
    method: 'POST' as const,
    path: `/admin/teams/:teamId/${path}`,
    summary: 'Save retention rules. One that deletes more than before begins after 24 hours.',
    params: TeamParams,
    body,
    answer,
  });
}

export const getFileRetention = reading('getFileRetention', 'file_retention', SavedRule);
export const saveFileRetention = saving('saveFileRetention', 'file_retention', {
  body: FileRetention,
  answer: SavedRule,
});
export const getMessageRetention = reading('getMessageRetention', 'message_retention', SavedMessages);
export const saveMessageRetention = saving('saveMessageRetention', 'message_retention', {
  body: MessageRetention,
  answer: SavedMessages,
});
export const getNoteRetention = reading('getNoteRetention', 'note_retention', SavedNotes);
export const saveNoteRetention = saving('saveNoteRetention', 'note_retention', {
  body: NoteRetention,
  answer: SavedNotes,
});
export const getTaskRetention = reading('getTaskRetention', 'task_retention', SavedTasks);
export const saveTaskRetention = saving('saveTaskRetention', 'task_retention', {
  body: TaskRetention,
  answer: SavedTasks,
});
export const getMeetingRetention = reading('getMeetingRetention', 'meeting_retention', SavedMeetings);
export const saveMeetingRetention = saving('saveMeetingRetention', 'meeting_retention', {
  body: MeetingRetention,
  answer: SavedMeetings,
});
export const getVoiceRetention = reading('getVoiceRetention', 'voice_retention', SavedVoice);
export const saveVoiceRetention = saving('saveVoiceRetention', 'voice_retention', {
  body: VoiceRetention,
  answer: SavedVoice,
});

/**
 * Rules to try: the body of any of the saves, or several of them together. As in saving them, the rule for files is the
 * top level itself; it may be named `files` too.
 */
export const RulesToTry = z
  .object({
    ...MessageRetention.shape,
    ...NoteRetention.shape,
    ...TaskRetention.shape,
    ...MeetingRetention.shape,
    ...VoiceRetention.shape,
    files: FileRetention,
    ...MarkRule.shape,
  })
  .partial()
  .refine(
    ({ canmark: _, duration: __, ...rules }) => Object.values(rules).some((rule) => rule !== undefined),
    'names no rule',
  )
  .refine(({ value, canmark, duration }) => (value !== 1 && canmark !== 1) || duration !== undefined, {
    path: ['duration'],
    error: 'is required',
  });

/** What a rule would delete if it ruled now. Instants in milliseconds (design §6). */
export const Preview = z.object({
  count: z.int(),
  bytes: z.int(),
  /** Clock of the oldest and of the newest item among them; null when there is none. */
  oldest: z.int().nullable(),
  newest: z.int().nullable(),
  /** What has its clock before this goes; null when the rule deletes nothing. */
  cutoff: z.int().nullable(),
  /** Whether the rule deletes more than the one in force, so that saving it begins a wait of 24 hours. */
  deletes_more: z.boolean(),
  /** When the rule would begin, were it saved now. */
  effective_at: z.int(),
  /** When the first nightly run under it would begin. */
  first_run_at: z.int(),
});
export type Preview = z.infer<typeof Preview>;

const perKind = <Schema extends z.ZodType>(schema: Schema) =>
  z.object(
    Object.fromEntries(RetentionKind.options.map((kind) => [kind, schema.optional()])) as Record<
      RetentionKind,
      z.ZodOptional<Schema>
    >,
  );

/** Counts what rules would delete, with the query that deletes; changes nothing (design §6). */
export const previewRetention = endpoint({
  name: 'previewRetention',
  method: 'POST',
  path: '/admin/teams/:teamId/retention/preview',
  summary: 'What rules would delete if they ruled now.',
  params: TeamParams,
  body: RulesToTry,
  answer: perKind(Preview),
});

/** How far a run is. Stopped: the rule was changed to keep. Refused: the clocks disagree. */
export const RunState = z.enum(['running', 'finished', 'stopped', 'refused', 'failed']);
export type RunState = z.infer<typeof RunState>;

/** One run over one kind; instants in milliseconds (design §6, §11). */
export const RetentionRun = z.object({
  id: Id,
  kind: RetentionKind,
  /** Person who pressed Run now; '' for the nightly job and the operator. */
  started_by: z.string(),
  /** Their name or address; 'Nightly run' or 'Operator' when nobody did. */
  started_by_name: z.string(),
  started_at: z.int(),
  /** 0 while it runs. */
  ended_at: z.int(),
  cutoff: z.int().nullable(),
  scanned: z.int(),
  deleted: z.int(),
  bytes: z.int(),
  /** Items that were kept because their blob could not be deleted; the next run tries again. */
  failed: z.int(),
  state: RunState,
  /** Why it ended as it did, in words; '' when there is nothing to say. */
  note: z.string(),
});
export type RetentionRun = z.infer<typeof RetentionRun>;

/** Begins a run of every kind that has a rule in force, or of those named, in the background; answers those that run now. */
export const runRetention = endpoint({
  name: 'runRetention',
  method: 'POST',
  path: '/admin/teams/:teamId/retention/run',
  summary: 'Run retention now.',
  params: TeamParams,
  body: z.object({ kinds: z.array(RetentionKind).max(RetentionKind.options.length).optional() }).optional(),
  answer: z.object({ records: z.array(RetentionRun) }),
});

/** Runs of the team, newest first. */
export const listRetentionRuns = endpoint({
  name: 'listRetentionRuns',
  method: 'GET',
  path: '/admin/teams/:teamId/retention/runs',
  summary: 'Retention runs, newest first.',
  params: TeamParams,
  query: z.object({ kind: RetentionKind.optional(), last_key: LastKey.optional(), limit: listQuery.limit }),
  answer: listOf(RetentionRun),
});

/** One kind in the overview. */
export const KindRetention = z.object({
  kind: RetentionKind,
  rule: SavedRule,
  /** Of the rule in force, were it run now; null while nothing is deleted. */
  cutoff: z.int().nullable(),
  /** The last run that ended, and the one that runs. */
  last_run: RetentionRun.nullable(),
  running: RetentionRun.nullable(),
});
export type KindRetention = z.infer<typeof KindRetention>;

/** All rules, cutoffs and last runs of the team; quick, whatever is stored. */
export const getRetention = endpoint({
  name: 'getRetention',
  method: 'GET',
  path: '/admin/teams/:teamId/retention',
  summary: 'All retention rules with their cutoffs and last runs.',
  params: TeamParams,
  answer: z.object({
    time_zone: z.string(),
    /** When the next nightly run begins. */
    next_run_at: z.int(),
    kinds: z.array(KindRetention),
  }),
});

/** How much is stored of a kind, and how much of it the rule in force has given up. */
export const StoredRetention = z.object({
  kind: RetentionKind,
  count: z.int(),
  bytes: z.int(),
  overdue: z.int(),
  overdue_bytes: z.int(),
  /** Clock of the oldest item; null when there is none, or none that a rule could reach. */
  oldest: z.int().nullable(),
});
export type StoredRetention = z.infer<typeof StoredRetention>;

/** Counts what is stored; takes a moment where there are millions. */
export const getRetentionStored = endpoint({
  name: 'getRetentionStored',
  method: 'GET',
  path: '/admin/teams/:teamId/retention/stored',
  summary: 'How much is stored of each kind, and how much is overdue.',
  params: TeamParams,
  query: z.object({
    /** Kinds to count, separated by commas; all when absent. */
    kinds: z
      .string()
      .max(500)
      .transform((list) => list.split(','))
      .pipe(z.array(RetentionKind))
      .optional(),
  }),
  answer: z.object({ counted_at: z.int(), records: z.array(StoredRetention) }),
});
