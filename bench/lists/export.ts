import { copyOut } from '../setup/copy.ts';
import { openClient } from '../setup/load.ts';
import { startProbedServer } from '../setup/longest-task.ts';
import { type Server, signIn, vitals, watchServer } from '../setup/processes.ts';
import { boundRow, type Row, ratioRow } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { timed } from '../setup/statistics.ts';
import { PEOPLE_COLUMNS } from './paged-list.ts';

/** All users of the team. */
export async function exportPeople(bench: Bench): Promise<Row[]> {
  const { team } = bench;
  return compareWithCopy(bench, {
    name: 'export',
    of: 'people',
    path: `/api/v4/admin/teams/${team.id}/users?deactivated_accounts=1&`,
    rows: team.people,
    mark: '"account_type"',
    query: `select ${PEOPLE_COLUMNS} from memberships m left join people p on p.id = m.person_id
      left join presence pr on pr.person_id = m.person_id
      where m.team_id = '${team.id}' order by m.name_key, m.person_id`,
  });
}

/** The whole directory of the team. */
export async function directoryExport(bench: Bench): Promise<Row[]> {
  const { team } = bench;
  return compareWithCopy(bench, {
    name: 'directory export',
    of: 'entries',
    path: `/api/v4/teams/${team.id}/compdir?`,
    rows: team.entries,
    mark: '"user_id"',
    query: `select id, name, phone_number, sms, email, user_id, last_picture_update from directory_entries
      where team_id = '${team.id}' order by name_key, id`,
  });
}

const GROWTH_MIB = 60;
const STALL_MS = 40;

/** A list that is exported. */
interface ExportedList {
  /** Name in the report, and what it lists. */
  name: string;
  of: string;
  /** Path with its filters, up to a first `?`. */
  path: string;
  rows: number;
  /** Text that occurs once per record. */
  mark: string;
  /** The same columns in the same order as one query. */
  query: string;
}

/** All of a list, page after page of 2,000, against one COPY of the same columns in the same order. */
async function compareWithCopy(bench: Bench, list: ExportedList): Promise<Row[]> {
  const { database, team } = bench;
  const server = await startProbedServer(database);
  const cookie = await signIn(server, team);
  await pages(server, list, { cookie, most: 20 });
  const before = await vitals(server);
  server.begin();
  let took = 0;
  const worst = await watchServer(server, async () => {
    took = await timed(() => pages(server, list, { cookie, most: Number.POSITIVE_INFINITY }));
  });
  const longest = await server.stopAndRead();
  const copied = await timed(() => copyOut(database.url, `copy (${list.query}) to stdout`));
  const figures = { ours: took / 1000, limit: copied / 1000, unit: 's' };
  const growth = worst.residentMiB - before.residentMiB;
  const { name } = list;
  return [
    ratioRow(`${name} of ${list.rows.toLocaleString('en-US')} ${list.of}, against COPY`, figures, { max: 1.5 }),
    boundRow(`${name}, server memory beyond before`, growth, { max: GROWTH_MIB, unit: 'MiB' }),
    boundRow(`${name}, longest stall of the event loop`, worst.stallMs, { max: STALL_MS, unit: 'ms' }),
    boundRow(`${name}, processor time of the longest task`, longest, { max: STALL_MS, unit: 'ms' }),
  ];
}

async function pages(server: Server, list: ExportedList, { cookie, most }: { cookie: string; most: number }) {
  const client = openClient(server.port);
  const path = `${list.path}limit=2000`;
  let lastKey = '';
  let records = 0;
  for (let page = 0; page < most; page += 1) {
    const { status, body } = await client.send({ path: path + (lastKey && `&last_key=${lastKey}`), cookie });
    if (status !== 200) throw new Error(`A page of the export answered ${status}.`);
    // Only the cursor is parsed, since COPY's rows are not parsed either.
    const text = body.toString('latin1');
    records += text.split(list.mark).length - 1;
    const next = /"last_key":(?:"([^"]*)"|null)/.exec(text.slice(-1_000))?.[1];
    if (next === undefined) break;
    lastKey = encodeURIComponent(next);
  }
  client.close();
  if (most === Number.POSITIVE_INFINITY && records < list.rows)
    throw new Error(`The export has ${records} ${list.of} only.`);
}
