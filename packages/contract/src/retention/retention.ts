import { z } from 'zod';
import { COUNT, EXPORT } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Flag, Id, LastKey, listAnswer, listQuery } from '../api/fields.ts';
import { HeldCount, KeepRule, MarkRule, RetentionKind, SavedRule } from './fields.ts';

const TeamParams = z.object({ teamId: Id });

/** Body of each save: all settings of the group. */
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

/** A setting that was never saved keeps everything. */
function reading<Name extends string, Reply extends z.ZodType>(name: Name, path: string, answer: Reply) {
  return endpoint({
    name,
    method: 'GET' as const,
    path: `/admin/teams/:teamId/${path}`,
    summary: 'Saved retention rules, with the time each takes effect.',
    params: TeamParams,
    answer,
  });
}

/**
 * Saves all settings of a group or none. A rule that is stricter than the current one takes effect after 24 hours, any other
 * immediately; saving the current rule again cancels a scheduled one. Returns what reading would.
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
    summary: 'Save retention rules. A rule that deletes more than the current one takes effect after 24 hours.',
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
 * Rules to preview: the body of any save, or several of them merged. As in saving, the file rule is the top level itself; it
 * can also be named `files`.
 */
export const RulesToPreview = z
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
    'must contain a rule',
  )
  .refine(({ value, canmark, duration }) => (value !== 1 && canmark !== 1) || duration !== undefined, {
    path: ['duration'],
    error: 'is required',
  });

/** Items that a rule would delete now. Times are in milliseconds. */
export const Preview = z.object({
  count: z.int(),
  bytes: z.int(),
  /** Items that it would delete without legal holds. */
  held: HeldCount,
  /** Dates of the oldest and newest of these items; null if there are none. */
  oldest: z.int().nullable(),
  newest: z.int().nullable(),
  /** Items with a date before this are deleted; null when the rule deletes nothing. */
  cutoff: z.int().nullable(),
  /** True if the rule is stricter than the current one and would take effect after 24 hours. */
  deletes_more: z.boolean(),
  /** Time at which the rule would take effect if it were saved now. */
  effective_at: z.int(),
  /** Start of its first nightly run. */
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

/** Counts what rules would delete, with the conditions that runs delete by; changes nothing. */
export const previewRetention = endpoint({
  name: 'previewRetention',
  costs: [COUNT],
  method: 'POST',
  path: '/admin/teams/:teamId/retention/preview',
  summary: 'What rules would delete now.',
  params: TeamParams,
  body: RulesToPreview,
  answer: perKind(Preview),
});

/** State of a run. `stopped`: the rule was changed. `refused`: the clocks disagree. */
export const RunState = z.enum(['running', 'finished', 'stopped', 'refused', 'failed']);
export type RunState = z.infer<typeof RunState>;

/** One run over one kind. Times are in milliseconds. */
export const RetentionRun = z.object({
  id: Id,
  kind: RetentionKind,
  /** User who chose Run now; '' for the nightly job and the operator. */
  started_by: z.string(),
  /** The user's name or email address, otherwise 'Nightly run' or 'Operator'. */
  started_by_name: z.string(),
  started_at: z.int(),
  /** 0 while running. */
  ended_at: z.int(),
  cutoff: z.int().nullable(),
  scanned: z.int(),
  deleted: z.int(),
  bytes: z.int(),
  /** Items kept because their blob couldn't be deleted; the next run retries them. */
  failed: z.int(),
  /** Items that the rule reached and a legal hold kept. */
  held: z.int(),
  state: RunState,
  /** Reason of the end; '' for a normal end. */
  note: z.string(),
  /** End of the time in which its items can be restored; null while it runs, and without an archive. */
  recoverable_until: z.int().nullable(),
  /** State of the restore; '' if none was requested. */
  restore_state: z.enum(['', 'running', 'finished', 'failed']),
  restore_note: z.string(),
  restored_at: z.int().nullable(),
  /** Items that were restored, and items that were skipped because they exist again. */
  restored: z.int(),
  skipped: z.int(),
  /** The permanent deletion of the archive; null until then. */
  proof: z
    .object({
      destroyed_at: z.int(),
      /** Items that were destroyed; null if an earlier version of the server destroyed them. */
      items: z.int().nullable(),
      /** Contents of files among them. */
      files: z.int(),
      /** Size of these items with the contents of files, in bytes. */
      item_bytes: z.int(),
      /** Objects of the archive and their size, compressed and encrypted. */
      objects: z.int(),
      bytes: z.int(),
    })
    .nullable(),
});
export type RetentionRun = z.infer<typeof RetentionRun>;

/** Starts a run of each requested kind, by default of every kind whose rule deletes something; returns the running ones. */
export const runRetention = endpoint({
  name: 'runRetention',
  method: 'POST',
  path: '/admin/teams/:teamId/retention/run',
  summary: 'Run retention now.',
  params: TeamParams,
  body: z.object({ kinds: z.array(RetentionKind).max(RetentionKind.options.length).optional() }).optional(),
  answer: z.object({ records: z.array(RetentionRun) }),
});

export const listRetentionRuns = endpoint({
  name: 'listRetentionRuns',
  costs: [EXPORT],
  method: 'GET',
  path: '/admin/teams/:teamId/retention/runs',
  summary: 'Retention runs, newest first.',
  params: TeamParams,
  query: z.object({
    kind: RetentionKind.optional(),
    /** Only runs that can be restored, or are being restored. */
    recoverable: Flag,
    last_key: LastKey.optional(),
    limit: listQuery.limit,
  }),
  answer: listAnswer(RetentionRun),
});

export const KindRetention = z.object({
  kind: RetentionKind,
  rule: SavedRule,
  /** Cutoff of a run that started now; null when nothing is deleted. */
  cutoff: z.int().nullable(),
  /** The last run that ended, and the running one. */
  last_run: RetentionRun.nullable(),
  running: RetentionRun.nullable(),
});
export type KindRetention = z.infer<typeof KindRetention>;

/** Fast with any amount of data. */
export const getRetention = endpoint({
  name: 'getRetention',
  method: 'GET',
  path: '/admin/teams/:teamId/retention',
  summary: 'All retention rules with their cutoffs and last runs.',
  params: TeamParams,
  answer: z.object({
    time_zone: z.string(),
    /** Start of the next nightly run. */
    next_run_at: z.int(),
    kinds: z.array(KindRetention),
  }),
});

export const StoredRetention = z.object({
  kind: RetentionKind,
  count: z.int(),
  bytes: z.int(),
  overdue: z.int(),
  overdue_bytes: z.int(),
  /** Items that would be overdue without legal holds. */
  held: HeldCount,
  /** Date of the oldest item; null when no item has a date. */
  oldest: z.int().nullable(),
});
export type StoredRetention = z.infer<typeof StoredRetention>;

/** Slow with millions of items. */
export const getRetentionStored = endpoint({
  name: 'getRetentionStored',
  costs: [COUNT],
  method: 'GET',
  path: '/admin/teams/:teamId/retention/stored',
  summary: 'How much is stored of each kind, and how much is due for deletion.',
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
