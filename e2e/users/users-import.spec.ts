import type { Locator, Page } from '@playwright/test';
import { addMember, addMembers, user } from '@steward/server/testing/workspace/factories.ts';
import { download, expect, type Given, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { chooseFile, previewFile, tileCounts, upload, uploadDialog } from '../directory/upload-screen.ts';
import { choice, openPalette } from '../palette/palette-screen.ts';
import { people, personRow } from './users-screen.ts';

const HEADER = 'First Name,Last Name,Email,Account Type';

async function openImport(page: Page, { node, team }: Given): Promise<Locator> {
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Import CSV' }).click();
  await expect(uploadDialog(page).getByRole('heading', { name: 'Choose a file' })).toBeFocused();
  return uploadDialog(page);
}

async function downloadUsers(page: Page): Promise<string> {
  const { name, text } = await download(page, page.getByRole('button', { name: 'Download CSV' }));
  expect(name).toBe('steward-users.csv');
  return text;
}

test('files are refused with a hint or read; they invite new people and change others, after a review', async ({
  page,
  node,
  team,
}) => {
  test.slow();
  const ada = await user(node, { team: team.id, first_name: 'Ada', last_name: 'Byron' });
  const same = await user(node, { team: team.id, first_name: 'Same', last_name: 'Person' });
  const known = await user(node, { first_name: 'Secret', last_name: 'Elsewhere' });
  const gone = await user(node, { team: team.id, deactivated: true });
  const dialog = await openImport(page, { node, team });
  await picture(page, 'users-import-choose');
  const lines = [
    `${HEADER},Town`,
    `Ann,Lee,ann.${team.id}@example.test,Team Admin,Köln`,
    `,,${known.email},,Köln`,
    `Ada,Lovelace,${ada.email.toUpperCase()},Team Admin,Köln`,
    `Same,Person,${same.email},Team User,Köln`,
    `No,Address,nobody,Team User,Köln`,
    `Bad,Type,bad.${team.id}@example.test,Boss,Köln`,
    `Gone,Away,${gone.email},Team User,Köln`,
    `Ann,Again,ANN.${team.id}@example.test,Team User,Köln`,
  ];
  await previewFile(page, { name: 'people.csv', content: Buffer.from(lines.join('\r\n'), 'latin1') });
  await expect(dialog.getByText('8 rows in people.csv, read as Windows-1252, comma-separated.')).toBeVisible();
  expect(await tileCounts(page)).toEqual(['2 To invite', '1 To change', '1 Unchanged', '4 Errors']);
  await expect(dialog.getByRole('listitem')).toHaveText([
    '2 people will get an invitation by email.',
    'Ignored column: “Town”.',
  ]);
  await picture(page, 'users-import-preview');
  await dialog.getByRole('button', { name: '1 To change' }).click();
  await expect(dialog.getByText('The only row to change')).toBeVisible();
  const changed = dialog.getByRole('table').locator('tbody tr');
  await expect(changed.getByRole('deletion')).toHaveText(['Byron', 'Team User']);
  await expect(changed.getByRole('insertion')).toHaveText(['Lovelace', 'Team Admin']);
  await expect(people(page)).toHaveCount(3);

  await upload(page, 'Some of records were not added');
  // An alert stays while the pointer is on it.
  await page.getByRole('alert').hover();
  await expect(dialog.getByRole('definition')).toHaveText(['2', '1', '1', '4']);
  await picture(page, 'users-import-result');
  const link = page.getByRole('alert').getByRole('link', { name: 'Click to download Error Csv' });
  const errors = await download(page, link);
  expect(errors.name).toBe('steward-users-errors.csv');
  expect(errors.text.replace('\uFEFF', '').trimEnd().split('\r\n')).toEqual([
    `${HEADER},Error`,
    'No,Address,nobody,Team User,Email is not an email address.',
    `Bad,Type,bad.${team.id}@example.test,Boss,Account Type must be Team Admin or Team User.`,
    `Gone,Away,${gone.email},Team User,This person is deactivated.`,
    `Ann,Again,ANN.${team.id}@example.test,Team User,This address is already in line 2.`,
  ]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Import CSV' })).toBeFocused();
  await expect(personRow(page, 'Ann Lee')).toContainText('Pending Invitee');
  await expect(personRow(page, known.email)).not.toContainText('Secret');
  await expect(personRow(page, 'Ada Lovelace')).toContainText('Team Admin');

  await page.getByRole('button', { name: 'Import CSV' }).click();
  for (const [name, content, hint] of [
    ['empty.csv', '', 'The file is empty.'],
    ['header.csv', HEADER, /rows/],
    ['other.csv', 'Name,Town\nAnn,Köln', /Email/],
    ['twice.csv', 'Email,Email\na@example.test,b@example.test', /Email/],
    ['photo.png', '\u0089PNG\r\n\u001a\n', /CSV/],
    ['broken.csv', Buffer.from([0xef, 0xbb, 0xbf, 0x45, 0xff, 0xfe]), /damaged/],
  ] as const) {
    await chooseFile(page, { name, content });
    await expect(dialog.getByRole('alert')).toContainText(`File: ${name}`);
    await expect(dialog.getByRole('alert')).toContainText(hint);
  }
  await previewFile(page, { name: 'fine.csv', content: `Email\nfine.${team.id}@example.test` });
  await page.keyboard.press('Escape');

  const zofia = await user(node, { team: team.id, first_name: 'Łucja', last_name: 'Nowak' });
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await openPalette(page, 'import users');
  await choice(page, /Import users from CSV/).click();
  await expect(dialog.getByRole('heading', { name: 'Choose a file' })).toBeFocused();
  const tabs = ['Email\tFirst Name', `zoe.${team.id}@example.test\tZoë`, `${zofia.email}\t?ucja`].join('\r\n');
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(tabs, 'utf16le')]);
  await previewFile(page, { name: 'excel.txt', content: utf16 });
  await expect(dialog.getByText('read as UTF-16 LE, tab-separated.')).toBeVisible();
  expect(await tileCounts(page)).toEqual(['1 To invite', '0 To change', '1 Unchanged', '0 Errors']);
  await expect(dialog.getByRole('listitem')).toHaveText([
    '1 person will get an invitation by email.',
    'The file has no column Last Name: existing users keep theirs; empty for new users.',
    'The file has no column Account Type: existing users keep theirs; new users become Team Users.',
    /^1 name has \?/,
  ]);
  await upload(page, 'CSV uploaded successfully');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(personRow(page, 'Zoë')).toContainText('Pending Invitee');
  await expect(personRow(page, 'Łucja Nowak')).toBeVisible();
});

