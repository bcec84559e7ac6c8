import type { ChannelType } from '@steward/contract/channels';
import type { RecordKind } from '@steward/contract/content';
import type { RetentionKind } from '@steward/contract/retention/fields';
import type { BackdatedRecord, KindCutoffs, MessageCutoffs } from '#workspace/content/expiry.ts';
import type { IncomingFile, IncomingMessage, IncomingRecord } from '#workspace/content/ingest.ts';
import type { Cutoffs } from '#workspace/retention/retention-scope.rules.ts';

const RULE_OF_TYPE: Readonly<Record<ChannelType, RetentionKind>> = {
  O: 'public_channels',
  P: 'private_channels',
  D: 'direct_messages',
};

const RULE_OF_RECORD: Readonly<Record<RecordKind, RetentionKind>> = {
  note: 'archived_notes',
  task: 'completed_tasks',
  meeting: 'meeting_history',
  meeting_recording: 'meeting_recordings',
  call: 'call_history',
  call_recording: 'call_recordings',
  voicemail: 'voicemails',
  communication: 'communication_history',
};

type Dated = Pick<IncomingMessage, 'create_at' | 'delete_at'>;

function isBelow({ create_at, delete_at }: Dated, { own, marked }: KindCutoffs): boolean {
  return create_at < own || (delete_at > 0 && delete_at < marked);
}

/** The cutoffs of messages by the type of their channel. */
export function getMessageCutoffs(cutoffs: Cutoffs): MessageCutoffs {
  return { O: cutoffs[RULE_OF_TYPE.O], P: cutoffs[RULE_OF_TYPE.P], D: cutoffs[RULE_OF_TYPE.D] };
}

/** External ids of the messages that a rule would delete. */
export function findMessagesBelow(messages: readonly IncomingMessage[], cutoffs: Cutoffs): string[] {
  const below = messages.filter((message) => isBelow(message, cutoffs[RULE_OF_TYPE[message.channel_type]]));
  return below.map(({ external_id }) => external_id);
}

/** External ids of the files that a rule would delete. */
export function findFilesBelow(files: readonly IncomingFile[], cutoffs: Cutoffs): string[] {
  return files.filter((file) => isBelow(file, cutoffs.files)).map(({ external_id }) => external_id);
}

/** The records that a rule would delete. */
export function findRecordsBelow(records: readonly IncomingRecord[], cutoffs: Cutoffs): BackdatedRecord[] {
  return records.flatMap(({ kind, external_id, clock }) => {
    const cutoff = cutoffs[RULE_OF_RECORD[kind]].own;
    return clock !== null && clock < cutoff ? [{ kind, external_id, cutoff }] : [];
  });
}
