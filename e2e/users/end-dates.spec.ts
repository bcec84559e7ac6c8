import type { Locator, Page } from '@playwright/test';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { extractMailToken } from '@steward/server/testing/peers/inbox.ts';
import { setEnd } from '@steward/server/testing/workspace/ends.ts';
import { user } from '@steward/server/testing/workspace/factories.ts';
import { sql } from 'kysely';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { fillDetails } from '../signup/signup-screen.ts';
import { chooseAction, people, personRow } from './users-screen.ts';

const DAY_MS = 86_400_000;

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const figure = (page: Page, name: RegExp) =>
  page.getByRole('region', { name: 'Your team' }).getByRole('link', { name });

/** A value of the date field. The team is in UTC. */
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** The date as the list shows it. */
function toShown(day: string): string {
  const date = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });
  return `Until ${date.format(Date.parse(day))}`;
}

async function saveEnd(page: Page, name: string, day: string): Promise<void> {
  await chooseAction(page, name, 'Edit');
  await dialog(page, 'Edit User').getByLabel('End date').fill(day);
  await dialog(page, 'Edit User').getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page, 'Edit User')).toHaveCount(0);
}

test('a contractor is added with an end date, ends soon one click from Home, and stays when the date is moved and removed', async ({
  page,
  node,
  another,
}) => {
  const email = `carl.${newId()}@example.test`;
  const [soon, later] = [inDays(10), inDays(90)];
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Add User' }).click();
  const form = dialog(page, 'Add User');
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('First name').fill('Carl');
  await form.getByLabel('Last name').fill('Contractor');
  await form.getByLabel('End date').fill(soon);
  await picture(page, 'users-add-end-date');
  await form.getByRole('button', { name: 'Add User' }).click();
  await expect(personRow(page, 'Carl Contractor')).toContainText(toShown(soon));
  const guest = await another();
  await guest.goto(`/signup_confirm?token=${extractMailToken(await node.inbox.next(email))}`);
  await fillDetails(guest, { password: 'lantern over the harbour' });
  await guest.getByRole('button', { name: 'Join team' }).click();
  await expect(guest).toHaveURL('/login');

  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await figure(page, /^Leaving in 14 days 1$/).click();
  await expect(people(page)).toHaveText([/Carl Contractor/]);
  await expect(personRow(page, 'Carl Contractor')).toContainText(toShown(soon));
  await page.getByRole('button', { name: /^Filters/ }).click();
  await expect(page.getByRole('checkbox', { name: 'Ending soon' })).toBeChecked();
  await page.keyboard.press('Escape');
  await picture(page, 'users-ending-soon');

  await saveEnd(page, 'Carl Contractor', later);
  await expect(personRow(page, 'Carl Contractor')).toHaveCount(0);
  await page.goto('/');
  await expect(figure(page, /^Leaving in 14 days 0$/)).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Manage Users' }).click();
  await expect(personRow(page, 'Carl Contractor')).toContainText(toShown(later));
  await saveEnd(page, 'Carl Contractor', '');
  await expect(personRow(page, 'Carl Contractor')).not.toContainText('Until');
  await page.reload();
  await expect(personRow(page, 'Carl Contractor')).toContainText('Active');
  await expect(personRow(page, 'Carl Contractor')).not.toContainText('Until');
});

/** Opens Home, and counts the clicks from there. Typing doesn't count. */
async function startChore(page: Page): Promise<{ click: (on: Locator) => Promise<void>; count: () => number }> {
  await page.goto('/');
  let clicks = 0;
  const click = async (on: Locator) => {
    clicks += 1;
    await on.click();
  };
  return { click, count: () => clicks };
}

test('from Home, who leaves next month and who was inactive for 90 days take one click, an end date and an invitation link three', async ({
  page,
  node,
  team,
}) => {
  const add = (first_name: string) => user(node, { team: team.id, first_name, last_name: 'Member' });
  const [lea, ivo] = [await add('Lea'), await add('Ivo')];
  await add('Carl');
  await setEnd(node, { teamId: team.id, userId: lea.id }, 25);
  await sql`update memberships set last_active_at = ${Date.now() - 100 * DAY_MS} where person_id = ${ivo.id}`.execute(
    node.db,
  );
  await sql`update memberships set last_active_at = ${Date.now()} where team_id = ${team.id} and person_id <> ${ivo.id}`.execute(
    node.db,
  );

  const leaving = await startChore(page);
  await leaving.click(figure(page, /^Leaving in 30 days 1$/));
  await expect(people(page)).toHaveText([/Lea Member/]);
  expect(leaving.count()).toBe(1);

  const inactive = await startChore(page);
  await inactive.click(figure(page, /^Inactive for 90 days 1$/));
  await expect(people(page)).toHaveText([/Ivo Member/]);
  expect(inactive.count()).toBe(1);

  const ending = await startChore(page);
  await ending.click(page.getByRole('banner').getByRole('button', { name: /^Search/ }));
  await dialog(page, 'Search').getByRole('combobox').fill('carl member');
  await ending.click(dialog(page, 'Search').getByRole('option', { name: 'Edit' }));
  await dialog(page, 'Edit User').getByLabel('End date').fill(inDays(25));
  await ending.click(dialog(page, 'Edit User').getByRole('button', { name: 'Save' }));
  await expect(page.getByText('Saved Successfully')).toBeVisible();
  expect(ending.count()).toBe(3);

  const inviting = await startChore(page);
  await expect(figure(page, /^Leaving in 30 days 2$/)).toBeVisible();
  await inviting.click(page.getByRole('navigation').getByRole('link', { name: 'Invitation Links' }));
  await inviting.click(page.getByRole('button', { name: 'Create Link' }));
  await dialog(page, 'Create Link').getByLabel('Name').fill('Workshop');
  await inviting.click(dialog(page, 'Create Link').getByRole('button', { name: 'Create Link' }));
  await expect(dialog(page, 'Copy the link now').getByRole('img', { name: 'QR code of the link' })).toBeVisible();
  expect(inviting.count()).toBe(3);
});
