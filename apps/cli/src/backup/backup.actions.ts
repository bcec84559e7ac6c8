import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Blobs } from '@steward/server/src/platform/blobs/blobs.ts';
import type { Secrets } from '@steward/server/src/platform/security/secrets.ts';
import { Mistake } from '../command.ts';
import type { ArchiveWriter } from './archive/archive.ts';
import {
  createSum,
  fileLine,
  HEADER,
  type Header,
  KEY_CHECK,
  LEFT_OUT,
  MANIFEST,
  SIGNATURE,
  type Sum,
  sha256,
  signedText,
} from './archive/backup-format.ts';
import { cut } from './archive/cut.ts';
import {
  beginBackup,
  commit,
  countUnfinished,
  lastMigration,
  listTables,
  readBlobKeys,
  readTable,
  type Session,
  settle,
  type TableShape,
} from './backup.store.ts';

export interface BackupParts {
  session: Session;
  blobs: Blobs;
  secrets: Secrets;
}

export interface BackedUp {
  migration: string;
  tables: number;
  rows: number;
  files: number;
  files_missing: number;
  mails_waiting: number;
  invitations_open: number;
}

interface Wanted {
  hasFiles: boolean;
  version: string;
}

/** Tables and files are split into entries of about this many bytes, because their length isn't known in advance. */
const PIECE = 256 * 1024;
/** Progress is reported after this many files. */
const REPORTED_EACH = 1_000;

type WriterParts = BackupParts & { archive: ArchiveWriter };

/** Writes a snapshot of everything into an archive and finishes it. The server may keep running. */
export async function backUp(parts: WriterParts, wanted: Wanted, say: (line: string) => void): Promise<BackedUp> {
  const { session, secrets, archive } = parts;
  await beginBackup(session);
  const migration = await lastMigration(session);
  if (migration === undefined) throw new Mistake('Nothing to back up: no server has used this database yet.');
  const unfinished = await countUnfinished(session);
  const tables = (await listTables(session)).filter(({ name }) => LEFT_OUT[name] === undefined);
  const header = getHeader(secrets, wanted, { migration, tables });
  await archive.add(HEADER, header);
  const { files, missing } = await addFiles(parts, { tables: wanted.hasFiles ? tables : [], say });
  const sums: Record<string, Sum> = {};
  for (const table of tables) {
    sums[table.name] = await addTable(session, archive, table);
    say(`${table.name}: ${sums[table.name]?.count} rows`);
  }
  await commit(session);
  const manifest = { header: sha256(header), tables: sums, files, files_missing: missing, signature: '' };
  manifest.signature = secrets.sign(SIGNATURE, signedText(manifest));
  await archive.add(MANIFEST, Buffer.from(JSON.stringify(manifest)));
  await archive.finish();
  const rows = Object.values(sums).reduce((total, { count }) => total + count, 0);
  return { migration, tables: tables.length, rows, files: files.count, files_missing: missing, ...unfinished };
}

function getHeader(
  secrets: Secrets,
  { version, hasFiles }: Wanted,
  { migration, tables }: { migration: string; tables: TableShape[] },
): Buffer {
  const created_at = new Date().toISOString();
  const key_check = secrets.sign(KEY_CHECK, created_at);
  const header: Header = { format: 1, version, migration, created_at, key_check, has_files: hasFiles, tables };
  return Buffer.from(JSON.stringify(header));
}

async function addTable(session: Session, archive: ArchiveWriter, table: TableShape): Promise<Sum> {
  const summed = createSum();
  const stream = readTable(session, table);
  let pieces: Buffer[] = [];
  let length = 0;
  let count = 0;
  const flush = async () => {
    const piece = Buffer.concat(pieces);
    [pieces, length] = [[], 0];
    if (piece.length === 0) return;
    count += 1;
    summed.add(piece);
    await archive.add(`tables/${table.name}/${String(count).padStart(6, '0')}`, piece);
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    pieces.push(chunk);
    length += chunk.length;
    if (length >= PIECE) await flush();
  }
  await flush();
  await settle(session);
  return summed.sum(stream.rowCount);
}

async function addFiles(
  { session, blobs, archive }: WriterParts,
  { tables, say }: { tables: TableShape[]; say: (line: string) => void },
): Promise<{ files: Sum; missing: number }> {
  const summed = createSum();
  let count = 0;
  let missing = 0;
  const keys = readBlobKeys(session, tables);
  for await (const key of keys === undefined ? [] : createInterface({ input: keys, crlfDelay: 1 })) {
    const stream = await blobs.get(key);
    if (stream === undefined) {
      missing += 1;
      continue;
    }
    const hash = createHash('sha256');
    // Consecutive entries with the same name are one file.
    for await (const { chunk } of cut(stream, PIECE)) {
      hash.update(chunk);
      await archive.add(`files/${key}`, chunk);
    }
    summed.add(fileLine(key, hash.digest('hex')));
    count += 1;
    if (count % REPORTED_EACH === 0) say(`${count} files`);
  }
  return { files: summed.sum(count), missing };
}
