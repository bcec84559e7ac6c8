import type { Locator, Page } from '@playwright/test';
import type { Screen } from './screen.ts';

const ROWS = [
  'Name;Phone Number;Email;Department',
  ...Array.from(
    { length: 40 },
    (_, at) => `Person ${at + 1};555010${String(at).padStart(4, '0')};person${at}@example.com;Sales`,
  ),
  ';5550109999;nobody@example.com;Sales',
  'Wrong Address;;not an address;Sales',
];
const NOW = Date.UTC(2026, 2, 2, 9, 12);
const DAY_MS = 86_400_000;
const PAST = { started_by: '', started_by_name: 'Olivia Owner', undo: null, unchanged: 0, failed: 0, changed: 0 };
const UNDONE = { removed: 38, restored: 0, kept: 2, ended_at: NOW };
/** Uploads of the days before: those that pictures make themselves bear the time of the real clock. */
const IMPORTS = [
  { ...PAST, id: '1', file_name: 'new colleagues.csv', state: 'finished', created: 40, failed: 2, undo_until: NOW },
  { ...PAST, id: '2', file_name: 'numbers from the exchange.csv', state: 'cancelled', changed: 2_000, undo_until: NOW },
  { ...PAST, id: '3', file_name: 'fair 2026.csv', state: 'undone', created: 40, undo_until: 0, undo: UNDONE },
].map((imported, at) => ({ ...imported, started_at: NOW - at * DAY_MS, ended_at: NOW - at * DAY_MS }));

async function open(page: Page): Promise<Locator> {
  await page.route('**/compdir/imports?limit=*', (route) =>
    route.fulfill({ json: { records: IMPORTS, last_key: null, reset: true } }),
  );
  await page.goto('/users/company_directory');
  await page.locator('[data-row]').first().waitFor();
  await page.getByRole('button', { name: 'Upload CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload CSV' });
  await dialog.getByText('fair 2026.csv').waitFor();
  return dialog;
}

async function choose(page: Page, name = 'new colleagues.csv'): Promise<Locator> {
  const dialog = await open(page);
  await dialog.locator('input[type=file]').setInputFiles({
    name,
    mimeType: '',
    buffer: Buffer.from(ROWS.join('\r\n')),
  });
  return dialog;
}

async function preview(page: Page): Promise<Locator> {
  const dialog = await choose(page);
  await dialog.getByRole('heading', { name: 'What this file would do' }).waitFor();
  return dialog;
}

async function result(page: Page): Promise<Locator> {
  const dialog = await preview(page);
  await dialog.getByRole('button', { name: /^Upload \d/ }).click();
  await dialog.getByRole('heading', { name: 'Some of records were not added' }).waitFor();
  return dialog;
}

const hold = (page: Page, address: string) => page.route(address, () => new Promise(() => undefined));

/** The upload of the company directory, step by step. */
export const UPLOAD_SCREENS: readonly Screen[] = [
  { name: 'directory-upload-choose', show: open },
  {
    name: 'directory-upload-refused',
    show: async (page) => (await choose(page, 'new colleagues.xlsx')).getByRole('alert').waitFor(),
  },
  {
    name: 'directory-upload-reading',
    show: async (page) => {
      await hold(page, '**/compdir/multi?preview=1');
      await (await choose(page)).getByRole('progressbar').waitFor();
    },
  },
  { name: 'directory-upload-preview', show: preview },
  {
    name: 'directory-upload-wrong',
    show: async (page) => (await preview(page)).getByRole('button', { name: '2 Wrong' }).click(),
  },
  {
    name: 'directory-upload-storing',
    show: async (page) => {
      await hold(page, '**/compdir/multi?import_id=*');
      const dialog = await preview(page);
      await dialog.getByRole('button', { name: /^Upload \d/ }).click();
      await dialog.getByRole('progressbar').waitFor();
    },
  },
  { name: 'directory-upload-result', show: result },
  {
    name: 'directory-upload-undo',
    show: async (page) => {
      await (await result(page)).getByRole('button', { name: 'Undo this import' }).click();
      await page.getByRole('dialog', { name: 'Undo this import' }).waitFor();
    },
  },
  {
    name: 'directory-upload-undone',
    show: async (page) => {
      const dialog = await result(page);
      await dialog.getByRole('button', { name: 'Undo this import' }).click();
      const question = page.getByRole('dialog', { name: 'Undo this import' });
      await question.getByRole('button', { name: 'Undo this import' }).click();
      await dialog.getByRole('heading', { name: 'This import was undone' }).waitFor();
    },
  },
];
