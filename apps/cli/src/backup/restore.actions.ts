import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Database } from '@steward/server/src/platform/database/database.ts';
import { hasMigration, migrate } from '@steward/server/src/platform/database/migrate.ts';
import type { Secrets } from '@steward/server/src/platform/security/secrets.ts';
import type { z } from 'zod';
import { Mistake } from '../command.ts';
import { type Entry, type ReadOptions, readArchive } from './archive/archive.ts';
import { altered } from './archive/archive-encryption.ts';
import {
  createSum,
  fileLine,
  HEADER,
  Header,
  KEY_CHECK,
  LEFT_OUT,
  MANIFEST,
  Manifest,
  SIGNATURE,
  type Sum,
  sha256,
  signedText,
} from './archive/backup-format.ts';
import type { BackupParts } from './backup.actions.ts';
import {
  beginRestore,
  commit,
  copyIntoTable,
  findNonEmptyTable,
  lastMigration,
  listTables,
  type Session,
  type TableShape,
} from './backup.store.ts';
import { emptyTables, endServiceTokens, untrackReferenced } from './restore.store.ts';
import { type StagedRestore, stageBlobs } from './restore-blobs.actions.ts';
import { recordRestore, resealRestored } from './restore-secrets.actions.ts';

export interface Restored {
  created_at: string;
  tables: number;
  rows: number;
  files: number;
  files_missing: number;
  /** Service tokens of the backup; all of them have ended. */
  tokens_ended: number;
  /** Stored credentials that were encrypted again because the archive was written with another SECRET_KEY. */
  resealed: number;
  /** Stored credentials that the archive's key can't decrypt; they are unchanged. */
  unreadable: number;
}

type Parts = Omit<BackupParts, 'session'> & {
  db: Database;
  withSession: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
};

export interface Source extends Omit<ReadOptions, 'secrets'> {
  file: string;
  /** The archive's key if it isn't the current one. */
  archiveSecrets?: Secrets | undefined;
}

interface Entries {
  peek(): Promise<Entry | undefined>;
  take(): Promise<Entry | undefined>;
}

const REPORTED_EACH = 1_000;

/** Fills an empty workspace with the contents of an archive. Restores nothing if anything in it is invalid. */
export async function restore(parts: Parts, source: Source, say: (line: string) => void): Promise<Restored> {
  const { file, allowsUnencrypted, archiveSecrets = parts.secrets } = source;
  const archive = readArchive(file, { allowsUnencrypted, secrets: archiveSecrets });
  const entries = peekable(archive);
  try {
    const first = await entries.take();
    if (first?.name !== HEADER) throw new Mistake(`${file} is not a valid backup of this product.`);
    const header = readAs(Header, first.content);
    // For an encrypted archive, decryption has verified the key already.
    if (!archiveSecrets.verify(KEY_CHECK, header.created_at, header.key_check)) throw otherKey(file);
    await migrateToVersion(parts, header.migration);
    const given = { header, headerHash: sha256(first.content), entries };
    const { restored, tokenTeams } = await parts.withSession((session) =>
      fill({ ...parts, session, archiveSecrets }, given, say),
    );
    await migrate(parts.db);
    await recordRestore(parts, header, tokenTeams);
    return restored;
  } finally {
    await archive.return(undefined);
  }
}

function otherKey(file: string): Mistake {
  return new Mistake(
    `${file} was signed with another SECRET_KEY, or was altered. Give its key with --key-file. Nothing was restored.`,
  );
}

/** The rows of an archive need the schema of their version. Later migrations run after the rows were restored. */
async function migrateToVersion({ db, withSession }: Parts, migration: string): Promise<void> {
  if (!hasMigration(migration))
    throw new Mistake(
      `The backup was created by a newer version (migration ${migration}). Restore it with that version.`,
    );
  const present = await withSession(lastMigration);
  if (present !== undefined && present > migration) {
    throw new Mistake(
      `The backup is at migration ${migration} and this database is already at ${present}. Restore it into a new, unused database.`,
    );
  }
  await migrate(db, migration);
}

interface Given {
  header: Header;
  headerHash: string;
  entries: Entries;
}

type FillParts = BackupParts & { db: Database; archiveSecrets: Secrets };
type Filled = { restored: Restored; tokenTeams: string[] };

