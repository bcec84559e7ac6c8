import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { TIME_SCALE } from '@steward/server/testing/system/time-scale.ts';
import { expect, test } from '../browser/fixtures.ts';
import { CSV_SAMPLES, type CsvSample } from './csv-files.ts';
import { chooseFile, openUpload, reopenUpload, storedEntries, tileCounts, uploadDialog } from './upload-screen.ts';

const TABLE = join(import.meta.dirname, '../../docs/guide/csv-files.md');
/** The server rejects these rows, besides those that the reader rejects. */
const FOUND_BY_SERVER: Record<string, number> = {
  'missing-columns': 1,
  nul: 1,
  'short-rows': 1,
  'repeated-ids': 3,
  'shortened-numbers': 2,
};
const INVALID = 'Provided input seems Invalid. Please check format by downloading comp dir csv ';
const DELIMITERS = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };

/** Uploads a file. Returns its outcome in the words of the table in docs/csv-files.md. */
async function uploadSample(page: Page, sample: CsvSample): Promise<{ text: string; stored: number }> {
  const { fileName, bytes, outcome } = sample;
  const dialog = uploadDialog(page);
  await chooseFile(page, { name: fileName, content: bytes });
  if ('refused' in outcome) {
    const alert = dialog.getByRole('alert');
    await expect(alert.getByText(`File: ${fileName}`, { exact: true })).toBeVisible();
    const reason = (await alert.locator('p').allInnerTexts()).slice(0, -1).join(' ');
    expect(reason).toMatch(outcome.refused);
    return { text: `refused: ${reason.replace(INVALID, '')}`, stored: 0 };
  }
  await expectFocused(dialog.getByRole('heading', { name: 'Review changes' }));
  await addMatches(dialog);
  const counts = (await tileCounts(page)).map((tile) => Number(tile.replace(/\D/g, '')));
  const [created = 0, changed = 0, unchanged = 0, wrong = 0] = counts;
  expect(created + changed + unchanged + wrong).toBe(outcome.rows);
  expect(wrong).toBe(outcome.wrong + (FOUND_BY_SERVER[fileName.replace('.csv', '')] ?? 0));
  const reading = `${outcome.encoding}, ${DELIMITERS[outcome.delimiter]}-separated`;
  if (outcome.rows > 0) await expect(dialog.getByText(reading)).toBeVisible();
  await store(page, { created: created + changed, wrong });
  const parts = [`${created} added`, ...(wrong > 0 ? [`${wrong} given back`] : [])];
  return { text: `${reading}: ${parts.join(', ')}`, stored: created };
}

/** The files have the same names, which are added each time. */
async function addMatches(dialog: Locator): Promise<void> {
  const choice = dialog.getByRole('combobox', { name: 'Rows that match existing entries' });
  if (!(await choice.isVisible())) return;
  await choice.selectOption('Add them anyway');
  await expect(dialog.getByText('Reading the file again…')).toBeHidden({ timeout: 60_000 * TIME_SCALE });
}

/** A file of 20 MB may take long to read on a busy machine. Once a step appears, it has the focus. */
async function expectFocused(heading: Locator): Promise<void> {
  await expect(heading).toBeVisible({ timeout: 60_000 * TIME_SCALE });
  await expect(heading).toBeFocused();
}

async function store(page: Page, { created, wrong }: { created: number; wrong: number }): Promise<void> {
  const dialog = uploadDialog(page);
  if (created === 0) return void (await dialog.getByRole('button', { name: 'Choose another file' }).click());
  await dialog.getByRole('button', { name: /^Upload \d/ }).click();
  const result = wrong > 0 ? 'Some of records were not added' : 'CSV uploaded successfully';
  await expectFocused(dialog.getByRole('heading', { name: result }));
  await dialog.getByRole('button', { name: 'Done' }).click();
  await reopenUpload(page);
}

test('files of every encoding, delimiter and kind of damage have the documented outcome, one after another on one page', async ({
  page,
  node,
  team,
}) => {
  test.setTimeout(240_000 * TIME_SCALE);
  await openUpload(page, { node, team });
  const lines: string[] = [];
  let stored = 0;
  for (const sample of CSV_SAMPLES) {
    await test.step(sample.fileName, async () => {
      const end = await uploadSample(page, sample);
      stored += end.stored;
      lines.push(`| \`${sample.fileName}\` | ${sample.about} | ${end.text} |`);
    });
  }
  const names = (await storedEntries(page, { node, team })).map(({ name }) => name);
  expect(names).toHaveLength(stored);
  expect(names.filter((name) => name === 'Jörg Müßig')).toHaveLength(4);
  expect(names.filter((name) => /[\uFFFD\0Ã]/.test(name))).toEqual([]);
  expect(names).toContain('=1+1');

  if (process.env.WRITE_TABLE === '1') await writeTable(lines);
  const table = await readFile(TABLE, 'utf8');
  expect(table.split('\n').filter((line) => line.startsWith('| `'))).toEqual(lines);
});

async function writeTable(lines: readonly string[]): Promise<void> {
  const before = await readFile(TABLE, 'utf8');
  const head = before.slice(0, before.indexOf('|---|---|---|\n'));
  await writeFile(TABLE, `${head}|---|---|---|\n${lines.join('\n')}\n`);
}
