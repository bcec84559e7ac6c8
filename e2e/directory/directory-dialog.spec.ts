import type { Locator, Page } from '@playwright/test';
import { expect, signIn, test } from '../browser/fixtures.ts';
import {
  buildEntries,
  deleteEntryElsewhere,
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

async function openAdd(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add Entry' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Entry' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  return dialog;
}

async function openEdit(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Entry' });
  await expect(dialog.getByLabel('Name')).toHaveValue(name);
  return dialog;
}

async function openDelete(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: `Delete ${name}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Entry' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  return dialog;
}

test('an added entry is stored and listed in order of its name', async ({ page, node, team }) => {
  await seedEntries({ node, team }, { name: 'Ann Lee' }, { name: 'Eve Fox' });
  await page.goto(PATH);
  const dialog = await openAdd(page);
  await dialog.getByLabel('Name').fill(' bob ray ');
  await dialog.getByLabel('Phone Number').fill('5551234567');
  await dialog.getByLabel('SMS Number').fill('ask the desk');
  await dialog.getByLabel('Email Address').fill('Bob@Example.COM');
  await dialog.getByRole('button', { name: 'Add Entry' }).click();
  await expect(page.getByRole('status').getByText('Added Successfully')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add Entry' })).toBeFocused();
  expect(await namesShown(page)).toEqual(['Ann Lee', 'bob ray', 'Eve Fox']);
  await page.reload();
  await expect(getCell(page, 'bob ray', 'Phone Number')).toHaveText('(555) 123-4567');
  await expect(getCell(page, 'bob ray', 'SMS Number')).toHaveText('ask the desk');
  await expect(getCell(page, 'bob ray', 'Email Address')).toHaveText('bob@example.com');
  await expect(page.getByText('3 entries', { exact: true })).toBeVisible();
});

test('the first entry replaces the empty state', async ({ page }) => {
  await page.goto(PATH);
  await expect(page.getByRole('heading', { name: 'The directory is empty' })).toBeVisible();
  const dialog = await openAdd(page);
  await dialog.getByLabel('Name').fill('Ann Lee');
  await dialog.getByRole('button', { name: 'Add Entry' }).click();
  await expect(entries(page)).toHaveCount(1);
});

test('a name is required and an email address is validated before anything is sent', async ({ page }) => {
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/compdir')) sent += 1;
  });
  await page.goto(PATH);
  const dialog = await openAdd(page);
  const add = dialog.getByRole('button', { name: 'Add Entry' });
  await dialog.getByLabel('Email Address').fill('ann');
  await add.click();
  await expect(dialog.getByText('Name is required.')).toBeVisible();
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await expect(dialog.getByText('The email address has no @.')).toBeVisible();
  await dialog.getByLabel('Name').fill('Ann Lee');
  await dialog.getByLabel('Email Address').fill('ann@example.museum');
  await add.click();
  await expect(dialog.getByText('The email address must end in a dot and 2 to 4 letters, such as .com.')).toBeVisible();
  await expect(dialog.getByLabel('Email Address')).toBeFocused();
  expect(sent).toBe(0);
});

test('an entry is added with the keyboard alone', async ({ page }) => {
  await page.goto(PATH);
  await expect(page.getByRole('heading', { name: 'The directory is empty' })).toBeVisible();
  await page.getByRole('button', { name: 'Add Entry' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Add Entry' }).getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Ann Lee');
  await page.keyboard.press('Tab');
  await page.keyboard.type('5551234567');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('ann@example.com');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Added Successfully')).toBeVisible();
  await expect(getCell(page, 'Ann Lee', 'Phone Number')).toHaveText('(555) 123-4567');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add Entry' })).toBeFocused();
});

test('editing saves only if something changed, and shows the stored entry', async ({ page, node, team }) => {
  await seedEntries({ node, team }, { name: 'Ann Lee', phone_number: '5551234567' }, { name: 'Eve Fox' });
  await page.goto(PATH);
  const dialog = await openEdit(page, 'Ann Lee');
  const save = dialog.getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  await dialog.getByLabel('SMS Number').fill('5550000000');
  await dialog.getByLabel('SMS Number').fill('');
  await expect(save).toBeDisabled();
  await dialog.getByLabel('Name').fill('Zoe Lee');
  await dialog.getByLabel('Phone Number').fill('');
  await save.click();
  await expect(page.getByText('Saved Successfully')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await namesShown(page)).toEqual(['Eve Fox', 'Zoe Lee']);
  await expect(getCell(page, 'Zoe Lee', 'Phone Number')).toHaveText('–none');
  await page.reload();
  await expect(getCell(page, 'Zoe Lee', 'Phone Number')).toHaveText('–none');
});

test('a deleted entry is named and removed, and the next row has the focus', async ({ page, node, team }) => {
  await seedEntries({ node, team }, { name: 'Ann Lee' }, { name: 'Bob Ray' }, { name: 'Eve Fox' });
  await page.goto(PATH);
  const dialog = await openDelete(page, 'Bob Ray');
  await expect(dialog).toContainText('Are you sure you want to delete this record?');
  await expect(dialog).toContainText('Bob Ray');
  await expect(dialog).toContainText('You can restore it from the audit log for 30 days.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Delete Bob Ray' })).toBeFocused();
  for (const [name, fallbackRow] of Object.entries({ 'Bob Ray': 'Delete Eve Fox', 'Eve Fox': 'Delete Ann Lee' })) {
    await (await openDelete(page, name)).getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByText('Deleted Successfully')).toBeVisible();
    await expect(entryRow(page, name)).toHaveCount(0);
    await expect(page.getByRole('button', { name: fallbackRow, exact: true })).toBeFocused();
  }
  await (await openDelete(page, 'Ann Lee')).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'The directory is empty' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add Entry' })).toBeFocused();
});

test('a deletion is undone from its toast, and later from the audit log', async ({ page, node, team }) => {
  await seedEntries({ node, team }, { name: 'Ann Lee', phone_number: '5551234567' }, { name: 'Eve Fox' });
  await page.goto(PATH);
  await (await openDelete(page, 'Ann Lee')).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(entryRow(page, 'Ann Lee')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Ann Lee was restored.')).toBeVisible();
  expect(await namesShown(page)).toEqual(['Ann Lee', 'Eve Fox']);
  await expect(getCell(page, 'Ann Lee', 'Phone Number')).toHaveText('(555) 123-4567');

  await (await openDelete(page, 'Eve Fox')).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(entryRow(page, 'Eve Fox')).toHaveCount(0);
  await page.goto('/dashboard/audit_log?action=directory.deleted');
  await page
    .getByRole('button', { name: /Eve Fox/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Restore this entry' }).click();
  await expect(page.getByText('Eve Fox was restored.')).toBeVisible();
  await page.goto(PATH);
  await expect(entryRow(page, 'Eve Fox')).toBeVisible();
});

test('deleting an entry that was deleted elsewhere says so and removes it', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 404/);
  const [id = ''] = await seedEntries({ node, team }, { name: 'Ann Lee' }, { name: 'Eve Fox' });
  await page.goto(PATH);
  const dialog = await openDelete(page, 'Ann Lee');
  await deleteEntryElsewhere({ node, team }, id);
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('An Error Occurred!');
  await expect(alert).toContainText('This entry was already deleted by someone else.');
  await expect(entryRow(page, 'Ann Lee')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Delete Eve Fox' })).toBeFocused();
});

test('editing an entry that was deleted elsewhere says so and keeps the input', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of 404/);
  const [id = ''] = await seedEntries({ node, team }, { name: 'Ann Lee' }, { name: 'Eve Fox' });
  await page.goto(PATH);
  const dialog = await openEdit(page, 'Ann Lee');
  await dialog.getByLabel('SMS Number').fill('5550000000');
  await deleteEntryElsewhere({ node, team }, id);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('An Error Occurred!')).toBeVisible();
  await expect(dialog.getByText('This entry was deleted by someone else.')).toBeVisible();
  await expect(dialog.getByLabel('SMS Number')).toHaveValue('5550000000');
  await expect(entryRow(page, 'Ann Lee')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Discard changes' }).getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('button', { name: 'Edit Eve Fox' })).toBeFocused();
});

test('an error is shown in the form, and the input is kept', async ({ page, trouble }) => {
  trouble.expect(/status of 400/);
  await page.goto(PATH);
  const message = '0.name: is required; 0.sms: must have at most 100 characters';
  const refusal = { status_code: 400, message, id: 'request.invalid', request_id: 'x' };
  await page.route('**/compdir', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 400, json: refusal }) : route.continue(),
  );
  const dialog = await openAdd(page);
  await dialog.getByLabel('Name').fill('Ann Lee');
  await dialog.getByRole('button', { name: 'Add Entry' }).click();
  await expect(page.getByRole('alert').getByText('An Error Occurred!')).toBeVisible();
  await expect(dialog.getByText('Name is required.')).toBeVisible();
  await expect(dialog.getByText('The SMS number must have at most 100 characters.')).toBeVisible();
  await expect(dialog.getByLabel('Name')).toHaveValue('Ann Lee');
});

test('a lost response and a second attempt add one entry', async ({ page, trouble }) => {
  trouble.expect(/ERR_FAILED/);
  await page.goto(PATH);
  const keys: (string | null)[] = [];
  await page.route('**/compdir', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    keys.push(await route.request().headerValue('idempotency-key'));
    if (keys.length > 1) return route.continue();
    await route.fetch();
    await route.abort();
  });
  const dialog = await openAdd(page);
  await dialog.getByLabel('Name').fill('Ann Lee');
  await dialog.getByRole('button', { name: 'Add Entry' }).click();
  await expect(dialog.getByText('API error')).toBeVisible();
  await dialog.getByRole('button', { name: 'Add Entry' }).click();
  await expect(page.getByText('Added Successfully')).toBeVisible();
  await page.reload();
  await expect(entries(page)).toHaveCount(1);
  expect(keys[0]).toMatch(/^\w{16,}$/);
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('closing with unsaved input asks for confirmation', async ({ page }) => {
  await page.goto(PATH);
  const dialog = await openAdd(page);
  await dialog.getByLabel('Email Address').fill('ann@example.com');
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard changes' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByLabel('Email Address')).toHaveValue('ann@example.com');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add Entry' })).toBeFocused();
});

test('a long list is updated in place and not fetched again', async ({ page, node, team }) => {
  await seedEntries({ node, team }, ...buildEntries(700));
  await page.goto(PATH);
  await expect(entryRow(page, 'Entry 0001')).toBeVisible();
  await scrollToEnd(page);
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('/compdir')) calls.push(request.url());
  });
  await (await openDelete(page, 'Entry 0699')).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(entryRow(page, 'Entry 0699')).toHaveCount(0);
  const dialog = await openAdd(page);
  await dialog.getByLabel('Name').fill('Entry 0699 b');
  await dialog.getByRole('button', { name: 'Add Entry' }).click();
  await expect(page.getByText('Added Successfully')).toBeVisible();
  await scrollToEnd(page);
  await expect(entryRow(page, 'Entry 0699 b')).toBeVisible();
  const edit = await openEdit(page, 'Entry 0698');
  await edit.getByLabel('Name').fill('Entry 0999');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved Successfully')).toBeVisible();
  expect((await namesShown(page)).slice(-3)).toEqual(['Entry 0699 b', 'Entry 0700', 'Entry 0999']);
  await expect(page.getByText('700 entries', { exact: true })).toBeAttached();
  expect(calls).toEqual([]);
});

test('an added entry is listed in a search only if it matches', async ({ page, node, team }) => {
  await seedEntries({ node, team }, { name: 'Ann Lee' }, { name: 'Anna Ray' });
  await page.goto(`${PATH}?search=ann`);
  await expect(entries(page)).toHaveCount(2);
  for (const name of ['Bob Ray', 'Annabel Fox']) {
    const dialog = await openAdd(page);
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Add Entry' }).click();
    await expect(dialog).toBeHidden();
  }
  await expect(entries(page)).toHaveCount(3);
  expect(await namesShown(page)).toEqual(['Ann Lee', 'Anna Ray', 'Annabel Fox']);
  await expect(directorySearch(page)).toHaveValue('ann');
});
