import type { ChannelType } from '@steward/contract/channels';
import type { RecordKind } from '@steward/contract/content';
import type { RetentionKind } from '@steward/contract/retention/fields';
import type { Database, Trx } from '#platform/database/database.ts';
import type {
  BatchRange,
  DeletedBatch,
  ExpiredCount,
  LeftoverItem,
  MarkedBatch,
  RetentionScope,
  StoredCount,
} from '#workspace/content/expiry.ts';
import {
  countExpiredFiles,
  countStoredFiles,
  listMarkedFiles,
  markExpiredFiles,
  purgeFiles,
  unmarkFiles,
} from '#workspace/content/files.store.ts';
import type { ActiveHold } from '#workspace/content/holds/active-holds.rules.ts';
import type { ItemPlace } from '#workspace/content/items.store.ts';
import { countExpiredMessages, countStoredMessages, deleteExpiredMessages } from '#workspace/content/messages.store.ts';
import {
  countExpiredRecords,
  countStoredRecords,
  listMarkedRecords,
  markExpiredRecords,
  purgeRecords,
  unmarkRecords,
} from '#workspace/content/records.store.ts';

interface Countable {
  place: ItemPlace;
  countExpired(db: Database | Trx, scope: RetentionScope): Promise<ExpiredCount>;
  countStored(db: Database, teamId: string): Promise<StoredCount>;
}

/** A kind without blobs: its rows are deleted in one step. */
export interface RowTarget extends Countable {
  deleteExpired(trx: Trx, scope: RetentionScope, range: BatchRange): Promise<DeletedBatch>;
}

/** A team, and the holds in effect on the kind. */
export interface TeamHolds {
  teamId: string;
  holds: readonly ActiveHold[];
}

/** A kind with blobs: items are marked, their blobs deleted outside any transaction, then the rows purged. */
export interface BlobTarget extends Countable {
  markExpired(trx: Trx, scope: RetentionScope, range: BatchRange): Promise<MarkedBatch>;
  listMarked(db: Database, of: TeamHolds, limit: number): Promise<LeftoverItem[]>;
  purge(trx: Trx, teamId: string, ids: readonly string[]): Promise<void>;
  unmark(trx: Trx, teamId: string, ids: readonly string[]): Promise<void>;
}

function messageTarget(type: ChannelType): RowTarget {
  return {
    place: { table: 'messages', type },
    countExpired: (db, scope) => countExpiredMessages(db, type, scope),
    countStored: (db, teamId) => countStoredMessages(db, teamId, type),
    deleteExpired: (trx, scope, range) => deleteExpiredMessages(trx, { type, scope }, range),
  };
}

function recordTarget(kind: RecordKind): BlobTarget {
  return {
    place: { table: 'records', kind },
    countExpired: (db, scope) => countExpiredRecords(db, kind, scope),
    countStored: (db, teamId) => countStoredRecords(db, teamId, kind),
    markExpired: (trx, scope, range) => markExpiredRecords(trx, { kind, scope }, range),
    listMarked: (db, of, limit) => listMarkedRecords(db, { ...of, kind }, limit),
    purge: (trx, teamId, ids) => purgeRecords(trx, { teamId, kind }, ids),
    unmark: (trx, teamId, ids) => unmarkRecords(trx, { teamId, kind }, ids),
  };
}

const files: BlobTarget = {
  place: { table: 'files' },
  countExpired: countExpiredFiles,
  countStored: countStoredFiles,
  markExpired: markExpiredFiles,
  listMarked: listMarkedFiles,
  purge: purgeFiles,
  unmark: unmarkFiles,
};

export const RETENTION_TARGETS: Readonly<Record<RetentionKind, RowTarget | BlobTarget>> = {
  files,
  public_channels: messageTarget('O'),
  private_channels: messageTarget('P'),
  direct_messages: messageTarget('D'),
  archived_notes: recordTarget('note'),
  completed_tasks: recordTarget('task'),
  meeting_history: recordTarget('meeting'),
  meeting_recordings: recordTarget('meeting_recording'),
  call_history: recordTarget('call'),
  call_recordings: recordTarget('call_recording'),
  voicemails: recordTarget('voicemail'),
  communication_history: recordTarget('communication'),
};
