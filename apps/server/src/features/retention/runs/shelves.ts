import type { ChannelType } from '@steward/contract/channels';
import type { RecordKind } from '@steward/contract/content';
import type { RetentionKind } from '@steward/contract/retention/fields';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Doomed, Reach, Reached, Removed, Step, Stored } from '#workspace/content/expiry.ts';
import {
  countExpiredFiles,
  countStoredFiles,
  doomExpiredFiles,
  listDoomedFiles,
  removeDoomedFiles,
  spareFiles,
} from '#workspace/content/files.store.ts';
import { countExpiredMessages, countStoredMessages, removeExpiredMessages } from '#workspace/content/messages.store.ts';
import {
  countExpiredRecords,
  countStoredRecords,
  doomExpiredRecords,
  listDoomedRecords,
  removeDoomedRecords,
  spareRecords,
} from '#workspace/content/records.store.ts';

/** What every kind can tell: how much a rule reaches, and how much there is. */
interface Counted {
  countExpired(db: Database | Trx, reach: Reach): Promise<Reached>;
  countStored(db: Database, teamId: string): Promise<Stored>;
}

/** A kind that is rows alone: they are removed in one step. */
export interface RowShelf extends Counted {
  remove(trx: Trx, reach: Reach, step: Step): Promise<Removed>;
}

/** A kind with blobs: items are hidden, their blobs deleted outside any transaction, then the rows removed. */
export interface BlobShelf extends Counted {
  doom(trx: Trx, reach: Reach, step: Step): Promise<Doomed[]>;
  listDoomed(db: Database, teamId: string, limit: number): Promise<Doomed[]>;
  removeDoomed(trx: Trx, teamId: string, ids: readonly string[]): Promise<void>;
  spare(trx: Trx, teamId: string, ids: readonly string[]): Promise<void>;
}

function messagesIn(type: ChannelType): RowShelf {
  return {
    countExpired: (db, reach) => countExpiredMessages(db, type, reach),
    countStored: (db, teamId) => countStoredMessages(db, teamId, type),
    remove: (trx, reach, step) => removeExpiredMessages(trx, { type, reach }, step),
  };
}

function recordsOf(kind: RecordKind): BlobShelf {
  return {
    countExpired: (db, reach) => countExpiredRecords(db, kind, reach),
    countStored: (db, teamId) => countStoredRecords(db, teamId, kind),
    doom: (trx, reach, step) => doomExpiredRecords(trx, { kind, reach }, step),
    listDoomed: (db, teamId, limit) => listDoomedRecords(db, { teamId, kind }, limit),
    removeDoomed: (trx, teamId, ids) => removeDoomedRecords(trx, { teamId, kind }, ids),
    spare: (trx, teamId, ids) => spareRecords(trx, { teamId, kind }, ids),
  };
}

const files: BlobShelf = {
  countExpired: countExpiredFiles,
  countStored: countStoredFiles,
  doom: doomExpiredFiles,
  listDoomed: listDoomedFiles,
  removeDoomed: removeDoomedFiles,
  spare: spareFiles,
};

/** Where each kind lies and how it is removed. A kind that is missing here does not compile. */
export const SHELVES: Readonly<Record<RetentionKind, RowShelf | BlobShelf>> = {
  files,
  public_channels: messagesIn('O'),
  private_channels: messagesIn('P'),
  direct_messages: messagesIn('D'),
  archived_notes: recordsOf('note'),
  completed_tasks: recordsOf('task'),
  meeting_history: recordsOf('meeting'),
  meeting_recordings: recordsOf('meeting_recording'),
  call_history: recordsOf('call'),
  call_recordings: recordsOf('call_recording'),
  voicemails: recordsOf('voicemail'),
  communication_history: recordsOf('communication'),
};
