import type { Locator, Page } from '@playwright/test';
import type { TestApp } from '@steward/server/testing/app/start-app.ts';
import { addSession } from '@steward/server/testing/sessions/sessions.ts';
import { addMembers, invite, user } from '@steward/server/testing/workspace/factories.ts';
import { sql } from 'kysely';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import type { Team } from '../browser/team-members.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { chooseAction, failInvitation, holdCalls, people, personRow } from './users-screen.ts';

function searchBox(page: Page): Locator {
  return page.getByRole('searchbox', { name: 'Search people' });
}

/** Records the URLs of the list's requests from now on, in order. */
function listCalls(page: Page): URL[] {
  const calls: URL[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (request.method() === 'GET' && /\/admin\/teams\/\w+\/users$/.test(url.pathname)) calls.push(url);
  });
  return calls;
}

const DAY_MS = 86_400_000;

/** The team has a user in each state, and they were active at different times. */
async function seedStates(node: TestApp, team: Team): Promise<void> {
  const named = (first_name: string) => ({ team: team.id, first_name, last_name: 'Person' });
  const days = { Anna: 3, Bert: 200 };
  for (const [name, ago] of Object.entries(days)) {
    const { id } = await user(node, named(name));
    await sql`update memberships set last_active_at = ${Date.now() - ago * DAY_MS - 1_000} where person_id = ${id}`.execute(
      node.db,
    );
  }
  await user(node, { ...named('Cleo'), kind: 'admin' });
  await user(node, { ...named('Dora'), deactivated: true });
  await user(node, { ...named('Zoe'), kind: 'zendesk' });
  await invite(node, { teamId: team.id, email: 'flo@example.test', first_name: 'Flo', last_name: 'Person' });
}

const rows = (page: Page) => page.getByRole('dialog').getByRole('listitem');
const inDialog = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name });

/** Counts the background colors of the account type badges. */
async function countBadgeColors(page: Page): Promise<number> {
  const badges = people(page).locator('[data-tone]').filter({ hasNotText: 'You' });
  const colors = await badges.evaluateAll((all) => all.map((badge) => getComputedStyle(badge).backgroundColor));
  return new Set(colors).size;
}

test('users are searched, filtered and sorted, the address keeps what is shown, and kinds have their own colors', async ({
  page,
  node,
  team,
}) => {
  test.slow();
  await seedStates(node, team);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(people(page)).toHaveText([/Anna/, /Bert/, /Cleo/, /Flo/, /Olivia/, /Zoe/]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect.poll(() => countBadgeColors(page), colorScheme).toBe(5);
  }
  await picture(page, 'users');
  await page.emulateMedia({ colorScheme: 'light' });
  await searchBox(page).fill('person');
  await picture(page, 'users-search-pending');
  await page.keyboard.press('Enter');
  await expect(people(page)).toHaveText([/Anna/, /Bert/, /Cleo/, /Flo/, /Zoe/]);
  await page.getByRole('columnheader', { name: 'Last active' }).getByRole('button').click();
  await expect(people(page).first()).toContainText('Anna');
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('checkbox', { name: 'Member', exact: true }).check();
  await page.getByRole('combobox', { name: 'Inactive for' }).selectOption('90 days');
  await expect(people(page)).toHaveText([/Bert/]);
  await page.getByRole('textbox', { name: 'Name of this view' }).fill('Gone quiet');
  await page.keyboard.press('Enter');
  await expectAccessible(page, 'filters and a saved view');
  await picture(page, 'users-filters');
  await page.reload();
  const shown = { search: 'person', sort: 'last_active', order: 'desc', member: '1', inactive_days: '90' };
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(shown);
  await expect(people(page)).toHaveText([/Bert/]);
});

test('a list of 1,201 people loads as it is scrolled, with few rows in the page, and keeps its place', async ({
  page,
  node,
  team,
}) => {
  test.slow();
  await addMembers(node, team.id, 1_200);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(page.getByText('100 of 1,201 people')).toBeVisible();
  const calls = listCalls(page);
  await showLast(page, 94);
  expect(calls, 'five rows are left').toHaveLength(0);
  await showLast(page, 95);
  await expect(page.getByText('200 of 1,201 people')).toBeVisible();
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    expect(await people(page).count()).toBeLessThan(60);
    await expect(personRow(page, 'Person 1200')).toBeVisible({ timeout: 100 });
  }).toPass({ intervals: [20] });
  await expect(page.getByText('1,201 people', { exact: true })).toBeAttached();
  await expect(page.getByText('End of list')).toBeVisible();
  expect(calls).toHaveLength(12);

  await page.goto('/users/users');
  await expect(page.getByText('100 of 1,201 people')).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 2_400));
  // A click anywhere in the row, beside its menu, opens the panel.
  await personRow(page, 'Person 0050').click({ position: { x: 500, y: 24 } });
  await expect(page.getByRole('dialog', { name: 'Person 0050' })).toBeVisible();
  await picture(page, 'users-panel');
  await expectAccessible(page, 'panel');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'Person 0050' })).toBeFocused();
  const returns = [() => page.goBack(), () => page.getByRole('link', { name: 'Manage Users' }).first().click()];
  for (const comeBack of returns) {
    await page.getByRole('link', { name: 'Home' }).click();
    await expect(page.getByRole('heading', { name: 'Steward Admin Portal' })).toBeVisible();
    await comeBack();
    await expect(personRow(page, 'Person 0050')).toBeInViewport();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(2_400);
  }
});

