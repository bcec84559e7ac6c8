import { z } from 'zod';
import { endpoint } from './api/endpoint.ts';
import { Id, text } from './api/fields.ts';
import { BLOB_MAX, EXTERNAL_ID_MAX, FILE_NAME_MAX, MESSAGE_MAX, RECORD_TEXT_MAX, TITLE_MAX } from './api/limits.ts';

/** Kinds of content that are neither message nor file. */
export const RECORD_KINDS = [
  'note',
  'task',
  'meeting',
  'meeting_recording',
  'call',
  'call_recording',
  'voicemail',
  'communication',
] as const;
export const RecordKind = z.enum(RECORD_KINDS);
export type RecordKind = z.infer<typeof RecordKind>;

export const ContentKind = z.enum(['message', 'file', ...RECORD_KINDS], { error: 'is not a kind of content' });
export type ContentKind = z.infer<typeof ContentKind>;

/** The last millisecond of the year 9999. */
const LAST_INSTANT = 253_402_300_799_999;
const Instant = z
  .int({ error: ({ input }) => (input === undefined ? 'is required' : 'must be whole milliseconds since 1970') })
  .min(0, 'is before 1970')
  .max(LAST_INSTANT, 'is too late');

/** Standard base64, padded; '' means no blob. One pattern for the whole text would overflow the stack at some megabytes. */
const Blob = z
  .string()
  .refine((value) => value.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(withoutPadding(value)), {
    error: 'is not base64',
    abort: true,
  })
  .refine((value) => blobBytes(value) <= BLOB_MAX, `must have at most ${BLOB_MAX} bytes`);

function withoutPadding(base64: string): string {
  return base64.endsWith('==') ? base64.slice(0, -2) : base64.endsWith('=') ? base64.slice(0, -1) : base64;
}

export function blobBytes(base64: string): number {
  return Math.floor((withoutPadding(base64).length * 3) / 4);
}

/**
 * One line of content. The source of the token, the kind and `external_id` identify an item. A line with the same values
 * replaces the item, so a time that is absent or null is cleared. Times are milliseconds since 1970.
 */
export const ContentLine = z.object({
  kind: ContentKind,
  external_id: text(EXTERNAL_ID_MAX).min(1, 'is required'),
  created_at: Instant,
  /** Required for a message; optional for a file. */
  channel_id: Id.nullish(),
  /** A member of the team; ignored unless the token speaks for users. */
  user_id: Id.nullish(),
  /** At most 16,383 characters in a message. */
  text: text(RECORD_TEXT_MAX).nullish(),
  title: text(TITLE_MAX).nullish(),
  name: text(FILE_NAME_MAX).nullish(),
  /** Size in bytes if the blob is stored elsewhere; with `data`, its length counts. */
  size: z.int('must be a whole number of bytes').min(0, 'must be a whole number of bytes').nullish(),
  data: Blob.nullish(),
  /** Only for a note. */
  archived_at: Instant.nullish(),
  /** Only for a task. */
  completed_at: Instant.nullish(),
  /** Only for meetings, calls and their recordings. */
  ended_at: Instant.nullish(),
  /** The item is hidden from everyone from then on. */
  marked_deleted_at: Instant.nullish(),
});
export type ContentLine = z.infer<typeof ContentLine>;

export function getTextMax(kind: ContentKind): number {
  return kind === 'message' ? MESSAGE_MAX : RECORD_TEXT_MAX;
}

/** `errors` has the first 10,000; `failed` counts all. */
export const ContentResponse = z.object({
  /** Lines that added or changed an item. */
  accepted: z.int(),
  unchanged: z.int(),
  /** Lines for items that a legal hold protects; they changed nothing. */
  held: z.int(),
  failed: z.int(),
  errors: z.array(z.object({ line: z.int(), external_id: z.string(), error: z.string() })),
});
export type ContentResponse = z.infer<typeof ContentResponse>;

/**
 * Imports content, one JSON object per line, with a service token (`Authorization: Bearer …`). The body is streamed, so its
 * length is unlimited; a line with an error is reported and doesn't affect the others. If the connection breaks, stored
 * lines stay, and the client sends everything again.
 */
export const addContent = endpoint({
  name: 'addContent',
  method: 'POST',
  path: '/teams/:teamId/content',
  summary: 'Import content: NDJSON, one item per line, with a service token.',
  params: z.object({ teamId: Id }),
  accepts: 'application/x-ndjson',
  answer: ContentResponse,
});
