import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { z } from 'zod';
import type { Database } from '#platform/database/database.ts';
import { hasMigration, migrate } from '#platform/database/migrate.ts';
import { Mistake } from '../command.ts';
import { type Entry, readArchive } from './archive.ts';
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
} from './backup-format.ts';

/** What was restored. */
export interface Restored {
  created_at: string;
  tables: number;
  rows: number;
  files: number;
  files_missing: number;
  /** False where stored credentials cannot be opened, since the archive was made with another SECRET_KEY. */
  same_key: boolean;
}

type Parts = Omit<BackupParts, 'session'> & {
  db: Database;
  withSession: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
};

/** Files of an archive, of which the next one may be looked at before it is taken. */
interface Entries {
  peek(): Promise<Entry | undefined>;
  take(): Promise<Entry | undefined>;
}

const TOLD_EACH = 1_000;

/** Fills an empty workspace with what an archive holds: all of it, or nothing when anything in it is wrong. */
export async function restore(parts: Parts, file: string, say: (line: string) => void): Promise<Restored> {
  const source = readArchive(file);
  const entries = peekable(source);
  try {
    const first = await entries.take();
    if (first?.name !== HEADER) throw new Mistake(`${file} is not a valid backup of this product.`);
    const header = readAs(Header, first.content);
    await migrateToVersion(parts, header.migration);
    const restored = await parts.withSession((session) =>
      fill({ ...parts, session }, { header, headerHash: sha256(first.content), entries }, say),
    );
    await migrate(parts.db);
    return restored;
  } finally {
    await source.return(undefined);
  }
}

/** The rows of an archive fit the schema that they were read from; what came later is done to them afterwards. */
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

async function fill(parts: BackupParts, given: Given, say: (line: string) => void): Promise<Restored> {
  const { session } = parts;
  const { header, entries } = given;
  const present = await listTables(session);
  const tables = header.tables.map((wanted) => shapeFor(wanted, present));
  await beginRestore(session, present);
  const written: string[] = [];
  try {
    const filled = await findNonEmptyTable(
      session,
      present.filter(({ name }) => LEFT_OUT[name] === undefined),
    );
    if (filled !== undefined)
      throw new Mistake(`This workspace is not empty (it has ${filled}). Restore into an empty one.`);
    const files = await restoreFiles(parts, entries, { written, say });
    const sums: Record<string, Sum> = {};
    for (const table of tables) {
      sums[table.name] = await restoreTable(session, entries, table);
      say(`${table.name}: ${sums[table.name]?.count} rows`);
    }
    const manifest = await readManifest(entries);
    const sameKey = parts.secrets.verify(KEY_CHECK, header.created_at, header.key_check);
    check(manifest, { header: given.headerHash, tables: sums, files });
    if (sameKey && !parts.secrets.verify(SIGNATURE, signedText(manifest), manifest.signature)) throw altered();
    await commit(session);
    const rows = Object.values(sums).reduce((total, { count }) => total + count, 0);
    const { files_missing } = manifest;
    return {
      created_at: header.created_at,
      tables: tables.length,
      rows,
      files: files.count,
      files_missing,
      same_key: sameKey,
    };
  } catch (error) {
    // Without their rows nobody would ever find them again.
    for (const key of written) await parts.blobs.remove(key).catch(() => undefined);
    throw error;
  }
}

/** A table of the archive as this database has it too; anything else was not made by this product. */
function shapeFor(wanted: TableShape, present: readonly TableShape[]): TableShape {
  const found = present.find(({ name }) => name === wanted.name);
  if (found === undefined || LEFT_OUT[found.name] !== undefined || found.columns.join() !== wanted.columns.join())
    throw altered();
  return found;
}

async function restoreFiles(
  { blobs }: BackupParts,
  entries: Entries,
  { written, say }: { written: string[]; say: (line: string) => void },
): Promise<Sum> {
  const summed = createSum();
  let count = 0;
  for (;;) {
    const next = await entries.peek();
    if (!next?.name.startsWith('files/')) return summed.sum(count);
    await entries.take();
    const key = next.name.slice('files/'.length);
    summed.add(fileLine(key, next.content));
    // What is there already may belong to another workspace on the same place: it is neither written nor removed.
    if (!(await isThere(blobs, key, next.content))) {
      written.push(key);
      await blobs.put(key, next.content);
    }
    count += 1;
    if (count % TOLD_EACH === 0) say(`${count} files`);
  }
}

async function isThere(blobs: BackupParts['blobs'], key: string, content: Buffer): Promise<boolean> {
  const found = await blobs.get(key);
  return found !== undefined && (await buffer(found)).equals(content);
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
    // Rows that PostgreSQL does not take; what broke on the way keeps its own words.
    if (/^(22|23)/.test((error as { code?: string }).code ?? '')) throw altered();
    throw error;
  }
  return summed.sum(target.rowCount);
}

async function readManifest(entries: Entries): Promise<Manifest> {
  const last = await entries.take();
  if (last?.name !== MANIFEST) throw altered();
  const manifest = readAs(Manifest, last.content);
  // Reading to the end also has the packing checked.
  if ((await entries.take()) !== undefined) throw altered();
  return manifest;
}

function check(manifest: Manifest, found: Pick<Manifest, 'header' | 'tables' | 'files'>): void {
  const { header, tables, files } = manifest;
  if (JSON.stringify({ header, tables, files }) !== JSON.stringify(found)) throw altered();
}

function readAs<Schema extends z.ZodType>(schema: Schema, content: Buffer): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(content.toString()));
  } catch {
    throw altered();
  }
}

function altered(): Mistake {
  return new Mistake('The backup is damaged or was altered. Nothing was restored.');
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