/** Scrolls until the row with this index is the last one in view, and waits until it is rendered. */
async function showLast(page: Page, index: number): Promise<void> {
  await page.evaluate(async (last) => {
    const first = document.querySelector('[role="table"] [data-row="0"], [role="table"] [data-row]');
    const body = first?.parentElement;
    if (!body) throw new Error('there is no row');
    const top = body.getBoundingClientRect().top + window.scrollY;
    window.scrollTo(0, top + (last + 1) * 48 - 20 - window.innerHeight);
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
  }, index);
  await expect(page.locator(`[data-row="${index}"]`)).toBeInViewport();
}

test('nothing moves while the list loads and when undelivered invitations arrive later', async ({
  page,
  node,
  team,
}) => {
  const pia = await user(node, { team: team.id, pending: true, first_name: 'Pia', last_name: 'Pending' });
  await failInvitation({ node, team }, pia);
  await signIn(page, { node }, team.owner);
  const release = await holdCalls(page, `**/admin/teams/${team.id}/users*`);
  const releaseFailed = await holdCalls(page, '**/failed_invitations');
  await page.goto('/users/users');
  const table = page.getByRole('table', { name: 'People' });
  await expect(table).toHaveAttribute('aria-busy', 'true');
  const before = await table.boundingBox();
  release();
  await expect(personRow(page, 'Olivia Owner')).toBeVisible();
  const after = await table.boundingBox();
  expect([after?.x, after?.y, after?.width]).toEqual([before?.x, before?.y, before?.width]);
  const notice = page.getByText("1 invitation couldn't be delivered.");
  const answer = page.waitForResponse('**/failed_invitations');
  releaseFailed();
  await (await answer).finished();
  await page.getByRole('link', { name: 'Home' }).focus();
  expect((await table.boundingBox())?.y).toBe(before?.y);
  await expect(notice).toHaveCount(0);
  // The notice appears with the rows or not at all: on a busy machine the page may still be processing the response.
  await expect(async () => {
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Manage Users' }).click();
    await expect(notice).toBeVisible({ timeout: 1_000 });
  }).toPass();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('the panel fills the screen, the bar of selected users and twenty sessions fit, and targets are large enough', async ({
    page,
    node,
    team,
  }) => {
    await seedStates(node, team);
    const who = await user(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
    for (let at = 0; at < 20; at += 1)
      await addSession(node, {
        userId: who.id,
        deviceId: '',
        userAgent: '',
        address: `2001:db8:85a3:8d3:1319:8a2e:370:${at}`,
      });
    await signIn(page, { node }, team.owner);
    await page.goto('/users/users');
    await personRow(page, 'Anna Person').tap();
    const panel = page.getByRole('dialog', { name: 'Anna Person' });
    expect((await panel.boundingBox())?.width).toBe(390);
    await page.getByRole('button', { name: 'Close panel' }).tap();
    await expect(panel).toHaveCount(0);
    const box = page.getByRole('checkbox', { name: 'Select Anna Person' });
    await box.check();
    await picture(page, 'users-bulk-phone');
    const bounds = await page.getByRole('region', { name: 'Selected users' }).boundingBox();
    expect((bounds?.x ?? 0) + (bounds?.width ?? 999)).toBeLessThanOrEqual(390);
    const label = await box.locator('..').boundingBox();
    expect(Math.min(label?.width ?? 0, label?.height ?? 0)).toBeGreaterThanOrEqual(44);

    await page.setViewportSize({ width: 360, height: 640 });
    await box.uncheck();
    await chooseAction(page, 'Max Member', 'Revoke all sessions');
    await expect(rows(page)).toHaveCount(20);
    for (const name of ['Cancel', 'Revoke all sessions'])
      await expect(inDialog(page, name)).toBeInViewport({ ratio: 1 });
    await inDialog(page, /:0$/).scrollIntoViewIfNeeded();
    await inDialog(page, /:0$/).click();
    await expect(rows(page).getByText('Signed out')).toHaveCount(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});
