// `npm run bench`: figures beside a reference taken in the same run (docs/performance.md).
import { writeFile } from 'node:fs/promises';
import { buildPortal } from '../tools/build/build-portal.ts';
import { contentIngest } from './content/ingest.ts';
import { directoryConcurrency } from './directory/concurrency.ts';
import { directoryUpload } from './directory/directory-upload.ts';
import { directoryExport, exportPeople } from './lists/export.ts';
import { overviews } from './lists/overviews.ts';
import { directoryList, list, sortedLists } from './lists/paged-list.ts';
import { directorySearch, search } from './lists/search.ts';
import { csvDownload } from './portal/download.ts';
import { firstLoad } from './portal/first-load.ts';
import { scrolling } from './portal/scroll.ts';
import { directoryPortalUpload } from './portal/upload-dialog.ts';
import { retentionArchive } from './retention/archive.ts';
import { retentionForesight } from './retention/foresight.ts';
import { retentionPreview } from './retention/preview.ts';
import { retentionPurge } from './retention/purge.ts';
import { accountOracle } from './server/account-oracle.ts';
import { backup } from './server/backup.ts';
import { bulk } from './server/bulk.ts';
import { deliveries } from './server/deliveries.ts';
import { memory } from './server/memory.ts';
import { mixed } from './server/mixed.ts';
import { liveSessions } from './server/sessions.ts';
import { signIns } from './server/sign-in.ts';
import { signInFlood } from './server/sign-in-flood.ts';
import { coldStart, compareEmbedded } from './server/start.ts';
import { templates } from './server/templates.ts';
import { readOptions } from './setup/options.ts';
import { describeLoad, formatTable, type MachineLoad, machine, measureMachine, type Row } from './setup/report.ts';
import { type Bench, withBench } from './setup/setup.ts';

const ROWS: Record<string, (bench: Bench) => Promise<Row[]>> = {
  start: coldStart,
  list,
  'sorted-lists': sortedLists,
  search,
  export: exportPeople,
  'directory-list': directoryList,
  'directory-search': directorySearch,
  'directory-upload': directoryUpload,
  'directory-crowd': directoryConcurrency,
  'directory-export': directoryExport,
  'content-ingest': contentIngest,
  'retention-purge': retentionPurge,
  'retention-archive': retentionArchive,
  'retention-preview': retentionPreview,
  'retention-foresight': retentionForesight,
  deliveries,
  templates,
  overviews,
  'sign-in': signIns,
  'sign-in-flood': signInFlood,
  'account-oracle': accountOracle,
  bulk,
  backup,
  memory,
  mixed,
  sessions: liveSessions,
  load: firstLoad,
  scroll: scrolling,
  download: csvDownload,
  'directory-portal-upload': directoryPortalUpload,
  embedded: compareEmbedded,
};

/** The rows of one name. A failure is a row too, so that the other rows are still measured. */
async function measureRows(name: string, bench: Bench): Promise<Row[]> {
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
    const samples: MachineLoad[] = [];
    for (const name of options.rows) {
      say(`measuring ${name}`);
      samples.push(await measureMachine());
      rows.push(...(await measureRows(name, bench)));
    }
    const { rows: versions } = await bench.database.pool.query('show server_version');
    const about = {
      machine: machine(),
      database: `${bench.database.name} ${versions[0].server_version}`,
      people: options.people,
      entries: bench.team.entries,
      messages: bench.messages,
      calm: describeLoad(samples),
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
