import { load, openClient } from '../setup/load.ts';
import { signIn, vitals, watchServer } from '../setup/processes.ts';
import { boundRow, type Row, ratioRow, short } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { percentile } from '../setup/statistics.ts';
import { newRows, removeUploaded, upload } from './upload.ts';

const ADMINS = 20;
const ROWS = 5_000;
const PER_CALL = 2_000;
const QUIET_SECONDS = 3;
const STALL_MS = 200;

/** Twenty admins who upload 5,000 rows each at once, and the effect on other calls. */
export async function directoryConcurrency(bench: Bench): Promise<Row[]> {
  const { database, team, server } = bench;
  const cookie = await signIn(server, team);
  const rows = await newRows(team, ADMINS * ROWS);
  const path = `/api/v4/admin/teams/${team.id}/users`;
  const others = { clients: 2, calls: () => ({ path, cookie }) };
  const parts = Array.from({ length: ADMINS }, (_, at) => rows.slice(at * ROWS, (at + 1) * ROWS));
  const uploadAll = () =>
    Promise.all(parts.map((part) => upload({ server, team, cookie }, { rows: part, perCall: PER_CALL })));
  // The heap first grows to its working size.
  await uploadAll();
  await removeUploaded(database, team);
  const quiet = await load(server.port, { ...others, seconds: QUIET_SECONDS });
  const before = await vitals(server);

  const times: number[] = [];
  let isOver = false;
  let failures = 0;
  const watching = async () => {
    const client = openClient(server.port);
    while (!isOver) {
      const from = performance.now();
      const { status } = await client.send({ path, cookie });
      times.push(performance.now() - from);
      if (status !== 200) failures += 1;
    }
    client.close();
  };
  const worst = await watchServer(server, async () => {
    const uploads = uploadAll().finally(() => {
      isOver = true;
    });
    await Promise.all([uploads, watching(), watching()]);
  });
  const after = await vitals(server);
  await removeUploaded(database, team);
  if (failures > 0) throw new Error(`${failures} calls of others failed.`);
  const p95 = { ours: percentile(times, 95), limit: percentile(quiet.times, 95), unit: 'ms' };
  return [
    ratioRow(`p95 of list calls while ${ADMINS} admins upload ${ROWS} rows each, against without`, p95, { max: 2 }),
    boundRow('the same: longest stall of the event loop', worst.stallMs, { max: STALL_MS, unit: 'ms' }),
    {
      row: 'the same: server memory before and afterwards',
      ours: `${short(after.residentMiB)} MiB`,
      limit: `${short(before.residentMiB)} MiB before`,
      target: '',
    },
  ];
}
