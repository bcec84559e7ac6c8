import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { writeArchive } from '@steward/server/src/operator/backup/archive/archive.ts';
import { encryptionFor, type Passage } from '@steward/server/src/operator/backup/archive/archive-encryption.ts';
import { backUp } from '@steward/server/src/operator/backup/backup.actions.ts';
import { lendSession } from '@steward/server/src/operator/backup/backup.store.ts';
import { createBlobs, newBlobKey } from '@steward/server/src/platform/blobs/blobs.ts';
import { createSecrets } from '@steward/server/src/platform/security/secrets.ts';
import { boundRow, type Row, ratioRow } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { measureInTurns, timed } from '../setup/statistics.ts';

const PROGRAM = join(import.meta.dirname, '../../apps/server/src/operator/workspace.ts');
const TELL_PEAK = `data:text/javascript,process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS+"\\n"))`;

/** Files of the largest size, which can't be packed. */
const FILES = 32;
const FILE_BYTES = 8 * 1024 * 1024;
const GROWTH_MIB = 64;
const ROUNDS = 5;

/** A backup of the whole database and some large files against one that isn't encrypted, and the memory that the commands take. */
export async function backup(bench: Bench): Promise<Row[]> {
  const { database, options } = bench;
  const dir = mkdtempSync(join(tmpdir(), 'steward-bench-backup-'));
  const filesUrl = pathToFileURL(join(dir, 'files')).href;
  try {
    await addFiles(bench, filesUrl);
    const secrets = createSecrets(database.secretKey);
    const write = (encrypt: Passage) => () =>
      timed(() => writeTo(bench, { file: join(dir, 'file'), filesUrl, encrypt }));
    const rounds = Math.min(options.rounds, ROUNDS);
    const pair = await measureInTurns(rounds, write(encryptionFor(secrets)), write(unencrypted));
    const seconds = { ...pair, ours: pair.ours / 1000, limit: pair.limit / 1000, unit: 's' };
    return [
      ratioRow(`backup with ${(FILES * FILE_BYTES) / 2 ** 20} MiB of files, against an unencrypted one`, seconds, {
        max: 1.3,
      }),
      ...(await measureMemory(bench, { dir, filesUrl })),
    ];
  } finally {
    await database.pool.query(`delete from files where name = 'bench-backup'`);
    rmSync(dir, { recursive: true, force: true });
  }
}

async function* unencrypted(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* source;
}

async function addFiles({ database, team }: Bench, filesUrl: string): Promise<void> {
  const blobs = createBlobs(filesUrl, '');
  for (let count = 0; count < FILES; count += 1) {
    const key = newBlobKey(team.id, 'file');
    await blobs.put(key, randomBytes(FILE_BYTES));
    await database.pool.query(
      `insert into files (team_id, id, name, size, blob, create_at, update_at) values ($1, $2, 'bench-backup', $3, $4, $5, $5)`,
      [team.id, key.split('/').at(-1), FILE_BYTES, key, Date.now()],
    );
  }
}

async function writeTo(
  { database }: Bench,
  { file, filesUrl, encrypt }: { file: string; filesUrl: string; encrypt: Passage },
): Promise<void> {
  const [secrets, blobs] = [createSecrets(database.secretKey), createBlobs(filesUrl, '')];
  await using archive = await writeArchive(file, { force: true, encrypt });
  await lendSession(database.pool, (session) =>
    backUp({ session, blobs, secrets, archive }, { hasFiles: true, version: 'bench' }, () => undefined),
  );
}

/** Peaks of both commands beyond those of commands that open a database, and that make an empty workspace. */
async function measureMemory({ database }: Bench, at: { dir: string; filesUrl: string }): Promise<Row[]> {
  const file = join(at.dir, 'steward.backup');
  const env = { DATABASE_URL: database.url, SECRET_KEY: database.secretKey, FILES_URL: at.filesUrl };
  const opened = await measurePeak(['failed-jobs'], env);
  const written = await measurePeak(['backup', file], env);
  const migrated = await inNewDatabase(database, (DATABASE_URL) => measurePeak(['migrate'], { ...env, DATABASE_URL }));
  const FILES_URL = pathToFileURL(join(at.dir, 'restored')).href;
  const restored = await inNewDatabase(database, (DATABASE_URL) =>
    measurePeak(['restore', file], { ...env, DATABASE_URL, FILES_URL }),
  );
  const row = (what: string, { peak, seconds }: Peak, rest: Peak) =>
    boundRow(`${what} (${seconds.toFixed(1)} s)`, peak - rest.peak, { max: GROWTH_MIB, unit: 'MiB' });
  return [
    row('backup, memory beyond opening the database', written, opened),
    row('restore, memory beyond making an empty workspace', restored, migrated),
  ];
}

async function inNewDatabase<T>({ pool, url }: Bench['database'], work: (url: string) => Promise<T>): Promise<T> {
  const target = new URL(url);
  const name = `steward_bench_restored_${process.pid}`;
  target.pathname = `/${name}`;
  await pool.query(`create database ${name}`);
  try {
    return await work(target.href);
  } finally {
    await pool.query(`drop database ${name} with (force)`);
  }
}

interface Peak {
  peak: number;
  seconds: number;
}

/** Highest resident memory of a command, in MiB, and its time. */
async function measurePeak(args: string[], env: Record<string, string>): Promise<Peak> {
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', TELL_PEAK, PROGRAM, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${args[0]} failed: ${said}`);
  return { peak: Number(/^peak (\d+)$/m.exec(said)?.[1]) / 1024, seconds: (performance.now() - started) / 1000 };
}
