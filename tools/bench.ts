// `npm run bench`: every row of figures beside its limit, both taken in the same run (docs/performance.md).
import { writeFile } from 'node:fs/promises';
import { accountOracle } from './bench/account-oracle.ts';
import { type Bench, withBench } from './bench/bench.ts';
import { coldStart } from './bench/cold-start.ts';
import { contentIngest } from './bench/content-ingest.ts';
import { deliveries } from './bench/deliveries.ts';
import { directoryConcurrency } from './bench/directory-concurrency.ts';
import { directoryExport } from './bench/directory-export.ts';
import { directoryList } from './bench/directory-list.ts';
import { directoryPortalUpload } from './bench/directory-portal.ts';
import { directorySearch } from './bench/directory-search.ts';
import { directoryUpload } from './bench/directory-upload.ts';
import { csvDownload } from './bench/download.ts';
import { compareEmbedded } from './bench/embedded.ts';
import { exported } from './bench/export.ts';
import { firstLoad } from './bench/first-load.ts';
import { list } from './bench/list.ts';
import { type Calm, calm, calmText } from './bench/machine-load.ts';
import { mixed } from './bench/mixed.ts';
import { readOptions } from './bench/options.ts';
import { overviews } from './bench/overviews.ts';
import { formatTable, machine, type Row } from './bench/report.ts';
import { retentionPreview } from './bench/retention-preview.ts';
import { retentionPurge } from './bench/retention-purge.ts';
import { scrolling } from './bench/scroll.ts';
import { search } from './bench/search.ts';
import { signIns } from './bench/sign-in.ts';
import { buildPortal } from './run/build-portal.ts';

const ROWS: Record<string, (bench: Bench) => Promise<Row[]>> = {
  start: coldStart,
  list,
  search,
  export: exported,
  'directory-list': directoryList,
  'directory-search': directorySearch,
  'directory-upload': directoryUpload,
  'directory-crowd': directoryConcurrency,
  'directory-export': directoryExport,
  'content-ingest': contentIngest,
  'retention-purge': retentionPurge,
  'retention-preview': retentionPreview,
  deliveries,
  overviews,
  'sign-in': signIns,
  'account-oracle': accountOracle,
  mixed,
  load: firstLoad,
  scroll: scrolling,
  download: csvDownload,
  'directory-portal-upload': directoryPortalUpload,
  embedded: compareEmbedded,
};

/** The rows of one name; what went wrong is a row too, so that the others are still measured. */
async function measured(name: string, bench: Bench): Promise<Row[]> {
  try {
    return (await ROWS[name]?.(bench)) ?? [];
  } catch (error) {
    process.exitCode = 1;
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return [{ row: name, ours: 'failed', limit: '', target: 'no error', isMet: false }];
  }
}

const ON_SCREEN = new Set(['load', 'scroll', 'download', 'directory-portal-upload']);

const say = (line: string) => void process.stderr.write(`${line}\n`);

try {
  const options = readOptions(process.argv.slice(2), Object.keys(ROWS));
  if (options.rows.some((row) => ON_SCREEN.has(row))) await buildPortal();
  await withBench(options, say, async (bench) => {
    const rows: Row[] = [];
    const looks: Calm[] = [];
    for (const name of options.rows) {
      say(`measuring ${name}`);
      looks.push(await calm());
      rows.push(...(await measured(name, bench)));
    }
    const { rows: versions } = await bench.place.pool.query('show server_version');
    const about = {
      machine: machine(),
      database: `${bench.place.name} ${versions[0].server_version}`,
      people: options.people,
      entries: bench.team.entries,
      messages: bench.messages,
      calm: calmText(looks),
      at: new Date().toISOString(),
      command: ['npm run bench --', ...process.argv.slice(2)].join(' '),
    };
    if (options.json) await writeFile(options.json, `${JSON.stringify({ ...about, rows }, null, 2)}\n`);
    const count = (number: number) => number.toLocaleString('en-US');
    const size = `${count(about.people)} people, ${count(about.entries)} directory entries, ${count(about.messages)} messages`;
    process.stdout.write(`\n${about.machine}, ${about.database}, ${size}. ${about.calm}\n\n${formatTable(rows)}\n`);
  });
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}
