import { blobBytes, ContentLine, getTextMax } from '@steward/contract/content';
import { formatIssues } from '#platform/http/errors.ts';

/** A line that can be stored, as far as it can be told without looking into the database; or what is wrong with it. */
export type ReadLine = { item: ContentLine } | { external_id: string; error: string };

/** Reads one line. A name that comes twice counts as it comes last. */
export function readLine(text: string): ReadLine {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { external_id: '', error: value === undefined ? 'is not JSON' : 'is not a JSON object' };
  const external_id = readableId(value);
  // No field of ours has this name, so only somebody who means harm sends it.
  if (Object.hasOwn(value, '__proto__')) return { external_id, error: '__proto__: is not allowed' };
  const { success, data, error } = ContentLine.safeParse(value);
  if (!success) return { external_id, error: formatIssues(error) };
  const missing = missingIn(data);
  return missing === undefined ? { item: data } : { external_id, error: missing };
}

function parsed(text: string): unknown {
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

function missingIn({ kind, channel_id, text, name }: ContentLine): string | undefined {
  const max = getTextMax(kind);
  if (text && text.length > max) return `text: must have at most ${max} characters`;
  if (kind === 'message') {
    if (!channel_id) return 'channel_id: is required';
    if (!text) return 'text: is required';
  }
  return kind === 'file' && !name ? 'name: is required' : undefined;
}

/**
 * What its rule goes by: when a note was archived, a task completed, a meeting ended; null before that. Calls, voicemails
 * and communications are over when they arrive, unless they say when they ended (design §6).
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

/** Bytes that an item counts for: its blob, else what the service says, else its text. A message is its text. */
export function getSize(item: ContentLine): number {
  const ofText = Buffer.byteLength(item.text ?? '');
  if (item.kind === 'message') return ofText;
  return item.data ? blobBytes(item.data) : (item.size ?? ofText);
}

/** Who an item may name: channels of the team with their types, and members of the team. */
export interface BatchContext {
  channels: ReadonlyMap<string, unknown>;
  members: ReadonlySet<string>;
}

/** What is wrong with whom or what an item names. What another team has is as unknown as what nobody has. */
export function findUnknownReference(item: ContentLine, { channels, members }: BatchContext): string | undefined {
  if (inChannel(item) && !channels.has(item.channel_id ?? '')) return 'channel_id: is not a channel of this team';
  if (item.user_id && !members.has(item.user_id)) return 'user_id: is not a member of this team';
  return undefined;
}

/** Whether the item lies in a channel. */
export function inChannel({ kind, channel_id }: ContentLine): boolean {
  return (kind === 'message' || kind === 'file') && Boolean(channel_id);
}
