import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { newRows, removeUploaded } from '../directory/upload.ts';
import type { Team } from '../setup/database.ts';
import { boundRow, type Row, short } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { timed } from '../setup/statistics.ts';
import { inBrowser, longestTask, tabMemory, watchTasks } from './browser.ts';

const ROWS = 100_000;
const FILE_MB = 12;
const TASK_MS = 100;
const GROWTH_MIB = 20;
const KEPT_MIB = 10;
const WITHIN_MS = 180_000;

/** A file of a directory's size through the upload dialog: preview, upload, result. */
export async function directoryPortalUpload(bench: Bench): Promise<Row[]> {
  const { database, team, server } = bench;
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-file-'));
  try {
    const file = join(folder, 'bench.csv');
    await writeFile(file, await buildCsv(team));
    const seen = await inBrowser(server, { team, work: (page, origin) => throughDialog(page, { origin, file }) });
    const { rows } = await database.pool.query(
      "select count(*)::int as count from directory_entries where team_id = $1 and import_id <> ''",
      [team.id],
    );
    if (rows[0].count !== ROWS) throw new Error(`The portal added ${rows[0].count} of ${ROWS} rows only.`);
    const name = `portal upload of ${ROWS.toLocaleString('en-US')} rows, ${FILE_MB} MB`;
    const times = `preview ${short(seen.preview / 1000)} s, upload ${short(seen.upload / 1000)} s`;
    const working = `${short(seen.working)} MiB while it works`;
    return [
      {
        ...boundRow(`${name}: longest task in the page`, seen.task, { max: TASK_MS, unit: 'ms', limit: times }),
        ...(seen.task === 0 && { ours: '≤ 50 ms' }),
      },
      boundRow(`${name}: tab in the second half beyond the first`, seen.growth, {
        max: GROWTH_MIB,
        unit: 'MiB',
        limit: working,
      }),
      boundRow(`${name}: heap of the page kept afterwards`, seen.kept, { max: KEPT_MIB, unit: 'MiB' }),
    ];
  } finally {
    await removeUploaded(database, team);
    await rm(folder, { recursive: true, force: true });
  }
}

/** New rows, with an unknown column to reach the size of the file. */
async function buildCsv(team: Team): Promise<string> {
  const cell = (text: string) => `"${text}"`;
  const lines = (await newRows(team, ROWS)).map((row) =>
    [row.id, row.name, row.phone_number, row.sms, row.email].map(cell).join(','),
  );
  const missing = FILE_MB * 1_000_000 - lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 3, 0);
  const notes = 'n'.repeat(Math.max(0, Math.floor(missing / ROWS)));
  return ['Id,Name,Phone Number,Sms,Email,Notes', ...lines.map((line) => `${line},${notes}`)].join('\r\n');
}

async function throughDialog(page: Page, { origin, file }: { origin: string; file: string }) {
  await page.goto(`${origin}/users/company_directory`);
  await page.getByRole('button', { name: 'Upload CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload CSV' });
  await dialog.getByRole('heading', { name: 'Choose a file' }).waitFor();
  await page.waitForLoadState('networkidle');
  await watchTasks(page);
  const took = { preview: 0, upload: 0 };
  const memory = await tabMemory(page, async () => {
    const coming = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Choose a CSV file' }).click();
    const chooser = await coming;
    const shown = async (name: string) => {
      const seen = dialog.getByRole('heading', { name }).waitFor({ timeout: WITHIN_MS });
      await seen.catch(async () => {
        throw new Error(`“${name}” did not come; the dialog says: ${await dialog.innerText()}`);
      });
    };
    took.preview = await timed(async () => {
      await chooser.setFiles(file);
      await shown('What this file would do');
    });
    took.upload = await timed(async () => {
      await dialog.getByRole('button', { name: /^Upload \d/ }).click();
      await shown('CSV uploaded successfully');
    });
    await dialog.getByRole('button', { name: 'Done' }).click();
  });
  return { ...took, ...memory, task: await longestTask(page) };
}
