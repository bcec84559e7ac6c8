import type { Locator, Page } from '@playwright/test';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { entries, entryRow, seedEntries } from '../directory/directory-screen.ts';
import { palette } from '../palette/palette-screen.ts';
import {
  getSetting,
  limit,
  openForm,
  saveButton,
  saveQuestion,
  saveStricterRule,
} from '../retention/retention-screen.ts';

function directorySearch(page: Page): Locator {
  return page.getByRole('searchbox', { name: 'Search directory' });
}

const notice = (page: Page) => page.getByText('You’re offline. Reconnecting automatically…');

async function setOffline(page: Page, isOffline: boolean): Promise<void> {
  await page.context().setOffline(isOffline);
  await expect(notice(page)).toHaveCount(isOffline ? 1 : 0);
}

test.beforeEach(async ({ page, node, team, trouble }) => {
  trouble.expect(/ERR_INTERNET_DISCONNECTED/);
  await signIn(page, { node }, team.owner);
});

test('loaded content and input stay without a connection; what was saved or abandoned happens once or never', async ({
  page,
  node,
  team,
}) => {
  await seedEntries({ node, team }, { name: 'Ann Lee' }, { name: 'Bob Ray' });
  await page.goto('/users/company_directory');
  await expect(entries(page)).toHaveCount(2);
  await setOffline(page, true);
  await directorySearch(page).fill('ann');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/search=ann/);
  await expect(entryRow(page, 'Bob Ray')).toBeVisible();
  await picture(page, 'offline');
  await setOffline(page, false);
  await expect(entries(page)).toHaveCount(1);
  await expect(entryRow(page, 'Ann Lee')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();

  await page.getByRole('button', { name: 'Add Entry' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Entry' });
  await dialog.getByLabel('Name').fill('Kept Name');
  await setOffline(page, true);
  await dialog.getByRole('button', { name: 'Add Entry' }).click();
  await expect(dialog.getByText('API error')).toBeVisible();
  await expect(dialog.getByLabel('Name')).toHaveValue('Kept Name');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeEnabled();
  await setOffline(page, false);
  await dialog.getByRole('button', { name: 'Add Entry' }).click();
  await expect(dialog).toBeHidden();
  await expect(entryRow(page, 'Kept Name')).toHaveCount(1);

  await page.getByRole('button', { name: 'Delete Ann Lee' }).click();
  const question = page.getByRole('dialog');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await setOffline(page, true);
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('API error')).toBeVisible();
  await expect(question).toBeHidden();
  await setOffline(page, false);
  await page.waitForLoadState('networkidle');
  await page.reload();
  await expect(entryRow(page, 'Ann Lee')).toBeVisible();

  await openForm(page, 'notes_retention');
  const setting = getSetting(page, 'Archived notes');
  await limit(setting, '90');
  await setOffline(page, true);
  await saveButton(page).click();
  await expect(saveQuestion(page)).toContainText('API error');
  await saveQuestion(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(setting.getByLabel('Count')).toHaveValue('90');
  await setOffline(page, false);
  await saveStricterRule(page);
  await expect(saveButton(page)).toBeDisabled();
  await page.reload();
  await expect(setting.getByLabel('Count')).toHaveValue('90');
});

test('screens and the palette load as soon as the connection is back, and input on the screen stays', async ({
  page,
}) => {
  await page.goto('/users/users');
  for (const screen of ['Audit Log', 'Billing', 'Default Channels']) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Manage Users' }).click();
    await expect(page.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
    await setOffline(page, true);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'An Error Occurred!' })).toBeVisible();
    await expect(page.getByText("Couldn't load this page.")).toBeVisible();
    await expect(page.getByRole('banner')).toContainText('Northwind');
    await expect(page.getByRole('main')).toHaveCount(1);
    await page.context().setOffline(false);
    await expect(page.getByRole('heading', { level: 1, name: screen })).toBeVisible();
  }
  await openForm(page, 'notes_retention');
  const setting = getSetting(page, 'Archived notes');
  await limit(setting, '91');
  await setOffline(page, true);
  await page.keyboard.press('Control+k');
  await expect(setting.getByLabel('Count')).toHaveValue('91');
  await setOffline(page, false);
  await expect(palette(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(setting.getByLabel('Count')).toHaveValue('91');
});
