import type { ChannelType } from '@steward/contract/channels';
import type { ContentLine, RecordKind } from '@steward/contract/content';
import type { BackdatedRecord, KindCutoffs, MessageCutoffs } from '#workspace/content/expiry.ts';
import type { Incoming, IncomingFile, IncomingMessage, IncomingRecord } from '#workspace/content/ingest.ts';
import type { Cutoffs } from '#workspace/content/retention/retention-scope.rules.ts';
import { KIND_OF_CHANNEL, KIND_OF_RECORD } from '#workspace/content/retention/retention-scope.rules.ts';
import { getClock, getSize } from './content.rules.ts';

/** The stored blob of an item: its key, or null if the stored item has it already. */
export interface StoredBlob {
  blob: string | null;
  /** SHA-256 of the content, in base64url. */
  digest: string;
}

/** The author of lines that name none, and the types of channels. */
interface LineDefaults {
  author: string;
  channels: ReadonlyMap<string, ChannelType>;
}

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

export function toFile(item: ContentLine, author: string, blob: StoredBlob = NO_BLOB): IncomingFile {
  return { ...toIncoming(item, author, blob), channel_id: item.channel_id ?? '' };
}

export function toRecord(item: ContentLine, author: string, blob: StoredBlob = NO_BLOB): IncomingRecord {
  return {
    ...toIncoming(item, author, blob),
    kind: item.kind as RecordKind,
    title: item.title ?? '',
    text: item.text ?? '',
    clock: getClock(item),
  };
}

type Dated = Pick<IncomingMessage, 'create_at' | 'delete_at'>;

function isBelow({ create_at, delete_at }: Dated, { own, marked }: KindCutoffs): boolean {
  return create_at < own || (delete_at > 0 && delete_at < marked);
}

export function getMessageCutoffs(cutoffs: Cutoffs): MessageCutoffs {
  return { O: cutoffs[KIND_OF_CHANNEL.O], P: cutoffs[KIND_OF_CHANNEL.P], D: cutoffs[KIND_OF_CHANNEL.D] };
}

/** External ids of the messages that a rule would delete. */
export function findMessagesBelow(messages: readonly IncomingMessage[], cutoffs: Cutoffs): string[] {
  const below = messages.filter((message) => isBelow(message, cutoffs[KIND_OF_CHANNEL[message.channel_type]]));
  return below.map(({ external_id }) => external_id);
}

/** External ids of the files that a rule would delete. */
export function findFilesBelow(files: readonly IncomingFile[], cutoffs: Cutoffs): string[] {
  return files.filter((file) => isBelow(file, cutoffs.files)).map(({ external_id }) => external_id);
}

/** The records that a rule would delete. */
export function findRecordsBelow(records: readonly IncomingRecord[], cutoffs: Cutoffs): BackdatedRecord[] {
  return records.flatMap(({ kind, external_id, clock }) => {
    const cutoff = cutoffs[KIND_OF_RECORD[kind]].own;
    return clock !== null && clock < cutoff ? [{ kind, external_id, cutoff }] : [];
  });
}
