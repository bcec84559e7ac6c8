import type { Bench } from './bench.ts';
import type { Team } from './bench-database.ts';
import { copyIn, copyOut } from './copy.ts';
import { signIn, vitals, watched } from './processes.ts';
import { boundRow, type Row, ratioRow, short } from './report.ts';
import { measureInTurns, timed } from './statistics.ts';
import { newRows, removeUploaded, upload } from './upload.ts';

const ROWS = 100_000;
const STALL_MS = 50;
const GROWTH_MIB = 60;
/** Rows in a call as the portal sends them, and the most there may be. */
const PER_CALL = { portal: 2_000, most: 5_000 };

/** An import of new rows into a directory that has many, against COPY of the same rows into the same table. */
export async function directoryUpload(bench: Bench): Promise<Row[]> {
  const { place, team, server } = bench;
  await removeUploaded(place, team);
  const uploader = { server, team, cookie: await signIn(server, team) };
  const rows = await newRows(team, ROWS);
  // The server's heap grows to its working size first, which the largest calls decide.
  await upload(uploader, { rows, perCall: PER_CALL.most });
  await removeUploaded(place, team);
  await upload(uploader, { rows, perCall: PER_CALL.portal });
  const copied = await uploadedBytes(place.url, team);
  await removeUploaded(place, team);
  const measured = (perCall: number) => oneSize(bench, { copied, ours: () => upload(uploader, { rows, perCall }) });

  const { pair, stallMs, growth } = await measured(PER_CALL.portal);
  const most = await measured(PER_CALL.most);
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

async function uploadedBytes(url: string, team: Team): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  const query = `select ${COLUMNS} from directory_entries where team_id = '${team.id}' and import_id <> '' order by id`;
  // The bytes are only there until the next ones come.
  await copyOut(url, `copy (${query}) to stdout`, (chunk) => chunks.push(Buffer.from(chunk)));
  return chunks;
}

async function oneSize(
  { place, team, server, options }: Bench,
  { copied, ours }: { copied: readonly Buffer[]; ours: () => Promise<void> },
) {
  const before = await vitals(server);
  const worst = { stallMs: 0, residentMiB: 0 };
  const uploaded = async () => {
    let took = 0;
    const seen = await watched(server, async () => {
      took = await timed(ours);
    });
    worst.stallMs = Math.max(worst.stallMs, seen.stallMs);
    worst.residentMiB = Math.max(worst.residentMiB, seen.residentMiB);
    await removeUploaded(place, team);
    return took / 1000;
  };
  const copy = async () => {
    const took = await timed(() => copyIn(place.url, `copy directory_entries (${COLUMNS}) from stdin`, copied));
    await removeUploaded(place, team);
    return took / 1000;
  };
  const pair = await measureInTurns(options.isQuick ? 3 : 5, uploaded, copy);
  return { pair, stallMs: worst.stallMs, growth: worst.residentMiB - before.residentMiB };
}
