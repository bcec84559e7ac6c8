import type { Page } from '@playwright/test';
import { download, expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { holdCalls } from '../users/users-screen.ts';
import { buildEntries, entries, entryRow, getCell, scrollToEnd, seedEntries } from './directory-screen.ts';
import { previewFile, reopenUpload, storedEntries, tileCounts, uploadDialog } from './upload-screen.ts';

/** The names are in order from the top. */
async function namesShown(page: Page): Promise<string[]> {
  return entries(page).evaluateAll((all) =>
    all
      .toSorted((left, right) => Number(left.getAttribute('data-row')) - Number(right.getAttribute('data-row')))
      .map((row) => row.querySelector('bdi')?.textContent ?? ''),
  );
}

const PATH = '/users/company_directory';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

const dialogButton = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });

test('an entry is added with the keyboard alone, edited and deleted, and restored in two ways', async ({
  page,
  node,
  team,
}) => {
  await seedEntries({ node, team }, { name: 'Ann Lee' }, { name: 'Eve Fox' });
  await page.goto(PATH);
  await expect(entries(page)).toHaveCount(2);
  await picture(page, 'directory');
  await page.getByRole('button', { name: 'Add Entry' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Add Entry' }).getByLabel('Name')).toBeFocused();
  for (const text of [' bob ray ', '5551234567', 'ask the desk', 'Bob@Example.COM']) {
    await page.keyboard.type(text);
    await page.keyboard.press(text.includes('@') ? 'Enter' : 'Tab');
  }
  await expect(page.getByRole('status').getByText('Added Successfully')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add Entry' })).toBeFocused();
  expect(await namesShown(page)).toEqual(['Ann Lee', 'bob ray', 'Eve Fox']);
  await expect(getCell(page, 'bob ray', 'Phone Number')).toHaveText('(555) 123-4567');
  await expect(page.getByText('3 entries', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Edit bob ray' }).click();
  await page.getByRole('dialog').getByLabel('Phone Number').fill('');
  await dialogButton(page, 'Save').click();
  await expect(page.getByText('Saved Successfully')).toBeVisible();

  for (const [name, next] of Object.entries({ 'bob ray': 'Delete Eve Fox', 'Eve Fox': 'Delete Ann Lee' })) {
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    await dialogButton(page, 'Delete').click();
    await expect(entryRow(page, name)).toHaveCount(0);
    await expect(page.getByRole('button', { name: next })).toBeFocused();
  }
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(page.getByText('Eve Fox was restored.')).toBeVisible();
  expect(await namesShown(page)).toEqual(['Ann Lee', 'Eve Fox']);
  await page.goto('/dashboard/audit_log?action=directory.deleted');
  await page
    .getByRole('button', { name: /bob ray/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Restore this entry' }).click();
  await expect(page.getByText('bob ray was restored.')).toBeVisible();
  await page.goto(PATH);
  await expect(getCell(page, 'bob ray', 'Phone Number')).toHaveText('–none');
  await expect(getCell(page, 'bob ray', 'SMS Number')).toHaveText('ask the desk');
  await expect(getCell(page, 'bob ray', 'Email Address')).toHaveText('bob@example.com');
});

test('a long list loads while scrolling, doesn’t move, and is updated in place', async ({ page, node, team }) => {
  await seedEntries({ node, team }, ...buildEntries(700).toReversed());
  const release = await holdCalls(page, `**/teams/${team.id}/compdir*`);
  await page.goto(PATH);
  const table = page.getByRole('table', { name: 'Directory' });
  await expect(table).toHaveAttribute('aria-busy', 'true');
  const before = await table.boundingBox();
  release();
  await expect(page.getByText('First 100 entries')).toBeVisible();
  const after = await table.boundingBox();
  expect([after?.x, after?.y, after?.width]).toEqual([before?.x, before?.y, before?.width]);
  expect((await namesShown(page)).slice(0, 3)).toEqual(['Entry 0001', 'Entry 0002', 'Entry 0003']);
  await scrollToEnd(page);
  await expect(page.getByText('700 entries', { exact: true })).toBeAttached();
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('/compdir')) calls.push(request.url());
  });
  await page.getByRole('button', { name: 'Delete Entry 0699' }).click();
  await dialogButton(page, 'Delete').click();
  await expect(entryRow(page, 'Entry 0699')).toHaveCount(0);
  await page.getByRole('button', { name: 'Add Entry' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Entry 0699 b');
  await dialogButton(page, 'Add Entry').click();
  await expect(page.getByText('Added Successfully')).toBeVisible();
  await scrollToEnd(page);
  await expect(entryRow(page, 'Entry 0699 b')).toBeVisible();
  await page.getByRole('button', { name: 'Edit Entry 0698' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Entry 0999');
  await dialogButton(page, 'Save').click();
  await expect(page.getByText('Saved Successfully')).toBeVisible();
  expect((await namesShown(page)).slice(-3)).toEqual(['Entry 0699 b', 'Entry 0700', 'Entry 0999']);
  await expect(page.getByText('700 entries', { exact: true })).toBeAttached();
  expect(calls).toEqual([]);
});

test('a file has every page of the search result and no formulas, and uploading it changes nothing', async ({
  page,
  node,
  team,
}) => {
  const [first] = await seedEntries(
    { node, team },
    { name: '=SUM(A1)', phone_number: '+49 30 1234', sms: '-1', email: 'a@example.com' },
    { name: "'quoted'", phone_number: '-5', sms: '00491' },
    { name: 'Comma, "Q"\nnext line', phone_number: '5551234567' },
    { name: 'مريم 🌿 José' },
    ...buildEntries(2_300),
  );
  await page.goto(`${PATH}?search=entry`);
  await expect(page.getByText('First 100 entries')).toBeVisible();
  const button = page.getByRole('button', { name: 'Download CSV' });
  const lines = (await download(page, button)).text.trimEnd().split('\r\n');
  expect(new Set(lines).size).toBe(2_301);
  expect(lines.filter((line) => line.includes('SUM'))).toEqual([]);

  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(entryRow(page, '=SUM(A1)')).toBeVisible();
  const { name, text: content } = await download(page, button);
  expect(name).toBe('steward-compdir.csv');
  expect(content).toMatch(/^\uFEFFId,Name,Phone Number,Sms,Email\r\n/);
  expect(content).toContain(`\r\n${first},'=SUM(A1),+49 30 1234,'-1,a@example.com\r\n`);
  expect(content).toMatch(/\r\n[a-z0-9]{26},"Comma, ""Q""\nnext line",5551234567,,\r\n/);
  const before = await storedEntries({ node, team });
  await reopenUpload(page);
  await previewFile(page, { name: 'steward-compdir.csv', content });
  expect(await tileCounts(page)).toEqual(['0 New', '0 Updated', '2,304 Unchanged', '0 Errors']);
  await expect(uploadDialog(page).getByText('Nothing to import')).toBeVisible();
  await expect(uploadDialog(page).getByRole('button', { name: 'Upload no rows' })).toBeDisabled();
  expect(await storedEntries({ node, team })).toEqual(before);
});
