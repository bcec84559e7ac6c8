import type { ChannelType } from '@steward/contract/channels';
import type { ContentLine, RecordKind } from '@steward/contract/content';
import type { Incoming, IncomingFile, IncomingMessage, IncomingRecord } from '#workspace/content/ingest.ts';
import { getClock, getSize } from './content.rules.ts';

/** The stored blob of an item: its key, or null if the stored item has it already. */
export interface StoredBlob {
  blob: string | null;
  /** SHA-256 of its content. */
  digest: string;
}

/** What a line gets that doesn't name it: its author; and the types of channels. */
export interface LineDefaults {
  author: string;
  channels: ReadonlyMap<string, ChannelType>;
}

/** Converts a line to a message in a channel of the team. */
export function toMessage(item: ContentLine, { author, channels }: LineDefaults): IncomingMessage {
  const channel_id = item.channel_id ?? '';
  return {
    external_id: item.external_id,
    channel_id,
    channel_type: channels.get(channel_id) ?? 'O',
    user_id: item.user_id ?? author,
    text: item.text ?? '',
    size: getSize(item),
    create_at: item.created_at,
    delete_at: item.marked_deleted_at ?? 0,
  };
}

/** Time of the last visible message by channel, without those marked deleted. */
export function getLastPostTimes(messages: readonly IncomingMessage[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const { channel_id, create_at, delete_at } of messages) {
    if (delete_at === 0) last.set(channel_id, Math.max(last.get(channel_id) ?? 0, create_at));
  }
  return last;
}

const NO_BLOB: StoredBlob = { blob: null, digest: '' };

function toIncoming(item: ContentLine, author: string, { blob, digest }: StoredBlob): Incoming {
  return {
    external_id: item.external_id,
    user_id: item.user_id ?? author,
    name: item.name ?? '',
    size: getSize(item),
    blob,
    digest,
    create_at: item.created_at,
    delete_at: item.marked_deleted_at ?? 0,
  };
}

/** Converts a line to a file of the team. */
export function toFile(item: ContentLine, author: string, blob: StoredBlob = NO_BLOB): IncomingFile {
  return { ...toIncoming(item, author, blob), channel_id: item.channel_id ?? '' };
}

/** Converts a line to a record of the team. */
export function toRecord(item: ContentLine, author: string, blob: StoredBlob = NO_BLOB): IncomingRecord {
  return {
    ...toIncoming(item, author, blob),
    kind: item.kind as RecordKind,
    title: item.title ?? '',
    text: item.text ?? '',
    clock: getClock(item),
  };
}
