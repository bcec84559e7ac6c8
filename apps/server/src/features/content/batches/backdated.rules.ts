import type { BackdatedRecord, KindCutoffs, MessageCutoffs } from '#workspace/content/expiry.ts';
import type { IncomingFile, IncomingMessage, IncomingRecord } from '#workspace/content/ingest.ts';
import { type Cutoffs, KIND_OF_CHANNEL, KIND_OF_RECORD } from '#workspace/content/retention/retention-scope.rules.ts';

type Dated = Pick<IncomingMessage, 'create_at' | 'delete_at'>;

function isBelow({ create_at, delete_at }: Dated, { own, marked }: KindCutoffs): boolean {
  return create_at < own || (delete_at > 0 && delete_at < marked);
}

/** The cutoffs of messages by the type of their channel. */
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
