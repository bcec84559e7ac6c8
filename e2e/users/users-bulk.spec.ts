import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import type { TestApp } from '@steward/server/testing/app/start-app.ts';
import { addMembers, person } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { people, personRow } from './users-screen.ts';

const NAMES = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve'];

async function addPeople(node: TestApp, teamId: string): Promise<void> {
  for (const first_name of NAMES) await person(node, { team: teamId, first_name, last_name: 'Member' });
  await person(node, { team: teamId, kind: 'zendesk', first_name: 'Zoe', last_name: 'Desk' });
}

const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
const bar = (page: Page) => page.getByRole('region', { name: 'Selected users' });

async function choose(page: Page, action: string): Promise<void> {
  await bar(page).getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('chosen users are deactivated after a dialog that counts them, and a message shows the result', async ({
  page,
  node,
  team,
}) => {
  await addPeople(node, team.id);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await box(page, 'Ada Member').check();
  await box(page, 'Cleo Member').click({ modifiers: ['Shift'] });
  await expect(bar(page)).toContainText('3 users selected');
  await box(page, 'Zoe Desk').check();
  await picture(page, 'users-bulk-bar');
  expect((await new AxeBuilder({ page }).include('main').analyze()).violations).toEqual([]);
  await choose(page, 'Deactivate');
  const dialog = page.getByRole('dialog', { name: 'Deactivate' });
  await expect(dialog).toContainText('Deactivate 3 users?');
  await expect(dialog).toContainText('Skipped: 1 Zendesk user.');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await picture(page, 'users-bulk-dialog');
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText('3 users were deactivated.')).toBeVisible();
  await expect(personRow(page, 'Ada Member')).toBeHidden();
  await expect(personRow(page, 'Dan Member')).toBeVisible();
  await expect(bar(page)).toBeHidden();
});

test('all matching users but one are selected, and the action applies to the filters of the list', async ({
  page,
  node,
  team,
}) => {
  await addPeople(node, team.id);
  await addMembers(node, team.id, 120);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users?member=1');
  await page.getByRole('checkbox', { name: 'Select all loaded users' }).check();
  await expect(bar(page)).toContainText('100 users selected');
  await bar(page).getByRole('button', { name: 'Select all 125 that match' }).click();
  await expect(bar(page)).toContainText('125 users selected');
  await box(page, 'Ben Member').uncheck();
  await expect(bar(page)).toContainText('124 users selected');
  await choose(page, 'Make admin');
  const dialog = page.getByRole('dialog', { name: 'Make admin' });
  await expect(dialog).toContainText('Make 124 users admins of this team?');
  await dialog.getByRole('button', { name: 'Make admin' }).click();
  await expect(page.getByText('124 users are now admins.')).toBeVisible();
  await expect(people(page)).toHaveText([/Ben Member/]);
});

test('the keyboard alone chooses a range, and Escape chooses nothing', async ({ page, node, team }) => {
  await addPeople(node, team.id);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await box(page, 'Ada Member').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(bar(page)).toContainText('3 users selected');
  await expect(box(page, 'Cleo Member')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+Space');
  await expect(bar(page)).toContainText('5 users selected');
  await page.keyboard.press('Escape');
  await expect(bar(page)).toBeHidden();
  await expect(box(page, 'Eve Member')).toBeFocused();
});

test('progress survives a reload, and other filters start with nothing chosen', async ({ page, node, team }) => {
  await addPeople(node, team.id);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  let state: object = { state: 'running', done: 2 };
  await page.route('**/users/bulk/*', (route) =>
    route.fulfill({
      json: {
        id: 'a'.repeat(26),
        action: 'deactivate',
        total: 5,
        skipped: [],
        failed: [],
        error: null,
        ...state,
      },
    }),
  );
  await box(page, 'Ada Member').check();
  await page.getByRole('button', { name: /^Filters/ }).click();
  await page.getByRole('checkbox', { name: 'Member', exact: true }).check();
  await expect(bar(page)).toBeHidden();
  await box(page, 'Ada Member').check();
  await choose(page, 'Deactivate');
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
  const progress = page.getByRole('region', { name: 'Change in progress' });
  await expect(progress).toContainText('Deactivate: 2 of 5 users');
  await page.reload();
  await expect(progress).toContainText('Deactivate: 2 of 5 users');
  await picture(page, 'users-bulk-progress');
  state = { state: 'done', done: 4, failed: [{ user_id: 'b'.repeat(26), error: 'server.error' }] };
  await expect(page.getByText('4 users were deactivated. 1 user could not be changed.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Download failures' })).toBeVisible();
  await expect(progress).toBeHidden();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('the bar fits, and every target is large enough', async ({ page, node, team }) => {
    await addPeople(node, team.id);
    await signIn(page, { node }, team.owner);
    await page.goto('/users/users');
    await box(page, 'Ada Member').check();
    await expect(bar(page)).toBeVisible();
    await picture(page, 'users-bulk-phone');
    const bounds = await bar(page).boundingBox();
    expect((bounds?.x ?? 0) + (bounds?.width ?? 999)).toBeLessThanOrEqual(390);
    const label = await box(page, 'Ada Member').locator('..').boundingBox();
    expect(Math.min(label?.width ?? 0, label?.height ?? 0)).toBeGreaterThanOrEqual(44);
  });
});

test('a chosen row shows in forced colors', async ({ page, node, team }) => {
  await addPeople(node, team.id);
  await page.emulateMedia({ forcedColors: 'active' });
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await box(page, 'Ada Member').check();
  await expect(box(page, 'Ada Member')).toHaveCSS('appearance', 'auto');
  await picture(page, 'users-bulk-forced-colors');
});
