import { readFile } from 'node:fs/promises';
import { addMember, addMembers } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { holdCalls, personRow } from './users-screen.ts';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('the file has the specified name, columns, dates and apps, and no formulas', async ({ page, node, team }) => {
  const created = { create_at: Date.UTC(2024, 0, 31, 23, 30) };
  await addMember(node, team.id, {
    ...created,
    first_name: '=1+1',
    last_name: '@sum',
    email: 'a@example.test',
    apps: '{"chat":true,"voice":false}',
  });
  await addMember(node, team.id, {
    ...created,
    first_name: 'Comma, "Q"',
    last_name: '',
    email: 'b@example.test',
    apps: '{"files":true}',
  });
  await page.goto('/users/users');
  await expect(personRow(page, 'a@example.test')).toBeVisible();
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe('steward-users.csv');
  const bytes = await readFile(await download.path());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const lines = bytes.subarray(3).toString('utf8').split('\r\n');
  expect(lines[0]).toBe('First Name,Last Name,Email,Account Type,CreateAt,UpdateAt,chat,files,voice');
  expect(lines.slice(1)).toContain("'=1+1,'@sum,a@example.test,Team User,01/31/2024,01/31/2024,1,0,0");
  expect(lines.slice(1)).toContain('"Comma, ""Q""",,b@example.test,Team User,01/31/2024,01/31/2024,0,1,0');
  expect(lines.slice(1).some((line) => line.startsWith(`Olivia,Owner,${team.owner.email},Team Owner,`))).toBe(true);
  expect(lines.at(-1)).toBe('');
  expect(lines).toHaveLength(5);
});

test('the file has every page of the search results, and no other users', async ({ page, node, team }) => {
  await addMembers(node, team.id, 2_300);
  await page.goto('/users/users?search=person');
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const lines = (await readFile(await (await coming).path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(2_301);
  expect(new Set(lines).size).toBe(2_301);
  expect(lines.filter((line) => line.includes('Olivia'))).toEqual([]);
});

test('a download shows its progress and can be canceled', async ({ page, node, team }) => {
  await addMembers(node, team.id, 2_300);
  await page.goto('/users/users');
  await expect(page.getByText('100 of 2,301 people')).toBeVisible();
  const release = await holdCalls(page, '**/users?*last_key=*limit=2000*');
  const second = await holdCalls(page, '**/users?*limit=2000*last_key=*');
  let downloads = 0;
  page.on('download', () => {
    downloads += 1;
  });
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await expect(page.getByRole('button', { name: '2,000 people' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel download' }).click();
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeFocused();
  release();
  second();
  await expect(page.getByRole('button', { name: 'Cancel download' })).toHaveCount(0);
  expect(downloads).toBe(0);
});

test('a failed download is reported', async ({ page, team, trouble }) => {
  trouble.expect(/status of 500/);
  await page.goto('/users/users');
  await expect(personRow(page, 'Olivia Owner')).toBeVisible();
  const refusal = {
    status_code: 500,
    message: 'Something went wrong on our side.',
    id: 'server.error',
    request_id: 'x',
  };
  await page.route(`**/admin/teams/${team.id}/users?*limit=2000*`, (route) =>
    route.fulfill({ status: 500, json: refusal }),
  );
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await expect(page.getByRole('alert')).toContainText('An Error Occurred!');
  await expect(page.getByRole('alert')).toContainText('Something went wrong on our side.');
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeVisible();
});
