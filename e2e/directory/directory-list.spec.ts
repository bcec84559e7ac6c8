import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { user as person } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { holdCalls } from '../users/users-screen.ts';
import {
  buildEntries,
  directorySearch,
  entries,
  entryRow,
  getCell,
  namesShown,
  scrollToEnd,
  seedEntries,
} from './directory-screen.ts';

const PATH = '/users/company_directory';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('the sidebar leads to the directory, which has the specified columns', async ({ page, node, team }) => {
  await seedEntries({ node, team }, { name: 'Ann Lee' });
  await page.goto('/users/users');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Company Directory' }).click();
  await expect(page).toHaveURL(PATH);
  await expect(page.getByRole('heading', { level: 1, name: 'Company Directory' })).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText([
    'Name',
    'Phone Number',
    'SMS Number',
    'Email Address',
    'ACTIONS',
  ]);
  await expect(page.getByText('1 entry', { exact: true })).toBeVisible();
  await picture(page, 'directory');
});

test('ten digits are shown as (NNN) NNN-NNNN, and valid numbers and addresses are links', async ({
  page,
  node,
  team,
}) => {
  await seedEntries(
    { node, team },
    { name: 'Ann Lee', phone_number: '5551234567', sms: '555-123-4567', email: 'ann+desk@example.com' },
    { name: 'Bob Ray', phone_number: '+49 30 1234, ext. 12', sms: '+49 30 1234' },
  );
  await page.goto(PATH);
  const link = (name: string, header: string) => getCell(page, name, header).getByRole('link');
  await expect(link('Ann Lee', 'Phone Number')).toHaveText('(555) 123-4567');
  await expect(link('Ann Lee', 'Phone Number')).toHaveAttribute('href', 'tel:5551234567');
  await expect(link('Ann Lee', 'SMS Number')).toHaveText('555-123-4567');
  await expect(link('Ann Lee', 'SMS Number')).toHaveAttribute('href', 'sms:5551234567');
  await expect(link('Ann Lee', 'Email Address')).toHaveAttribute('href', 'mailto:ann%2Bdesk@example.com');
  await expect(getCell(page, 'Bob Ray', 'Phone Number')).toHaveText('+49 30 1234, ext. 12');
  await expect(link('Bob Ray', 'Phone Number')).toHaveCount(0);
  await expect(link('Bob Ray', 'SMS Number')).toHaveAttribute('href', 'sms:+49301234');
  await expect(getCell(page, 'Bob Ray', 'Email Address')).toHaveText('–none');
});

test('an entry about a member has that member’s picture', async ({ page, node, team }) => {
  const max = await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await node.db.updateTable('people').set({ last_picture_update: 7 }).where('id', '=', max.id).execute();
  await seedEntries({ node, team }, { name: 'Max at work', email: max.email }, { name: 'Nora Nilsson' });
  await page.goto(PATH);
  await expect(entryRow(page, 'Max at work').locator('img')).toHaveAttribute(
    'src',
    `/api/v4/users/${max.id}/image?_=7`,
  );
  await expect(entryRow(page, 'Nora Nilsson').locator('img')).toHaveCount(0);
});

