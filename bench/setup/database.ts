import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@steward/embedded-postgres';
import pg from 'pg';

export interface Team {
  id: string;
  people: number;
  entries: number;
  messages: number;
  owner: { email: string; password: string };
}

/** The embedded PostgreSQL that all rows share. */
export interface BenchDatabase extends AsyncDisposable {
  url: string;
  dataDir: string;
  /** Settings with which a server or the operator's command uses it. */
  env: Record<string, string>;
  pool: pg.Pool;
  stop(): Promise<void>;
  start(): Promise<void>;
}

// With --data, the next run must be able to decrypt the data of this one.
const SECRET_KEY = 'be'.repeat(32);
const PASSWORD = 'a password for the bench';

/** Without a directory, PostgreSQL starts in a temporary one. */
export async function openDatabase(directory: string | undefined): Promise<BenchDatabase> {
  const dataDir = directory === undefined ? mkdtempSync(join(tmpdir(), 'steward-bench-')) : resolve(directory);
  // If root starts it, PostgreSQL runs as another user, who needs access.
  if (directory === undefined) chmodSync(dataDir, 0o711);
  let embedded: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir });
  const { host, port, user, database } = embedded.connection;
  const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
  const pool = new pg.Pool({ connectionString: url, max: 4, idleTimeoutMillis: 1_000 });
  // The row “start” stops PostgreSQL, which breaks the pool's connections.
  pool.on('error', () => undefined);
  return {
    url,
    dataDir,
    env: { DATABASE_URL: url, SECRET_KEY, ALLOW_INSECURE: '1' },
    pool,
    stop: () => embedded.stop(),
    start: async () => {
      embedded = await startEmbeddedPostgres({ dataDir });
    },
    async [Symbol.asyncDispose]() {
      await pool.end();
      await embedded.stop();
      if (directory === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The operator's command fills the team. */
export async function fillTeam(
  database: BenchDatabase,
  { name, ...size }: { name: string; people: number; entries: number; messages: number },
  say: (line: string) => void,
): Promise<Team> {
  const { pool } = database;
  const owner = { email: `${name}@bench.steward.example`, password: PASSWORD };
  await workspace(database, ['migrate']);
  const find = async () =>
    (
      await pool.query(
        'select m.team_id as id from memberships m join people p on p.id = m.person_id where p.email = $1',
        [owner.email],
      )
    ).rows[0]?.id as string | undefined;
  if ((await find()) === undefined)
    await workspace(database, [
      ...['create-team', '--name', `Bench ${name}`],
      ...['--owner-email', owner.email, '--owner-password', PASSWORD],
    ]);
  const id = (await find()) ?? '';
  const count = async (table: string) =>
    Number((await pool.query(`select count(*) from ${table} where team_id = $1`, [id])).rows[0].count);
  const isMissing = async (table: string, wanted: number) => wanted > 0 && (await count(table)) < wanted;
  const fill = async (...options: string[]) => {
    say(`filling ${name}: ${options.join(' ')}`);
    await workspace(database, ['fill', '--team', id, ...options]);
  };
  if (await isMissing('memberships', size.people)) {
    await fill('--users', String(size.people));
    // Nine of ten members were active once, as in a team that has used the product for a while.
    await pool.query(
      `update memberships set last_active_at = 1700000000000 + abs(hashtext(person_id))::bigint * 30
        where team_id = $1 and email is null and abs(hashtext(person_id)) % 10 <> 0`,
      [id],
    );
    await pool.query('vacuum analyze');
  }
  if (await isMissing('directory_entries', size.entries)) await fill('--entries', String(size.entries));
  if (await isMissing('messages', size.messages)) {
    await fill('--channels', '200', '--messages', String(size.messages));
    // A table stores messages in the order in which they were written, so the rows that a rule deletes are stored together.
    await pool.query('cluster messages using messages_by_age');
    await pool.query('vacuum analyze');
  }
  await pool.query('delete from throttles');
  return { id, owner, ...size };
}

async function workspace({ env }: BenchDatabase, args: string[]): Promise<void> {
  await promisify(execFile)('npm', ['run', '--silent', 'workspace', '--', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** Only COPY uses this connection. */
export async function withClient<T>({ url }: BenchDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