/** A single transaction, committed only after the whole archive was read and verified. */
async function fill(parts: FillParts, given: Given, say: (line: string) => void): Promise<Filled> {
  const { session, blobs, db } = parts;
  const present = await listTables(session);
  const tables = given.header.tables.map((wanted) => shapeFor(wanted, present));
  await beginRestore(session, present);
  const isLeftOut = ({ name }: TableShape) => LEFT_OUT[name] !== undefined;
  const filled = await findNonEmptyTable(
    session,
    present.filter((table) => !isLeftOut(table)),
  );
  if (filled !== undefined)
    throw new Mistake(`This workspace is not empty (it has ${filled}). Restore into an empty one.`);
  // The database may contain sessions, links and similar rows.
  await emptyTables(
    session,
    present.filter((table) => isLeftOut(table) && table.name !== 'loose_blobs'),
  );
  const staged = await stageBlobs(session, blobs);
  try {
    const { sums, manifest } = await readAll(session, { ...given, tables, staged }, say);
    verify(parts.archiveSecrets, manifest, { header: given.headerHash, ...sums });
    const tokenTeams = tables.some(({ name }) => name === 'service_tokens') ? await endServiceTokens(session) : [];
    const sealed = await resealRestored(parts, tables);
    await staged.publish(db);
    await untrackReferenced(session, tables);
    await commit(session);
    const rows = Object.values(sums.tables).reduce((total, { count }) => total + count, 0);
    const { created_at } = given.header;
    const counts = { tables: tables.length, rows, files: sums.files.count, files_missing: manifest.files_missing };
    return { restored: { created_at, ...counts, tokens_ended: tokenTeams.length, ...sealed }, tokenTeams };
  } finally {
    // After a success, only empty directories are left to drop.
    await blobs.dropStaged().catch(() => undefined);
  }
}

type Sums = Pick<Manifest, 'tables' | 'files'>;

async function readAll(
  session: Session,
  { entries, tables, staged }: Given & { tables: TableShape[]; staged: StagedRestore },
  say: (line: string) => void,
): Promise<{ sums: Sums; manifest: Manifest }> {
  const files = await restoreFiles(entries, staged, say);
  const sums: Record<string, Sum> = {};
  for (const table of tables) {
    sums[table.name] = await restoreTable(session, entries, table);
    say(`${table.name}: ${sums[table.name]?.count} rows`);
  }
  return { sums: { tables: sums, files }, manifest: await readManifest(entries) };
}

/** Refuses tables with a different shape in this database, which no backup of this product contains. */
function shapeFor(wanted: TableShape, present: readonly TableShape[]): TableShape {
  const found = present.find(({ name }) => name === wanted.name);
  if (found === undefined || LEFT_OUT[found.name] !== undefined || found.columns.join() !== wanted.columns.join())
    throw altered();
  return found;
}

async function restoreFiles(entries: Entries, staged: StagedRestore, say: (line: string) => void): Promise<Sum> {
  const summed = createSum();
  let count = 0;
  for (;;) {
    const next = await entries.peek();
    if (!next?.name.startsWith('files/')) return summed.sum(count);
    const key = next.name.slice('files/'.length);
    summed.add(fileLine(key, await staged.add(key, takeAll(entries, next.name))));
    count += 1;
    if (count % REPORTED_EACH === 0) say(`${count} files`);
  }
}

async function* takeAll(entries: Entries, name: string): AsyncGenerator<Buffer> {
  for (let next = await entries.peek(); next?.name === name; next = await entries.peek()) {
    await entries.take();
    yield next.content;
  }
}

async function restoreTable(session: Session, entries: Entries, table: TableShape): Promise<Sum> {
  const summed = createSum();
  async function* pieces() {
    for (;;) {
      const next = await entries.peek();
      if (!next?.name.startsWith(`tables/${table.name}/`)) return;
      await entries.take();
      summed.add(next.content);
      yield next.content;
    }
  }
  const target = copyIntoTable(session, table);
  try {
    await pipeline(Readable.from(pieces()), target);
  } catch (error) {
    // PostgreSQL refused the rows. Other errors keep their own message.
    if (/^(22|23)/.test((error as { code?: string }).code ?? '')) throw altered();
    throw error;
  }
  return summed.sum(target.rowCount);
}

async function readManifest(entries: Entries): Promise<Manifest> {
  const last = await entries.take();
  if (last?.name !== MANIFEST) throw altered();
  const manifest = readAs(Manifest, last.content);
  // Reading to the end also verifies the compression and encryption.
  if ((await entries.take()) !== undefined) throw altered();
  return manifest;
}

function verify(secrets: Secrets, manifest: Manifest, found: Pick<Manifest, 'header' | 'tables' | 'files'>): void {
  const { header, tables, files } = manifest;
  if (JSON.stringify({ header, tables, files }) !== JSON.stringify(found)) throw altered();
  if (!secrets.verify(SIGNATURE, signedText(manifest), manifest.signature)) throw altered();
}

function readAs<Schema extends z.ZodType>(schema: Schema, content: Buffer): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(content.toString()));
  } catch {
    throw altered();
  }
}

function peekable(source: AsyncGenerator<Entry>): Entries {
  let ahead: IteratorResult<Entry> | undefined;
  const peek = async () => {
    ahead ??= await source.next();
    return ahead.done ? undefined : ahead.value;
  };
  return {
    peek,
    async take() {
      const entry = await peek();
      ahead = undefined;
      return entry;
    },
  };
}
