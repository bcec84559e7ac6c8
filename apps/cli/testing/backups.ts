import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Blobs, createBlobs } from '@steward/server/src/platform/blobs/blobs.ts';
import { createDatabase, createPool, type Database } from '@steward/server/src/platform/database/database.ts';
import { createSecrets, type Secrets } from '@steward/server/src/platform/security/secrets.ts';
import type { TestApp } from '@steward/server/testing/app/start-app.ts';
import { emptyDatabase, testDatabase } from '@steward/server/testing/database/template-database.ts';
import { snapshotTables } from '@steward/server/testing/workspace/snapshot-tables.ts';
import { type ArchiveWriter, writeArchive } from '../src/backup/archive/archive.ts';
import { encryptionFor, type Transform } from '../src/backup/archive/archive-encryption.ts';
import { LEFT_OUT } from '../src/backup/archive/backup-format.ts';
import { type BackedUp, backUp } from '../src/backup/backup.actions.ts';
import { lendSession, type Session } from '../src/backup/backup.store.ts';
import { restore, type Source } from '../src/backup/restore.actions.ts';

export const KEY = '5e'.repeat(32);

interface BackupSource {
  withSession: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  blobs: Blobs;
  secrets: Secrets;
}

type Say = (line: string) => void;

interface WrittenBackup {
  say?: Say;
  /** Encrypts with the key of the source by default. */
  encrypt?: Transform;
}

export async function writeBackup(source: BackupSource, file: string, written: WrittenBackup = {}): Promise<BackedUp> {
  const { say = () => undefined, encrypt = encryptionFor(source.secrets) } = written;
  await using archive: ArchiveWriter = await writeArchive(file, { force: false, encrypt });
  const wanted = { hasFiles: true, version: 'test' };
  return await source.withSession((session) => backUp({ ...source, session, archive }, wanted, say));
}

export type EmptyWorkspace = Awaited<ReturnType<typeof emptyWorkspace>>;

interface EmptyWorkspaceOptions {
  /** True for a database without tables. */
  bare?: boolean;
  key?: string;
  blobs?: (usual: Blobs) => Blobs;
}

export async function emptyWorkspace(dir: string, options: EmptyWorkspaceOptions = {}) {
  const { bare = false, key = KEY, blobs: changed = (usual) => usual } = options;
  const database = await (bare ? emptyDatabase() : testDatabase());
  const pool = createPool({ connectionString: database.url }, { max: 2, name: 'restore test', unlimited: true });
  const secrets = createSecrets(key);
  const db: Database = createDatabase(pool);
  const files = join(dir, `files-${Math.random()}`);
  const parts = {
    db,
    blobs: changed(createBlobs(pathToFileURL(files).href, '')),
    secrets,
    withSession: <T>(work: (session: Session) => Promise<T>) => lendSession(pool, work),
  };
  return {
    ...parts,
    database,
    files,
    restore: (file: string, { say = () => undefined, ...source }: Partial<Source> & { say?: Say } = {}) =>
      restore(parts, { allowsUnencrypted: false, ...source, file }, say),
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Paths are relative to the directory. */
export function listFiles(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
}

/** Replaces the time of a stopped token, which differs between runs. */
const STOPPED = 'stopped';

/** The rows of all tables that a backup contains, without the audit rows that a restore adds. */
export async function readContents(db: Database): Promise<Record<string, unknown[]>> {
  const tables = await snapshotTables({ db } as TestApp, { except: Object.keys(LEFT_OUT), withChain: true });
  const rows = (tables.audit_events ?? []) as { id: string; action: string }[];
  const pending = (tables.audit_pending ?? []) as { event_id: string }[];
  const added = new Set(rows.filter(({ action }) => action === 'teams.restored').map(({ id }) => id));
  return {
    ...tables,
    audit_events: rows.filter(({ id }) => !added.has(id)),
    audit_pending: pending.filter(({ event_id }) => !added.has(event_id)),
    service_tokens: withoutTimes(tables.service_tokens),
    scim_tokens: withoutTimes(tables.scim_tokens),
  };
}

function withoutTimes(tokens: unknown[] = []): unknown[] {
  const rows = tokens as { stopped_at: string | null }[];
  return rows.map((token) => ({ ...token, stopped_at: token.stopped_at && STOPPED }));
}

/** After a restore, all tokens have ended. */
export function asRestored(contents: Record<string, unknown[]>): Record<string, unknown[]> {
  const { service_tokens, scim_tokens } = contents;
  return { ...contents, service_tokens: asEnded(service_tokens), scim_tokens: asEnded(scim_tokens) };
}

function asEnded(tokens: unknown[] = []): unknown[] {
  const rows = tokens as { id: string }[];
  return rows.map((row) => ({ ...row, token_hash: `ended:${row.id}`, stopped_at: STOPPED }));
}
