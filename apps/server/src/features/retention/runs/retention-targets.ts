import type { ChannelType } from '@steward/contract/channels';
import type { RecordKind } from '@steward/contract/content';
import type { RetentionKind } from '@steward/contract/retention/fields';
import type { Database, Trx } from '#platform/database/database.ts';
import type { MarkedItem, Reach, ReachCount, Removed, Step, Stored } from '#workspace/content/expiry.ts';
import {
  countExpiredFiles,
  countStoredFiles,
  listMarkedFiles,
  markExpiredFiles,
  removeMarkedFiles,
  unmarkFiles,
} from '#workspace/content/files.store.ts';
import { countExpiredMessages, countStoredMessages, removeExpiredMessages } from '#workspace/content/messages.store.ts';
import {
  countExpiredRecords,
  countStoredRecords,
  listMarkedRecords,
  markExpiredRecords,
  removeMarkedRecords,
  unmarkRecords,
} from '#workspace/content/records.store.ts';

/** What every kind can tell: how much a rule reaches, and how much there is. */
interface Counted {
  countExpired(db: Database | Trx, reach: Reach): Promise<ReachCount>;
  countStored(db: Database, teamId: string): Promise<Stored>;
}

/** A kind that is rows alone: they are removed in one step. */
export interface RowTarget extends Counted {
  remove(trx: Trx, reach: Reach, step: Step): Promise<Removed>;
}

/** A kind with blobs: items are hidden, their blobs deleted outside any transaction, then the rows removed. */
export interface BlobTarget extends Counted {
  markForDeletion(trx: Trx, reach: Reach, step: Step): Promise<MarkedItem[]>;
  listMarked(db: Database, teamId: string, limit: number): Promise<MarkedItem[]>;
  removeMarked(trx: Trx, teamId: string, ids: readonly string[]): Promise<void>;
  spare(trx: Trx, teamId: string, ids: readonly string[]): Promise<void>;
}

function messagesIn(type: ChannelType): RowTarget {
  return {
    countExpired: (db, reach) => countExpiredMessages(db, type, reach),
    countStored: (db, teamId) => countStoredMessages(db, teamId, type),
    remove: (trx, reach, step) => removeExpiredMessages(trx, { type, reach }, step),
  };
}

function toRecords(kind: RecordKind): BlobTarget {
  return {
    countExpired: (db, reach) => countExpiredRecords(db, kind, reach),
    countStored: (db, teamId) => countStoredRecords(db, teamId, kind),
    markForDeletion: (trx, reach, step) => markExpiredRecords(trx, { kind, reach }, step),
    listMarked: (db, teamId, limit) => listMarkedRecords(db, { teamId, kind }, limit),
    removeMarked: (trx, teamId, ids) => removeMarkedRecords(trx, { teamId, kind }, ids),
    spare: (trx, teamId, ids) => unmarkRecords(trx, { teamId, kind }, ids),
  };
}

const files: BlobTarget = {
  countExpired: countExpiredFiles,
  countStored: countStoredFiles,
  markForDeletion: markExpiredFiles,
  listMarked: listMarkedFiles,
  removeMarked: removeMarkedFiles,
  spare: unmarkFiles,
};

/** Where each kind lies and how it is removed. A kind that is missing here does not compile. */
export const RETENTION_TARGETS: Readonly<Record<RetentionKind, RowTarget | BlobTarget>> = {
  files,
  public_channels: messagesIn('O'),
  private_channels: messagesIn('P'),
  direct_messages: messagesIn('D'),
  archived_notes: toRecords('note'),
  completed_tasks: toRecords('task'),
  meeting_history: toRecords('meeting'),
  meeting_recordings: toRecords('meeting_recording'),
  call_history: toRecords('call'),
  call_recordings: toRecords('call_recording'),
  voicemails: toRecords('voicemail'),
  communication_history: toRecords('communication'),
};
