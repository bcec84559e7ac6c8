import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { holdCalls } from '../users/users-screen.ts';
import { entryRow, seedEntries } from './directory-screen.ts';
import {
  chooseFile,
  getText,
  openUpload,
  previewFile,
  reopenUpload,
  storedEntries,
  tileCounts,
  upload,
  uploadDialog,
} from './upload-screen.ts';

const HEADER = 'Id,Name,Phone Number,Sms,Email';
const numbered = (count: number) =>
  [HEADER, ...Array.from({ length: count }, (_, at) => `,Person ${String(at + 1).padStart(5, '0')},,,`)].join('\r\n');

test('a file from a spreadsheet is uploaded in three steps', async ({ page, node, team }) => {
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
  expect(await storedEntries(page, { node, team })).toHaveLength(2);

  await upload(page, 'CSV uploaded successfully');
  await expect(page.getByRole('status').getByText('CSV uploaded successfully')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Upload CSV' })).toBeFocused();
  await expect(entryRow(page, 'Çelik')).toContainText('(555) 123-4567');
  const stored = await storedEntries(page, { node, team });
  expect(stored.map(({ name, phone_number }) => `${name} ${phone_number}`)).toEqual([
    'Ada Müller +49301234',
    'Bea 0301234',
    'Çelik 5551234567',
  ]);
});

test('wrong rows are returned in a file with their errors, and can be uploaded once fixed', async ({
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
  await expect(page.getByRole('alert')).toContainText('Some of records were not added');
  await picture(page, 'directory-upload-errors');
  await expect(page.getByRole('alert').getByRole('link', { name: 'Click to download Error Csv' })).toBeVisible();
  // The error is reported once, in the dialog.
  await expect(page.getByRole('alert')).toHaveCount(1);
  await expect(page.getByText('Some of records were not added')).toHaveCount(1);
  await expect(dialog.getByText('2 of 5 rows imported from people.csv')).toBeVisible();
  const coming = page.waitForEvent('download');
  await dialog.getByRole('link', { name: 'Click to download Error Csv' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe('steward-compdir-errors.csv');
  const errorCsv = await getText(download);
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
  const names = (await storedEntries(page, { node, team })).map(({ name }) => name);
  expect(names).toEqual(['Bad Address', 'Good 1', 'Good 2', 'Nameless', 'Too']);
});

test('uploading a downloaded file changes nothing', async ({ page, node, team }) => {
  const dialog = await openUpload(page, { node, team });
  await dialog.getByRole('button', { name: 'Close' }).click();
  const entries = [
    { name: '=SUM(A1)', phone_number: '+49 30 1234', sms: '00491', email: 'sum@example.com' },
    { name: "'quoted'", phone_number: '-5', sms: '+4930123456' },
    { name: 'Comma, "Q"\nnext line', sms: ';' },
    { name: 'مريم 🌿 Jose\u0301' },
  ];
  expect((await page.request.post(`/api/v4/teams/${team.id}/compdir`, { data: entries })).ok()).toBe(true);
  const before = await storedEntries(page, { node, team });
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const content = await getText(await coming);
  await reopenUpload(page);
  await previewFile(page, { name: 'steward-compdir.csv', content });
  expect(await tileCounts(page)).toEqual(['0 New', '0 Updated', '4 Unchanged', '0 Errors']);
  await expect(dialog.getByText('Nothing to import')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Upload no rows' })).toBeDisabled();
  expect(await storedEntries(page, { node, team })).toEqual(before);
});

test('rows are stored once if the response is lost', async ({ page, node, team, trouble }) => {
  trouble.expect(/ERR_FAILED/);
  await openUpload(page, { node, team });
  await previewFile(page, { name: 'people.csv', content: numbered(5_000) });
  const keys: (string | null)[] = [];
  await page.route('**/compdir/multi?*import_id=*', async (route) => {
    keys.push(await route.request().headerValue('idempotency-key'));
    if (keys.length !== 2) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await upload(page, 'CSV uploaded successfully');
  const stored = await storedEntries(page, { node, team });
  expect(new Set(stored.map(({ name }) => name)).size).toBe(stored.length);
  await uploadDialog(page).getByRole('button', { name: 'Done' }).click();
  const answer = await page.request.get(`/api/v4/teams/${team.id}/compdir/imports`);
  expect(((await answer.json()) as { records: object[] }).records).toMatchObject([
    { created: 5_000, state: 'finished' },
  ]);
  expect(keys).toHaveLength(4);
  expect(keys[2]).toBe(keys[1]);
  expect(new Set(keys).size).toBe(3);
});

test('a persistent failure is shown, and Retry continues where it stopped', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 500/);
  const dialog = await openUpload(page, { node, team });
  await previewFile(page, { name: 'people.csv', content: numbered(2_500) });
  const refusal = {
    status_code: 500,
    message: 'Something went wrong on our side.',
    id: 'server.error',
    request_id: 'x',
  };
  let calls = 0;
  await page.route('**/compdir/multi?*import_id=*', async (route) => {
    calls += 1;
    if (calls === 2) await route.fulfill({ status: 500, json: refusal });
    else await route.continue();
  });
  await dialog.getByRole('button', { name: 'Upload 2,500 rows' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Something went wrong on our side.');
  await expect(dialog.getByText('2,000 of 2,500 rows')).toBeVisible();
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect(dialog.getByRole('heading', { name: 'CSV uploaded successfully' })).toBeVisible();
  expect(await storedEntries(page, { node, team })).toHaveLength(2_500);
});

test('a canceled upload keeps the stored rows and says so; leaving the page asks first', async ({
  page,
  node,
  team,
}) => {
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await page.getByRole('link', { name: 'Company Directory' }).click();
  const dialog = await reopenUpload(page);
  await previewFile(page, { name: 'people.csv', content: numbered(5_000) });
  let calls = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/compdir/multi?*import_id=*', async (route) => {
    calls += 1;
    if (calls === 2) await held;
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Upload 5,000 rows' }).click();
  await expect(dialog.getByText('2,000 of 5,000 rows')).toBeVisible();
  await expect(dialog.getByRole('progressbar', { name: 'Uploading the rows' })).toHaveAttribute('value', '2000');
  await page.keyboard.press('Escape');
  await page.goBack();
  const question = page.getByRole('dialog', { name: 'Stop the upload' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  release();
  await expect(dialog.getByRole('heading', { name: 'Upload canceled' })).toBeFocused();
  await expect(dialog.getByText('The first 4,000 rows of the file were processed')).toBeVisible();
  expect(calls).toBe(2);
  expect(await storedEntries(page, { node, team })).toHaveLength(4_000);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(entryRow(page, 'Person 00001')).toBeVisible();
  await reopenUpload(page);
  await expect(dialog.getByRole('listitem')).toContainText('Canceled');
  await expect(dialog.getByRole('listitem')).toContainText('4,000 new');
});

test('a preview can be canceled, and another file chosen', async ({ page, node, team }) => {
  const dialog = await openUpload(page, { node, team });
  const release = await holdCalls(page, '**/compdir/multi?*preview=1*');
  await chooseFile(page, { name: 'people.csv', content: numbered(10) });
  await expect(dialog.getByRole('progressbar', { name: 'Reading the file' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByRole('heading', { name: 'Choose a file' })).toBeFocused();
  release();
  await previewFile(page, { name: 'others.csv', content: numbered(3) });
  expect((await tileCounts(page))[0]).toBe('3 New');
});

test('a list that was uploaded before is skipped, or updates its entries, before anything is added', async ({
  page,
  node,
  team,
}) => {
  await seedEntries(
    { node, team },
    { name: 'Ann Lee', email: 'ann@example.com', phone_number: '5551234567' },
    { name: 'Bob Ray', phone_number: '+49301234' },
  );
  const dialog = await openUpload(page, { node, team });
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
  const stored = await storedEntries(page, { node, team });
  expect(stored.map(({ name, phone_number }) => [name, phone_number])).toEqual([
    ['Ann Fox', '5559999999'],
    ['Bob Ray', '+49301234'],
    ['Cid Dot', '1'],
  ]);
});
