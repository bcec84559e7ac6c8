import { to } from 'pg-copy-streams';
import type { Bench } from '../bench.ts';
import { withClient } from '../setup/database.ts';
import { openClient } from '../setup/load.ts';
import { readVitals, type Server, signIn, startServer } from '../setup/server.ts';
import { boundFigure, type Figure, inTurns, ratioFigure, timed } from '../setup/statistics.ts';
import { ENTRY_COLUMNS, PEOPLE_COLUMNS } from './lists.ts';

const ROUNDS = 3;
const STALL_MS = 50;

interface Exported {
  name: string;
  path: string;
  rows: number;
  /** The same columns in the same order as one query. */
  query: string;
}

interface Caller {
  server: Server;
  cookie: string;
}

/** Exports all users and all entries in pages of 2,000, against COPY. */
export async function exportLists(bench: Bench): Promise<Figure[]> {
  const { id, people, entries } = bench.small;
  await using server = await startServer(bench.database);
  const cookie = await signIn(server, bench.small);
  const users: Exported = {
    name: 'users',
    path: `/api/v4/admin/teams/${id}/users?deactivated_accounts=1&limit=2000`,
    rows: people,
    query: `select ${PEOPLE_COLUMNS} from memberships m left join people p on p.id = m.person_id
      left join presence pr on pr.person_id = m.person_id
      where m.team_id = '${id}' order by m.name_key, m.person_id`,
  };
  const directory: Exported = {
    name: 'entries',
    path: `/api/v4/teams/${id}/compdir?limit=2000`,
    rows: entries,
    query: `select ${ENTRY_COLUMNS} from directory_entries where team_id = '${id}' order by name_key, id`,
  };
  const caller = { server, cookie };
  return [...(await measure(bench, caller, users)), ...(await measure(bench, caller, directory))];
}

async function measure({ database }: Bench, { server, cookie }: Caller, list: Exported): Promise<Figure[]> {
  const exportAll = () => timed(() => readPages({ server, cookie }, list));
  const copy = () =>
    timed(() =>
      withClient(database, async (client) => {
        for await (const _ of client.query(to(`copy (${list.query}) to stdout`)));
      }),
    );
  // The heap first grows to its working size.
  await exportAll();
  await readVitals(server);
  const pair = await inTurns(ROUNDS, exportAll, copy);
  const { stallMs } = await readVitals(server);
  return [
    ratioFigure(`${list.rows.toLocaleString('en-US')} ${list.name}`, pair, { is: 'COPY', unit: 'ms', max: 3 }),
    boundFigure(`${list.name}, longest stall of the event loop`, stallMs, { max: STALL_MS, unit: 'ms' }),
  ];
}

async function readPages({ server, cookie }: Caller, list: Exported): Promise<void> {
  const client = openClient(server.port);
  let rows = 0;
  for (let lastKey: string | null = ''; lastKey !== null; ) {
    const path: string = lastKey === '' ? list.path : `${list.path}&last_key=${encodeURIComponent(lastKey)}`;
    const { status, body } = await client.send({ path, cookie });
    if (status !== 200) throw new Error(`A page was answered with ${status}.`);
    // The rows are not parsed, because those of COPY are not parsed either.
    const text = body.toString('latin1');
    rows += text.split('"last_picture_update"').length - 1;
    const next = /"last_key":(?:"([^"]*)"|null)/.exec(text.slice(-1_000));
    lastKey = next?.[1] ?? null;
  }
  client.close();
  if (rows < list.rows) throw new Error(`The export has ${rows} of ${list.rows} ${list.name}.`);
}
