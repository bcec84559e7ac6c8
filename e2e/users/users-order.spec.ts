import type { Page } from '@playwright/test';
import type { TestApp } from '@steward/server/testing/app/start-app.ts';
import { addMembers, invite, person } from '@steward/server/testing/workspace/factories.ts';
import { sql } from 'kysely';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import type { Team } from '../browser/team-members.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { people, personRow } from './users-screen.ts';

const DAY_MS = 86_400_000;

/** The team has a user in each state, and they were active at different times. */
async function seedStates(node: TestApp, team: Team): Promise<void> {
  const named = (first_name: string) => ({ team: team.id, first_name, last_name: 'Person' });
  const days = { Anna: 3, Bert: 200 };
  for (const [name, ago] of Object.entries(days)) {
    const { id } = await person(node, named(name));
    await sql`update memberships set last_active_at = ${Date.now() - ago * DAY_MS - 1_000} where person_id = ${id}`.execute(
      node.db,
    );
  }
  await person(node, named('Cleo'));
  await person(node, { ...named('Dora'), deactivated: true });
  const id = await invite(node, {
    teamId: team.id,
    email: 'emil@example.test',
    first_name: 'Emil',
    last_name: 'Person',
  });
  await invite(node, { teamId: team.id, email: 'flo@example.test', first_name: 'Flo', last_name: 'Person' });
  await sql`update memberships set invitation_limited = true where person_id = ${id}`.execute(node.db);
}

const header = (page: Page, name: string) => page.getByRole('columnheader', { name });

async function openFilters(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Filters/ }).click();
  await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible();
}

test('the columns show in words which users are active, invited or gone', async ({ page, node, team }) => {
  await seedStates(node, team);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users?deactivated_accounts=1');
  const texts = {
    'Anna Person': ['Team User', 'Active', '3 days ago'],
    'Cleo Person': ['Team User', 'Active', 'Never'],
    'Dora Person': ['Team User', 'Deactivated', 'Never'],
    'Emil Person': ['Pending Invitee', 'Not sent: limit reached', '–'],
    'Flo Person': ['Pending Invitee', 'Invited', '–'],
  };
  for (const [name, cells] of Object.entries(texts)) {
    const row = personRow(page, name).getByRole('cell');
    for (const [at, text] of cells.entries()) await expect(row.nth(at + 1)).toHaveText(text);
  }
  const time = personRow(page, 'Anna Person').locator('time');
  await expect(time).toHaveAttribute('title', /^\d{4}-\d{2}-\d{2}T/);
  await expectAccessible(page, 'users in every state');
  await picture(page, 'users-states');
});

test('headers sort by mouse and keyboard, and the address keeps the order', async ({ page, node, team }) => {
  await seedStates(node, team);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users?search=person&member=1');
  const names = [/Anna/, /Bert/, /Cleo/, /Emil/, /Flo/];
  await expect(people(page)).toHaveText(names);
  await expect(header(page, 'Name')).toHaveAttribute('aria-sort', 'ascending');
  await header(page, 'Name').getByRole('button').click();
  await expect(people(page)).toHaveText(names.toReversed());
  await expect(page).toHaveURL(/order=desc/);
  await header(page, 'Last active').getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(people(page).nth(0)).toContainText('Anna');
  await expect(people(page).nth(1)).toContainText('Bert');
  await expect(header(page, 'Last active')).toHaveAttribute('aria-sort', 'descending');
  await expect(header(page, 'Name')).toHaveAttribute('aria-sort', 'none');
  await page.keyboard.press('Enter');
  await expect(people(page).nth(0)).toContainText('Bert');
  await page.reload();
  await expect(people(page).nth(0)).toContainText('Bert');
  await expect(header(page, 'Last active')).toHaveAttribute('aria-sort', 'ascending');
});

test('pending invitees and inactive users are found by filters', async ({ page, node, team }) => {
  await seedStates(node, team);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await openFilters(page);
  await page.getByRole('checkbox', { name: 'Pending Invitee' }).check();
  await expect(people(page)).toHaveText([/Emil/, /Flo/]);
  await expect(page).toHaveURL('/users/users?pending=1');
  await page.getByRole('checkbox', { name: 'Pending Invitee' }).uncheck();
  await page.getByRole('combobox', { name: 'Inactive for' }).selectOption('90 days');
  await expect(people(page)).toHaveText([/Bert/, /Cleo/, /Olivia/]);
  await expect(page).toHaveURL('/users/users?inactive_days=90');
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Last active, oldest first');
  await expect(people(page).nth(0)).toContainText('Bert');
  await picture(page, 'users-filters-more');
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(people(page)).toHaveCount(6);
  await expect(page).toHaveURL('/users/users?sort=last_active');
});

test('the number of all users is shown before they are loaded', async ({ page, node, team }) => {
  await addMembers(node, team.id, 1_867);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(page.getByText('100 of 1,868 people', { exact: true })).toBeVisible();
  await page.goto('/users/users?search=person');
  await expect(page.getByText('100 of 1,867 people', { exact: true })).toBeVisible();
});

test('a view is saved, shown again and deleted, for this user alone', async ({ page, node, team, another }) => {
  await seedStates(node, team);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users?inactive_days=90&sort=last_active&search=bert');
  await openFilters(page);
  await page.getByRole('textbox', { name: 'Name of this view' }).fill('Gone quiet');
  await page.keyboard.press('Enter');
  const view = page.getByRole('button', { name: 'Gone quiet', exact: true });
  await expect(view).toHaveAttribute('aria-pressed', 'true');
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(kept).toContain('Gone quiet');
  expect(kept).not.toContain('bert');
  await page.goto('/users/users');
  await openFilters(page);
  await expectAccessible(page, 'saved views');
  await view.click();
  await expect(page).toHaveURL('/users/users?inactive_days=90&sort=last_active');
  await picture(page, 'users-saved-views');
  await page.getByRole('button', { name: 'Delete view Gone quiet' }).click();
  await expect(view).toHaveCount(0);
  await page.reload();
  await openFilters(page);
  await expect(view).toHaveCount(0);
  const other = await another();
  await signIn(other, { node }, team.owner);
  await other.goto('/users/users');
  await openFilters(other);
  await expect(other.getByRole('heading', { name: 'Saved views' })).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('a card has name, status and menu, and the list is sorted in Filters', async ({ page, node, team }) => {
    await seedStates(node, team);
    await signIn(page, { node }, team.owner);
    await page.goto('/users/users');
    await expect(personRow(page, 'Anna Person').getByRole('cell')).toHaveCount(3);
    await expect(personRow(page, 'Flo Person')).toContainText('Invited');
    await expect(page.getByRole('columnheader').getByRole('button')).toHaveCount(0);
    await openFilters(page);
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Name, Z to A');
    await expect(people(page).nth(0)).toContainText('Olivia');
  });
});

test.describe('in Windows High Contrast', () => {
  test.use({ forcedColors: 'active' });

  test('states differ by words, and the sorted column by its arrow', async ({ page, node, team }) => {
    await seedStates(node, team);
    await signIn(page, { node }, team.owner);
    await page.goto('/users/users?deactivated_accounts=1');
    await expect(personRow(page, 'Dora Person')).toContainText('Deactivated');
    await expect(header(page, 'Name').locator('svg')).toBeVisible();
    await expect(header(page, 'Last active').locator('svg')).toHaveCount(0);
    await expectAccessible(page, 'users with forced colors');
  });
});