test('the file that Download CSV writes has every page of the search, and importing it changes nothing', async ({
  page,
  node,
  team,
}) => {
  await addMembers(node, team.id, 2_100);
  await addMember(node, team.id, {
    first_name: '=1+1',
    last_name: '@O\'Neil, "Q" person',
    create_at: Date.UTC(2024, 0, 31, 23, 30),
    email: 'f@example.test',
    apps: '{"chat":true,"voice":false}',
  });
  await user(node, { team: team.id, pending: true });
  await user(node, { team: team.id, kind: 'admin' });
  await user(node, { team: team.id, kind: 'zendesk' });
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users?search=person');
  await expect(page.getByText(/^100 of /)).toBeVisible();
  const found = (await downloadUsers(page)).trimEnd().split('\r\n');
  expect(found[0]).toBe('\uFEFFFirst Name,Last Name,Email,Account Type,CreateAt,UpdateAt,chat,voice');
  expect(found).toContain(`'=1+1,"'@O'Neil, ""Q"" person",f@example.test,Team User,01/31/2024,01/31/2024,1,0`);
  expect(new Set(found).size).toBe(2_102);
  expect(found.filter((line) => line.includes('Olivia'))).toEqual([]);

  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(page).toHaveURL('/users/users');
  const content = await downloadUsers(page);
  await page.getByRole('button', { name: 'Import CSV' }).click();
  await previewFile(page, { name: 'steward-users.csv', content });
  expect(await tileCounts(page)).toEqual(['0 To invite', '0 To change', '2,105 Unchanged', '0 Errors']);
  await expect(uploadDialog(page).getByText('Nothing to import')).toBeVisible();
  await expect(uploadDialog(page).getByRole('button', { name: 'Import no rows' })).toBeDisabled();
});

test('an import that is stopped keeps what it did, and sends no row twice', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 500/);
  await addMembers(node, team.id, 4_500);
  const dialog = await openImport(page, { node, team });
  const answer = await page.request.get(`/api/v4/admin/teams/${team.id}/users?limit=2000&search=person`);
  const { records } = (await answer.json()) as { records: { email: string }[] };
  const known = records.map(({ email }) => `Renamed,${email}`);
  const fresh = Array.from({ length: 1_500 }, (_, nth) => `New,new.${nth}.${team.id}@example.test`);
  const content = ['First Name,Email', ...known, ...fresh].join('\n');
  await previewFile(page, { name: 'people.csv', content });
  expect(await tileCounts(page)).toEqual(['1,500 To invite', '2,000 To change', '0 Unchanged', '0 Errors']);
  const keys: (string | null)[] = [];
  await page.route('**/users/multi?if_exists=update', async (route) => {
    keys.push(await route.request().headerValue('idempotency-key'));
    if (keys.length === 1) return route.continue();
    const refusal = {
      status_code: 500,
      message: 'Something went wrong on our side.',
      id: 'server.error',
      request_id: 'x',
    };
    await route.fulfill({ status: 500, json: refusal });
  });
  await dialog.getByRole('button', { name: 'Import 3,500 rows' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Something went wrong on our side.');
  await expect(dialog.getByText('2,000 of 3,500 rows')).toBeVisible();
  await picture(page, 'users-import-paused');
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => keys.length).toBe(3);
  expect(keys[2]).toBe(keys[1]);
  expect(keys[1]).not.toBe(keys[0]);
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await expect(dialog.getByRole('heading', { name: 'Upload canceled' })).toBeFocused();
  await expect(dialog.getByText('The first 2,000 rows of the file were processed; 1,500 rows were not.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const invited = await page.request.get(`/api/v4/admin/teams/${team.id}/users?pending=1`);
  expect(await invited.json()).toMatchObject({ records: [] });
  const renamed = await page.request.get(`/api/v4/admin/teams/${team.id}/users?search=renamed`);
  expect(await renamed.json()).toMatchObject({ total: 2_000 });
});
