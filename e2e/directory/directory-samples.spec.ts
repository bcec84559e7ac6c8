import type { Locator, Page } from '@playwright/test';
import { TIME_SCALE } from '@steward/server/testing/system/time-scale.ts';
import { expect, test } from '../browser/fixtures.ts';
import { CSV_SAMPLES, type CsvSample, describeCounts, describeRefusal } from './csv-files.ts';
import {
  chooseFile,
  openUpload,
  previewFile,
  reopenUpload,
  storedEntries,
  tileCounts,
  upload,
  uploadDialog,
} from './upload-screen.ts';

/**
 * The samples for which the browser or the server matters: each decoder of the browser, each fault that only the server finds,
 * and each way to refuse a file. csv-files.test.ts reads all samples without a browser.
 */
const UPLOADED = [
  ...['utf-8-umlauts', 'utf-16le-bom', 'utf-16be', 'windows-1252', 'windows-1250', 'shift_jis', 'gb18030', 'cp850'],
  ...['missing-columns', 'nul', 'short-rows', 'repeated-ids', 'shortened-numbers'],
  ...['formulas', 'quoted-newlines'],
  ...['utf-16-cut', 'empty', 'no-name', 'unclosed-quote', 'renamed-photo', 'renamed-workbook'],
].map((name) => `${name}.csv`);

/** Uploads a file and compares what happens with the guide. Returns the number of added entries. */
async function uploadSample(page: Page, { fileName, bytes, result }: CsvSample): Promise<number> {
  const dialog = uploadDialog(page);
  const file = { name: fileName, content: bytes };
  if (result.startsWith('refused')) {
    await chooseFile(page, file);
    const alert = dialog.getByRole('alert');
    await expect(alert.getByText(`File: ${fileName}`, { exact: true })).toBeVisible();
    const reason = (await alert.locator('p').allInnerTexts()).slice(0, -1).join(' ');
    expect(describeRefusal(reason)).toBe(result);
    return 0;
  }
  await previewFile(page, file);
  await addMatches(dialog);
  const [created = 0, changed, unchanged, wrong = 0] = (await tileCounts(page)).map((tile) =>
    Number(tile.replace(/\D/g, '')),
  );
  expect([changed, unchanged]).toEqual([0, 0]);
  const [reading = ''] = result.split(':');
  await expect(dialog.getByText(reading)).toBeVisible();
  expect(`${reading}: ${describeCounts(created, wrong)}`).toBe(result);
  await store(page, { created, wrong });
  return created;
}

/** The files have the same names, which are added each time. */
async function addMatches(dialog: Locator): Promise<void> {
  const choice = dialog.getByRole('combobox', { name: 'Rows that match existing entries' });
  if (!(await choice.isVisible())) return;
  await choice.selectOption('Add them anyway');
  await expect(dialog.getByText('Reading the file again…')).toBeHidden();
}

async function store(page: Page, { created, wrong }: { created: number; wrong: number }): Promise<void> {
  const dialog = uploadDialog(page);
  if (created === 0) return void (await dialog.getByRole('button', { name: 'Choose another file' }).click());
  await upload(page, wrong > 0 ? 'Some of records were not added' : 'CSV uploaded successfully');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await reopenUpload(page);
}

test('files of each encoding and kind of damage have the documented outcome, one after another on one page', async ({
  page,
  node,
  team,
}) => {
  test.setTimeout(240_000 * TIME_SCALE);
  await openUpload(page, { node, team });
  let stored = 0;
  const samples = CSV_SAMPLES.filter(({ fileName }) => UPLOADED.includes(fileName));
  expect(samples).toHaveLength(UPLOADED.length);
  for (const sample of samples)
    await test.step(sample.fileName, async () => {
      stored += await uploadSample(page, sample);
    });
  const names = (await storedEntries({ node, team })).map(({ name }) => name);
  expect(names).toHaveLength(stored);
  expect(names.filter((name) => name === 'Jörg Müßig')).toHaveLength(3);
  expect(names.filter((name) => /[\uFFFD\0Ã]/.test(name))).toEqual([]);
  expect(names).toContain('=1+1');
});
