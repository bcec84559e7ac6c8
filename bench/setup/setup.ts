import { fillWithMessages, needsMessages } from '../content/messages.ts';
import { type BenchDatabase, getTeam, openEmbedded, openForeign, type Team } from './database.ts';
import type { Options } from './options.ts';
import { type Server, startServer } from './processes.ts';

/** Larger teams take too long to scroll through and to download. */
const PORTAL_PEOPLE = 100_000;
const STRANGERS = 1_000;

/** What a row measures on. */
export interface Bench {
  options: Options;
  database: BenchDatabase;
  /** The embedded server; the same as `database` unless --database names another. */
  embedded: BenchDatabase | undefined;
  team: Team;
  /** Number of messages in the team, if a row needs them. */
  messages: number;
  server: Server;
  /** A team of the same size on another database. */
  teamOn(database: BenchDatabase): Promise<Team>;
  /** A team small enough to be scrolled through. */
  smallerTeam(): Promise<Team>;
  /** A team of a thousand, whose owner is a stranger to the people of the other. */
  strangers(): Promise<Team>;
}

/** Opens the databases, fills the team and starts the server for `work`, then closes everything. */
export async function withBench(options: Options, say: (line: string) => void, work: (bench: Bench) => Promise<void>) {
  const closers: (() => Promise<unknown>)[] = [];
  const closing = <P extends { close(): Promise<void> }>(database: P): P => {
    closers.push(() => database.close());
    return database;
  };
  try {
    const needsEmbedded =
      options.database === undefined || options.rows.some((row) => row === 'embedded' || row === 'start');
    const embedded = needsEmbedded ? closing(await openEmbedded(options.data)) : undefined;
    const database = options.database === undefined ? embedded : closing(await openForeign(options.database));
    if (!database) throw new Error('There is no database to measure on.');
    const size = { people: options.people, entries: needsEntries(options) ? options.entries : 0 };
    // Filled while nothing else is connected, which is much faster.
    const team = await getTeam(database, size, say);
    const messages = needsMessages(options)
      ? await fillWithMessages(database, team, { count: options.messages, say })
      : 0;
    const smallerTeam = async () =>
      team.people <= PORTAL_PEOPLE ? team : await getTeam(database, { people: PORTAL_PEOPLE, entries: 0 }, say);
    const strangers = () => getTeam(database, { people: STRANGERS, entries: 0 }, say);
    const server = await startServer(database);
    closers.push(() => server.stop());
    await work({
      options,
      database,
      embedded,
      team,
      messages,
      server,
      teamOn: (other) => getTeam(other, size, say),
      smallerTeam,
      strangers,
    });
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

function needsEntries({ rows, database }: Options): boolean {
  return rows.some(
    (row) => row.startsWith('directory') || row === 'memory' || (row === 'embedded' && database !== undefined),
  );
}
