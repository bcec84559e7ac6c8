import { copyIn, copyRows } from '../setup/copy.ts';
import { createWatch, signIn, vitals } from '../setup/processes.ts';
import { boundRow, type Row, ratioRow, short } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { measureInTurns, timed } from '../setup/statistics.ts';
import { newRows, removeUploaded, upload } from './upload.ts';

const ROWS = 100_000;
const STALL_MS = 50;
const GROWTH_MIB = 60;
/** Rows per call as the portal sends them, and the maximum. */
const PER_CALL = { portal: 2_000, most: 5_000 };

/** An import of new rows into a large directory, against COPY of the same rows into the same table. */
export async function directoryUpload(bench: Bench): Promise<Row[]> {
  const { database, team, server } = bench;
  await removeUploaded(database, team);
  const uploader = { server, team, cookie: await signIn(server, team) };
  const rows = await newRows(team, ROWS);
  // The heap first grows to its working size, which the largest calls determine.
  await upload(uploader, { rows, perCall: PER_CALL.most });
  await removeUploaded(database, team);
  await upload(uploader, { rows, perCall: PER_CALL.portal });
  const added = `team_id = '${team.id}' and import_id <> ''`;
  const copied = await copyRows(database.url, `select ${COLUMNS} from directory_entries where ${added} order by id`);
  await removeUploaded(database, team);
  const measure = (perCall: number) =>
    measureUploads(bench, { copied, ours: () => upload(uploader, { rows, perCall }) });
  const { pair, stallMs, growth } = await measure(PER_CALL.portal);
  const most = await measure(PER_CALL.most);
  const name = `directory upload of ${ROWS.toLocaleString('en-US')} rows`;
  const calls = `${name} in calls of ${PER_CALL.most.toLocaleString('en-US')} (stall ${short(most.stallMs)} ms)`;
  return [
    ratioRow(`${name}, against COPY`, { ...pair, unit: 's' }, { max: 2 }),
    boundRow('directory upload, longest stall of the event loop', stallMs, { max: STALL_MS, unit: 'ms' }),
    boundRow('directory upload, server memory beyond before', growth, { max: GROWTH_MIB, unit: 'MiB' }),
    ratioRow(calls, { ...most.pair, unit: 's' }, { max: 2 }),
  ];
}

const COLUMNS = 'team_id, id, name, phone_number, sms, email, user_id, last_picture_update, import_id';

async function measureUploads(
  { database, team, server, options }: Bench,
  { copied, ours }: { copied: readonly Buffer[]; ours: () => Promise<void> },
) {
  const before = await vitals(server);
  const { worst, time } = createWatch(server);
  const thenRemove = async (took: number) => {
    await removeUploaded(database, team);
    return took;
  };
  const copy = () => timed(() => copyIn(database.url, `copy directory_entries (${COLUMNS}) from stdin`, copied));
  const pair = await measureInTurns(
    options.isQuick ? 3 : 5,
    async () => thenRemove(await time(ours)),
    async () => thenRemove((await copy()) / 1000),
  );
  return { pair, stallMs: worst.stallMs, growth: worst.residentMiB - before.residentMiB };
}
