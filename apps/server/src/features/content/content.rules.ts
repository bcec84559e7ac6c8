import { blobBytes, ContentLine, getTextMax } from '@steward/contract/content';
import { formatIssues } from '#platform/http/errors.ts';
import { findJsonExcess } from '#platform/http/json.ts';

/** A line that is valid without checking the database, or its error. */
export type ReadLine = { item: ContentLine } | { external_id: string; error: string };

/** Maximum number of values in a line, which has about twenty fields. */
const VALUES_MAX = 1_000;

export interface LineRights {
  kinds: ReadonlySet<string>;
  speaksForUsers: boolean;
}

/** Parses one line. Of a repeated key, the last value counts. */
export function readLine(text: string, { kinds, speaksForUsers }: LineRights): ReadLine {
  const excess = findJsonExcess(text, { values: VALUES_MAX });
  if (excess !== undefined) return { external_id: '', error: excess };
  const value = parseLine(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { external_id: '', error: value === undefined ? 'is not JSON' : 'is not a JSON object' };
  const external_id = readableId(value);
  // No field has this name, so only an attack sends it.
  if (Object.hasOwn(value, '__proto__')) return { external_id, error: '__proto__: is not allowed' };
  // An invalid id is ignored too, because the author is the integration user.
  const { success, data, error } = ContentLine.safeParse(speaksForUsers ? value : { ...value, user_id: null });
  if (!success) return { external_id, error: formatIssues(error) };
  if (!kinds.has(data.kind)) return { external_id, error: 'kind: is not allowed for this token' };
  const missing = findMissingField(data);
  return missing === undefined ? { item: data } : { external_id, error: missing };
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readableId(value: object): string {
  const { external_id } = value as { external_id?: unknown };
  return typeof external_id === 'string' ? external_id.slice(0, 200).toWellFormed() : '';
}

function findMissingField({ kind, channel_id, text, name }: ContentLine): string | undefined {
  const max = getTextMax(kind);
  if (text && text.length > max) return `text: must have at most ${max} characters`;
  if (kind === 'message') {
    if (!channel_id) return 'channel_id: is required';
    if (!text) return 'text: is required';
  }
  return kind === 'file' && !name ? 'name: is required' : undefined;
}

/**
 * The time that retention counts from: when a note was archived, a task completed, a meeting ended; null before that.
 * Calls, voicemails and communications are over when they arrive, unless they say when they ended.
 */
export function getClock(item: ContentLine): number | null {
  switch (item.kind) {
    case 'note':
      return item.archived_at ?? null;
    case 'task':
      return item.completed_at ?? null;
    case 'meeting':
    case 'meeting_recording':
      return item.ended_at ?? null;
    case 'message':
    case 'file':
      return item.created_at;
    default:
      return item.ended_at ?? item.created_at;
  }
}

/** Bytes of the blob, otherwise the size in the line, otherwise the text. For messages, the text. */
export function getSize(item: ContentLine): number {
  const ofText = Buffer.byteLength(item.text ?? '');
  if (item.kind === 'message') return ofText;
  return item.data ? blobBytes(item.data) : (item.size ?? ofText);
}

export interface BatchContext {
  channels: ReadonlyMap<string, unknown>;
  members: ReadonlySet<string>;
}

/** Channels and users of other teams count as unknown. */
export function findUnknownReference(item: ContentLine, { channels, members }: BatchContext): string | undefined {
  if (inChannel(item) && !channels.has(item.channel_id ?? '')) return 'channel_id: is not a channel of this team';
  if (item.user_id && !members.has(item.user_id)) return 'user_id: is not a member of this team';
  return undefined;
}

export function inChannel({ kind, channel_id }: ContentLine): boolean {
  return (kind === 'message' || kind === 'file') && Boolean(channel_id);
}
