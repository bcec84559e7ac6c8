import type { Locator, Page } from '@playwright/test';
import { encode } from '@steward/portal/src/platform/csv/reader/encode-fakes.ts';
import { deleteEntry } from '@steward/server/src/features/directory/entries.store.ts';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { download, expect, type Given, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { holdCalls } from '../users/users-screen.ts';
import { entryRow, seedEntries } from './directory-screen.ts';
import {
  chooseFile,
  openUpload,
  previewFile,
  reopenUpload,
  storedEntries,
  tileCounts,
  upload,
} from './upload-screen.ts';

async function dropFiles(page: Page, ...files: { name: string; type: string; content: string }[]): Promise<void> {
  const dragged = await page.evaluateHandle((dropped) => {
    const transfer = new DataTransfer();
    for (const { name, type, content } of dropped) transfer.items.add(new File([content], name, { type }));
    return transfer;
  }, files);
  await page.locator('body').dispatchEvent('dragenter', { dataTransfer: dragged });
  await expect(page.getByText('Drop your CSV file to preview it')).toBeVisible();
  await page.locator('body').dispatchEvent('drop', { dataTransfer: dragged });
}

/** The entry is deleted as if it had been done elsewhere. */
async function deleteEntryElsewhere({ node, team }: Given, id: string): Promise<void> {
  await inTransaction(node.db, (trx) => deleteEntry(trx, team.id, id));
}

const HEADER = 'Id,Name,Phone Number,Sms,Email';
const RUSSIAN = ['Иван Петров', 'Мария Смирнова', 'Алексей Кузнецов', 'Екатерина Попова', 'Юрий Щербаков'];
const numbered = (count: number) =>
  [HEADER, ...Array.from({ length: count }, (_, at) => `,Person ${String(at + 1).padStart(5, '0')},,,`)].join('\r\n');

test('a file from a spreadsheet is uploaded in three steps; what is there already is kept, updated or added', async ({
  page,
  node,
  team,
}) => {
  const [ada = '', bea = ''] = await seedEntries(
    { node, team },
    { name: 'Ada', phone_number: '+49301234', email: 'ada@example.com' },
    { name: 'Bea', phone_number: '0301234' },
  );
  const dialog = await openUpload(page, { node, team });
  const lines = [
    'Id;Name;Phone Number;Email;Town',
    `${ada};Ada Müller;49301234;ada@example.com;Köln`,
    `${bea};Bea;301234;;Köln`,
    ';Çelik;5551234567;celik@example.com;Köln',
  ];
  await previewFile(page, { name: 'people.csv', content: Buffer.from(lines.join('\r\n'), 'latin1') });
  await expect(dialog.getByText('3 rows in people.csv, read as Windows-1252, semicolon-separated.')).toBeVisible();
  expect(await tileCounts(page)).toEqual(['1 New', '1 Updated', '1 Unchanged', '0 Errors']);
  await expect(dialog.getByRole('listitem')).toHaveText([
    'The file has no column Sms: existing entries keep their values; empty in new entries.',
    /^Ignored column: “town”\.$/i,
    '2 numbers lost their leading + or zeros in a spreadsheet; the existing numbers are kept.',
  ]);
  await dialog.getByRole('button', { name: '1 Updated' }).click();
  const changed = dialog.getByRole('table').locator('tbody tr');
  await expect(changed).toHaveCount(1);
  await expect(changed.getByRole('deletion')).toHaveText('Ada');
  await expect(changed.getByRole('insertion')).toHaveText('Ada Müller');
  await picture(page, 'directory-upload-preview');
  expect(await storedEntries({ node, team })).toHaveLength(2);

  await upload(page, 'CSV uploaded successfully');
  await expect(page.getByRole('status').getByText('CSV uploaded successfully')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Upload CSV' })).toBeFocused();
  await expect(entryRow(page, 'Çelik')).toContainText('(555) 123-4567');
  const stored = await storedEntries({ node, team });
  expect(stored.map(({ name, phone_number }) => `${name} ${phone_number}`)).toEqual([
    'Ada Müller +49301234',
    'Bea 0301234',
    'Çelik 5551234567',
  ]);

  await seedEntries(
    { node, team },
    { name: 'Ann Lee', email: 'ann@example.com', phone_number: '5551234567' },
    { name: 'Bob Ray', phone_number: '+49301234' },
  );
  await reopenUpload(page);
  const content = 'Name,Email,Phone Number\nAnn Fox,ann@example.com,5559999999\nBob Ray,,49301234\nCid Dot,,1\n';
  await previewFile(page, { name: 'people.csv', content });
  await expect(dialog.getByText('2 rows match entries that are there already')).toBeVisible();
  expect(await tileCounts(page)).toEqual(['1 New', '0 Updated', '2 Unchanged', '0 Errors']);
  await picture(page, 'directory-upload-matches');
  const choice = dialog.getByRole('combobox', { name: 'Rows that match existing entries' });
  await choice.selectOption('Add them anyway');
  await expect.poll(() => tileCounts(page)).toEqual(['3 New', '0 Updated', '0 Unchanged', '0 Errors']);
  await choice.selectOption('Update the entries');
  await expect.poll(() => tileCounts(page)).toEqual(['1 New', '1 Updated', '1 Unchanged', '0 Errors']);
  await dialog.getByRole('button', { name: '1 Updated' }).click();
  await expect(dialog.getByRole('deletion')).toHaveText(['Ann Lee', '5551234567']);
  await expect(dialog.getByRole('insertion')).toHaveText(['Ann Fox', '5559999999']);
  await upload(page, 'CSV uploaded successfully');
  const updated = await storedEntries({ node, team });
  expect(updated.map(({ name, phone_number }) => [name, phone_number])).toEqual([
    ['Ada Müller', '+49301234'],
    ['Ann Fox', '5559999999'],
    ['Bea', '0301234'],
    ['Bob Ray', '+49301234'],
    ['Çelik', '5551234567'],
    ['Cid Dot', '1'],
  ]);
});

test('wrong rows are returned in a file with their errors, and can be uploaded once fixed; the import is undone later', async ({
  page,
  node,
  team,
}) => {
  const dialog = await openUpload(page, { node, team });
  const rows = [',Good 1,,,', ',,555,,nameless@example.com', ',Bad Address,,,bad address', ',Good 2,,,', ',Too,,,,far'];
  await previewFile(page, { name: 'people.csv', content: [HEADER, ...rows].join('\n') });
  expect(await tileCounts(page)).toEqual(['2 New', '0 Updated', '0 Unchanged', '3 Errors']);
  await dialog.getByRole('button', { name: '3 Errors' }).click();
  await expect(dialog.getByText('Name is required.')).toBeVisible();
  await expect(dialog.getByText('Email must not have spaces in it.')).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Click to download Error Csv' })).toBeVisible();

  await upload(page, 'Some of records were not added');
  // An alert stays while the pointer is on it.
  await page.getByRole('alert').hover();
  await expect(page.getByRole('alert')).toContainText('Some of records were not added');
  await picture(page, 'directory-upload-errors');
  await expect(page.getByRole('alert').getByRole('link', { name: 'Click to download Error Csv' })).toBeVisible();
  // The error is reported once, in the dialog.
  await expect(page.getByRole('alert')).toHaveCount(1);
  await expect(page.getByText('Some of records were not added')).toHaveCount(1);
  await expect(dialog.getByText('2 of 5 rows imported from people.csv')).toBeVisible();
  const { name: fileName, text: errorCsv } = await download(
    page,
    dialog.getByRole('link', { name: 'Click to download Error Csv' }),
  );
  expect(fileName).toBe('steward-compdir-errors.csv');
  const [header, ...wrong] = errorCsv.trimEnd().split('\r\n');
  expect(header).toBe(`\uFEFF${HEADER},Error`);
  expect(wrong.map((line) => line.split(',').slice(0, 5).join(','))).toEqual([
    ',,555,,nameless@example.com',
    ',Bad Address,,,bad address',
    ',Too,,,',
  ]);
  await dialog.getByRole('button', { name: 'Done' }).click();

  const mended = errorCsv.replace(',,555', ',Nameless,555').replace('bad address', 'good.address@example.com');
  await reopenUpload(page);
  await previewFile(page, { name: 'steward-compdir-errors.csv', content: mended });
  expect(await tileCounts(page)).toEqual(['3 New', '0 Updated', '0 Unchanged', '0 Errors']);
  await upload(page, 'CSV uploaded successfully');
  const names = (await storedEntries({ node, team })).map(({ name }) => name);
  expect(names).toEqual(['Bad Address', 'Good 1', 'Good 2', 'Nameless', 'Too']);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await reopenUpload(page);
  const [newest, first] = await dialog.getByRole('region', { name: 'Recent imports' }).getByRole('listitem').all();
  for (const text of ['steward-compdir-errors.csv', 'Finished', '3 new', 'Olivia Owner'])
    await expect(newest as Locator).toContainText(text);
  await expect(first as Locator).toContainText('2 new · 3 errors');
  await dialog.getByRole('button', { name: 'Undo this import: people.csv' }).click();
  const question = page.getByRole('dialog', { name: 'Undo this import' });
  await question.getByRole('button', { name: 'Undo this import' }).click();
  await expect(dialog.getByRole('heading', { name: 'Import undone' })).toBeFocused();
  await expect(dialog.getByRole('definition')).toHaveText(['2', '0', '0']);
  await dialog.getByRole('button', { name: 'Back to uploads' }).click();
  await expect(first as Locator).toContainText('Undone');
  await expect((first as Locator).getByRole('button', { name: /Undo/ })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Details: people.csv' }).click();
  await expect(dialog.getByRole('heading', { name: 'Import undone' })).toBeFocused();
  expect((await storedEntries({ node, team })).map(({ name }) => name)).toEqual(['Bad Address', 'Nameless', 'Too']);
});

test('an import is undone except for entries that changed since, which are listed', async ({ page, node, team }) => {
  const [ada = '', bea = '', cleo = ''] = await seedEntries(
    { node, team },
    { name: 'Ada' },
    { name: 'Bea' },
    { name: 'Cleo' },
  );
  const dialog = await openUpload(page, { node, team });
  const rows = [`${ada},Ada changed,,,`, `${bea},Bea changed,,,`, `${cleo},Cleo changed,,,`, ',New 1,,,', ',New 2,,,'];
  await previewFile(page, { name: 'people.csv', content: [HEADER, ...rows].join('\r\n') });
  await upload(page, 'CSV uploaded successfully');
  const created = (await storedEntries({ node, team })).find(({ name }) => name === 'New 2');
  const edit = await page.request.put(`/api/v4/teams/${team.id}/compdir`, {
    data: [
      { id: bea, name: 'Bea by hand' },
      { id: created?.id ?? '', name: 'New by hand' },
    ],
  });
  expect(edit.ok()).toBe(true);
  await deleteEntryElsewhere({ node, team }, cleo);

  await dialog.getByRole('button', { name: 'Undo this import' }).click();
  const question = page.getByRole('dialog', { name: 'Undo this import' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(question).toContainText('people.csv');
  await expect(question).toContainText('2 added entries will be removed, 3 updated entries will be restored.');
  await expect(question).toContainText('Entries that were edited or deleted later stay as they are and are listed.');
  await question.getByRole('button', { name: 'Undo this import' }).click();
  await expect(dialog.getByRole('heading', { name: 'Import undone' })).toBeFocused();
  await expect(dialog.getByRole('definition')).toHaveText(['1', '1', '3']);
  const kept = dialog.getByRole('region', { name: 'Entries that were kept' }).getByRole('listitem');
  await expect(kept).toHaveCount(3);
  await expect(kept.filter({ hasText: 'Bea by hand' })).toContainText('edited later');
  await expect(kept.filter({ hasText: 'New by hand' })).toContainText('edited later');
  await expect(kept.filter({ hasText: 'Cleo' })).toContainText('deleted later');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(entryRow(page, 'New 1')).toHaveCount(0);
  const names = (await storedEntries({ node, team })).map(({ name }) => name);
  expect(names).toEqual(['Ada', 'Bea by hand', 'New by hand']);
});

test('an upload continues after a failure; canceled, it keeps the stored rows; leaving the page asks first', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of 500/);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await page.getByRole('link', { name: 'Company Directory' }).click();
  const dialog = await reopenUpload(page);
  await previewFile(page, { name: 'people.csv', content: numbered(5_000) });
  const message = 'Something went wrong on our side.';
  const refusal = { status_code: 500, message, id: 'server.error', request_id: 'x' };
  const held = Promise.withResolvers<void>();
  let calls = 0;
  await page.route('**/compdir/multi?*import_id=*', async (route) => {
    calls += 1;
    if (calls === 2) return route.fulfill({ status: 500, json: refusal });
    if (calls === 3) await held.promise;
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Upload 5,000 rows' }).click();
  await expect(dialog.getByRole('alert')).toContainText(message);
  await expect(dialog.getByText('2,000 of 5,000 rows')).toBeVisible();
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect(dialog.getByRole('progressbar', { name: 'Uploading the rows' })).toHaveAttribute('value', '2000');
  await page.keyboard.press('Escape');
  await page.goBack();
  const question = page.getByRole('dialog', { name: 'Stop the upload' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  held.resolve();
  await expect(dialog.getByRole('heading', { name: 'Upload canceled' })).toBeFocused();
  await expect(dialog.getByText('The first 4,000 rows of the file were processed')).toBeVisible();
  expect(calls).toBe(3);
  expect(await storedEntries({ node, team })).toHaveLength(4_000);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(entryRow(page, 'Person 00001')).toBeVisible();
  await reopenUpload(page);
  await expect(dialog.getByRole('listitem')).toContainText('Canceled');
  await expect(dialog.getByRole('listitem')).toContainText('4,000 new');
});

test('dropped and chosen files are read or refused, and another encoding redraws the preview', async ({
  page,
  node,
  team,
}) => {
  const dialog = await openUpload(page, { node, team });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('heading', { name: 'Company Directory' }).click();
  const evil = '<img src=x onerror=alert(1)>';
  await dropFiles(
    page,
    { name: 'photo.png', type: 'image/png', content: 'no' },
    { name: `${evil}.csv`, type: 'text/csv', content: `Name\n${evil}\n\u202Eevil.exe\n${'x'.repeat(300_000)}` },
  );
  await expect(dialog.getByText(`One file at a time: of 2 files, only “${evil}.csv” was read.`)).toBeVisible();
  // Names are shown as text, and the huge cell is cut.
  await expect(dialog.getByRole('cell', { name: evil })).toBeVisible();
  await expect(dialog.locator('img')).toHaveCount(0);
  expect(await dialog.evaluate((element) => element.innerHTML.length)).toBeLessThan(40_000);
  await dropFiles(page, { name: 'next.csv', type: 'text/csv', content: 'Name\nNext\nAfter' });
  await expect(dialog.getByText('2 rows in next.csv')).toBeVisible();
  await expect(page).toHaveURL('/users/company_directory');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Upload CSV' })).toBeFocused();

  await reopenUpload(page);
  await chooseFile(page, { name: 'people.xlsx', content: Buffer.from('PK\u0003\u0004 and so on') });
  await expect(dialog.getByRole('alert')).toContainText('people.xlsx is not a CSV file.');
  await expect(dialog.getByRole('alert')).toContainText('CSV UTF-8');
  await chooseFile(page, { name: 'towns.csv', content: 'Town\nKöln' });
  await expect(dialog.getByRole('alert')).toContainText(
    'Provided input seems Invalid. Please check format by downloading comp dir csv',
  );
  await previewFile(page, { name: 'few.csv', content: 'Name\nAda' });
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Choose another file' }).click();

  const few = Buffer.from(encode('Windows-1254', 'Name\r\nAyşe Yılmaz\r\nMehmet Çelik'));
  await previewFile(page, { name: 'people.csv', content: few });
  await expect(dialog.getByRole('listitem').first()).toContainText('is only a guess. Check the letters');
  await picture(page, 'directory-encoding-weak');
  await dialog.getByRole('combobox', { name: 'Encoding' }).selectOption('Windows-1254');
  await expect(dialog.getByRole('cell', { name: 'Ayşe Yılmaz' })).toBeVisible();
  await expect(dialog.getByText('is only a guess')).toBeHidden();
  await dialog.getByRole('button', { name: 'Choose another file' }).click();

  const content = Buffer.from(encode('Windows-1251', ['Name', ...RUSSIAN].join('\r\n')));
  await previewFile(page, { name: 'people.csv', content });
  await expect(dialog.getByText('5 rows in people.csv, read as Windows-1251, comma-separated.')).toBeVisible();
  const cells = dialog.getByRole('table').getByRole('cell', { name: RUSSIAN[4] ?? '' });
  await expect(cells).toBeVisible();
  await picture(page, 'directory-encoding');

  const encoding = dialog.getByRole('combobox', { name: 'Encoding' });
  await encoding.selectOption('KOI8-R');
  await expect(dialog.getByText('read as KOI8-R')).toBeVisible();
  await expect(cells).toBeHidden();
  await expect(encoding).toHaveValue('KOI8-R');
  await encoding.selectOption('UTF-8');
  await expect(dialog.getByText('The file can’t be read as UTF-8. Not all of the file is UTF-8 text.')).toBeVisible();
  await expect(encoding).toHaveValue('KOI8-R');
  await picture(page, 'directory-encoding-refused');
  await encoding.selectOption('Windows-1251');
  await expect(cells).toBeVisible();
  await upload(page, 'CSV uploaded successfully');
  const names = (await storedEntries({ node, team })).map(({ name }) => name);
  expect(names.toSorted()).toEqual(RUSSIAN.toSorted());
});

test('the page stays responsive while a file of 12 MB is read', async ({ page, node, team }) => {
  test.slow();
  const dialog = await openUpload(page, { node, team });
  const release = await holdCalls(page, '**/compdir/multi?*preview=1*');
  const long = 'x'.repeat(80);
  const rows = Array.from({ length: 100_000 }, (_, at) => `,${long} ${at},5551234567,,person${at}@example.com`);
  await chooseFile(page, { name: 'large.csv', content: [HEADER, ...rows].join('\r\n') });
  await expect(dialog.getByRole('progressbar', { name: 'Reading the file' })).toBeVisible();
  // The page keeps rendering frames while the worker detects the format and the first rows arrive.
  const frames = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let count = 0;
        const next = () => {
          count += 1;
          if (count === 30) resolve(count);
          else requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
  );
  expect(frames).toBe(30);
  release();
  await expect(dialog.getByText(/of 1\d\.\d MB, [\d,]+ rows/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByRole('heading', { name: 'Choose a file' })).toBeFocused();
});