test('a search finds names, addresses, and numbers by their digits, and is part of the URL', async ({
  page,
  node,
  team,
}) => {
  await seedEntries(
    { node, team },
    { name: 'Ann Lee', phone_number: '(555) 123-4567' },
    { name: 'Bob Ray', email: 'bob@example.com' },
    { name: 'Cid Dot', sms: '5559999999' },
  );
  await page.goto(PATH);
  await expect(entries(page)).toHaveCount(3);
  for (const [text, found] of Object.entries({ '5551234': 'Ann Lee', EXAMPLE: 'Bob Ray', 'cid d': 'Cid Dot' })) {
    await directorySearch(page).fill(text);
    await directorySearch(page).press('Enter');
    await expect(entries(page)).toHaveCount(1);
    await expect(entries(page)).toContainText(found);
  }
  await page.reload();
  await expect(directorySearch(page)).toHaveValue('cid d');
  await expect(entries(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(entries(page)).toHaveCount(3);
  await expect(page).toHaveURL(PATH);
});

test('a list of 250 entries loads while scrolling, ordered by name', async ({ page, node, team }) => {
  await seedEntries({ node, team }, ...buildEntries(250).toReversed());
  await page.goto(PATH);
  await expect(page.getByText('First 100 entries')).toBeVisible();
  expect((await namesShown(page)).slice(0, 3)).toEqual(['Entry 0001', 'Entry 0002', 'Entry 0003']);
  await scrollToEnd(page);
  await expect(page.getByText('250 entries', { exact: true })).toBeAttached();
  await expect(entryRow(page, 'Entry 0250')).toBeVisible();
});

test('an empty directory offers both ways to add entries', async ({ page }) => {
  await page.goto(PATH);
  await expect(page.getByRole('heading', { name: 'The directory is empty' })).toBeVisible();
  await expect(page.getByText('0 entries')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upload CSV' })).toBeVisible();
  await page.getByRole('button', { name: 'Add your first entry' }).click();
  await expect(page.getByRole('dialog', { name: 'Add Entry' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Upload a CSV file' }).click();
  await expect(page.getByRole('dialog', { name: 'Upload CSV' })).toBeVisible();
});

test('the directory links to its history in the audit log', async ({ page, node, team }) => {
  await seedEntries({ node, team }, { name: 'Ann Lee' });
  await page.goto(PATH);
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page).toHaveURL('/dashboard/audit_log?action=directory');
  await expect(page.getByRole('combobox', { name: 'Action' })).toHaveValue('directory');
});

test('a search without results says so and offers to show all entries', async ({ page, node, team }) => {
  await seedEntries({ node, team }, { name: 'Ann Lee' });
  await page.goto(`${PATH}?search=zzz`);
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  await expect(page.getByText('“zzz”')).toBeVisible();
  await page.getByRole('button', { name: 'Show all entries' }).click();
  await expect(entryRow(page, 'Ann Lee')).toBeVisible();
  await expect(directorySearch(page)).toHaveValue('');
});

test('a directory that can’t be loaded says why, and Retry loads it', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 500/);
  await seedEntries({ node, team }, { name: 'Ann Lee' });
  const list = `**/teams/${team.id}/compdir*`;
  const message = 'Something went wrong on our side.';
  const refusal = { status_code: 500, message, id: 'server.error', request_id: 'x' };
  await page.route(list, (route) => route.fulfill({ status: 500, json: refusal }));
  await page.goto(PATH);
  await expect(page.getByRole('heading', { name: 'An Error Occurred!' })).toBeVisible();
  await expect(page.getByRole('alert').getByText(message)).toBeVisible();
  await page.unroute(list);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(entryRow(page, 'Ann Lee')).toBeVisible();
});

test('the skeleton doesn’t move while the entries load', async ({ page, node, team }) => {
  await seedEntries({ node, team }, { name: 'Ann Lee' });
  const release = await holdCalls(page, `**/teams/${team.id}/compdir*`);
  await page.goto(PATH);
  const table = page.getByRole('table', { name: 'Directory' });
  await expect(table).toHaveAttribute('aria-busy', 'true');
  const before = await table.boundingBox();
  release();
  await expect(entryRow(page, 'Ann Lee')).toBeVisible();
  const after = await table.boundingBox();
  expect([after?.x, after?.y, after?.width]).toEqual([before?.x, before?.y, before?.width]);
});

test('the file has the specified name and columns, ids, and no formulas', async ({ page, node, team }) => {
  const [first] = await seedEntries(
    { node, team },
    { name: '=1+1', phone_number: '+49 30 123456', sms: '-1', email: 'a@example.com' },
    { name: 'Comma, "Q"', phone_number: '5551234567' },
  );
  await page.goto(PATH);
  await expect(entries(page)).toHaveCount(2);
  const { name, bytes } = await download(page);
  expect(name).toBe('steward-compdir.csv');
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const lines = bytes.subarray(3).toString('utf8').split('\r\n');
  expect(lines[0]).toBe('Id,Name,Phone Number,Sms,Email');
  expect(lines[1]).toBe(`${first},'=1+1,+49 30 123456,'-1,a@example.com`);
  expect(lines[2]).toMatch(/^[a-z0-9]{26},"Comma, ""Q""",5551234567,,$/);
  expect(lines.slice(3)).toEqual(['']);
});

test('the file has every page of the search result, and nothing else', async ({ page, node, team }) => {
  await seedEntries({ node, team }, { name: 'Someone Else' }, ...buildEntries(2_300));
  await page.goto(`${PATH}?search=entry`);
  await expect(page.getByText('First 100 entries')).toBeVisible();
  const { bytes } = await download(page);
  const lines = bytes.toString('utf8').trimEnd().split('\r\n');
  expect(lines).toHaveLength(2_301);
  expect(new Set(lines).size).toBe(2_301);
  expect(lines.filter((line) => line.includes('Someone'))).toEqual([]);
});

async function download(page: Page): Promise<{ name: string; bytes: Buffer }> {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = await coming;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}
