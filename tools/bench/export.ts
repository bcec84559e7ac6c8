import type { Bench } from './bench.ts';
import { copyOut } from './copy.ts';
import { timed } from './figures.ts';
import { openClient } from './load.ts';
import { signIn, vitals, watched } from './processes.ts';
import { boundRow, type Row, ratioRow } from './report.ts';

const GROWTH_MIB = 60;
const STALL_MS = 50;

/** Everybody of the team, page after page of 2,000, against one COPY of the same columns in the same order. */
export async function exported(bench: Bench): Promise<Row[]> {
  const { place, team, server } = bench;
  const cookie = await signIn(server, team);
  await pages(bench, cookie, 20);
  const before = await vitals(server);
  let took = 0;
  const worst = await watched(server, async () => {
    took = await timed(() => pages(bench, cookie));
  });
  const statement = `copy (select p.id, p.first_name, p.last_name, p.email, pr.status, p.type, m.roles, p.last_picture_update,
      p.create_at, p.update_at, p.delete_at, p.apps
    from memberships m join people p on p.id = m.person_id left join presence pr on pr.person_id = m.person_id
    where m.team_id = '${team.id}' order by m.name_key, m.person_id) to stdout`;
  const copied = await timed(() => copyOut(place.url, statement));
  const figures = { ours: took / 1000, limit: copied / 1000, unit: 's' };
  const growth = worst.residentMiB - before.residentMiB;
  return [
    ratioRow(`export of ${team.people.toLocaleString('en-US')} people, against COPY`, figures, { max: 4 }),
    boundRow('export, server memory beyond before', growth, { max: GROWTH_MIB, unit: 'MiB' }),
    boundRow('export, longest stall of the event loop', worst.stallMs, { max: STALL_MS, unit: 'ms' }),
  ];
}

async function pages({ team, server }: Bench, cookie: string, most = Number.POSITIVE_INFINITY): Promise<void> {
  const client = openClient(server.port);
  const path = `/api/v4/admin/teams/${team.id}/users?deactivated_accounts=1&limit=2000`;
  let lastKey = '';
  let people = 0;
  for (let page = 0; page < most; page += 1) {
    const { status, body } = await client.send({ path: path + (lastKey && `&last_key=${lastKey}`), cookie });
    if (status !== 200) throw new Error(`A page of the export answered ${status}.`);
    // A client that writes a file reads the rows; here only where to go on is read, as COPY's rows are not read either.
    const text = body.toString('latin1');
    people += text.split('"account_type"').length - 1;
    const next = /"last_key":(?:"([^"]*)"|null)/.exec(text.slice(-1_000))?.[1];
    if (next === undefined) break;
    lastKey = encodeURIComponent(next);
  }
  client.close();
  if (most === Number.POSITIVE_INFINITY && people < team.people)
    throw new Error(`The export has ${people} people only.`);
}
