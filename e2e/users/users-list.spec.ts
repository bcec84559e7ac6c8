import type { Page } from '@playwright/test';
import { addMembers, person } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { holdCalls, listCalls, people, personRow, searchBox } from './users-screen.ts';

test('a search runs one second after the last key and says that it is pending', async ({ page, node, team }) => {
  await person(node, { team: team.id, first_name: 'Marie', last_name: 'Curie' });
  await page.clock.install();
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(personRow(page, 'Marie Curie')).toBeVisible();
  await page.clock.pauseAt(Date.now() + 600_000);
  const calls = listCalls(page);
  await searchBox(page).fill('mari');
  await page.clock.runFor(900);
  await searchBox(page).press('e');
  await expect(page.getByText('Search starts in a moment')).toBeAttached();
  await picture(page, 'users-search-pending');
  await page.clock.runFor(999);
  expect(calls).toEqual([]);
  await page.clock.runFor(1);
  await expect.poll(() => calls.map((url) => url.searchParams.get('search'))).toEqual(['marie']);
  await page.clock.resume();
  await expect(page).toHaveURL('/users/users?search=marie');
  await expect(people(page)).toHaveText([/Marie Curie/]);
  expect(calls).toHaveLength(1);
});

test('Enter searches immediately, and the clear icon shows all users again', async ({ page, node, team }) => {
  await person(node, { team: team.id, first_name: 'Marie', last_name: 'Curie' });
  await page.clock.install();
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(personRow(page, 'Olivia Owner')).toBeVisible();
  await page.clock.pauseAt(Date.now() + 600_000);
  await page.keyboard.press('/');
  await expect(searchBox(page)).toBeFocused();
  await page.keyboard.type('CURIE');
  const calls = listCalls(page);
  await page.keyboard.press('Enter');
  await expect.poll(() => calls.map((url) => url.searchParams.get('search'))).toEqual(['CURIE']);
  await page.clock.resume();
  await expect(people(page)).toHaveText([/Marie Curie/]);
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(personRow(page, 'Olivia Owner')).toBeVisible();
  await expect(searchBox(page)).toHaveValue('');
  await expect(searchBox(page)).toBeFocused();
  await expect(page).toHaveURL('/users/users');
});

test('each filter reloads the list immediately and is kept in the URL, and Reset closes the panel', async ({
  page,
  node,
  team,
}) => {
  await person(node, { team: team.id, kind: 'admin', first_name: 'Ada', last_name: 'Admin' });
  await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await person(node, { team: team.id, first_name: 'Gone', last_name: 'Girl', deactivated: true });
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(people(page)).toHaveText([/Ada Admin/, /Max Member/, /Olivia Owner/]);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('checkbox', { name: 'Workspace Admin' }).check();
  await expect(people(page)).toHaveText([/Ada Admin/]);
  await page.getByRole('checkbox', { name: 'Primary Owner' }).check();
  await expect(people(page)).toHaveText([/Ada Admin/, /Olivia Owner/]);
  await picture(page, 'users-filters');
  await expect(page).toHaveURL(/workspace_admin=1/);
  await page.reload();
  await expect(people(page)).toHaveText([/Ada Admin/, /Olivia Owner/]);
  await page.getByRole('button', { name: /^Filters.*2 active/ }).click();
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(page.getByRole('checkbox', { name: 'Workspace Admin' })).toHaveCount(0);
  await expect(people(page)).toHaveCount(3);
  await expect(page).toHaveURL('/users/users');
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('checkbox', { name: 'Show deactivated accounts' }).check();
  await expect(personRow(page, 'Gone Girl')).toContainText('Deactivated');
});

/** Counts the background colors of the account type badges. */
async function countBadgeColors(page: Page): Promise<number> {
  const badges = people(page).locator('[data-tone]').filter({ hasNotText: 'You' });
  const colors = await badges.evaluateAll((all) => all.map((badge) => getComputedStyle(badge).backgroundColor));
  return new Set(colors).size;
}

test('every account kind has its specified name and, in both themes, its own color', async ({ page, node, team }) => {
  await person(node, { team: team.id, kind: 'admin', first_name: 'Ada', last_name: 'Admin' });
  await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await person(node, { team: team.id, kind: 'zendesk', first_name: 'Zoe', last_name: 'Desk' });
  await person(node, { team: team.id, pending: true, first_name: 'Pia', last_name: 'Pending' });
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  const kinds = { 'Olivia Owner': 'Team Owner', 'Ada Admin': 'Team Admin', 'Max Member': 'Team User' };
  for (const [name, kind] of Object.entries({ ...kinds, 'Zoe Desk': 'Zendesk', 'Pia Pending': 'Pending Invitee' })) {
    await expect(personRow(page, name).getByRole('cell').nth(1)).toHaveText(kind);
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect.poll(() => countBadgeColors(page), colorScheme).toBe(5);
  }
  await picture(page, 'users');
});

test('a list of 1,201 people loads as it is scrolled, with few rows in the page', async ({ page, node, team }) => {
  await addMembers(node, team.id, 1_200);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(page.getByText('100 of 1,201 people')).toBeVisible();
  const calls = listCalls(page);
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    expect(await people(page).count()).toBeLessThan(60);
    await expect(personRow(page, 'Person 1200')).toBeVisible({ timeout: 100 });
  }).toPass({ intervals: [20] });
  await expect(page.getByText('1,201 people', { exact: true })).toBeAttached();
  await expect(page.getByText('End of list')).toBeVisible();
  expect(calls).toHaveLength(12);
});

test('the next page is requested when four rows are left, and not before', async ({ page, node, team }) => {
  await addMembers(node, team.id, 300);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(page.getByText('100 of 301 people')).toBeVisible();
  const calls = listCalls(page);
  await showLast(page, 94);
  expect(calls).toHaveLength(0);
  await showLast(page, 95);
  await expect(page.getByText('200 of 301 people')).toBeVisible();
  expect(calls).toHaveLength(1);
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

test('returning to the list restores its scroll position', async ({ page, node, team }) => {
  await addMembers(node, team.id, 150);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(page.getByText('100 of 151 people')).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 2_400));
  await expect(personRow(page, 'Person 0050')).toBeInViewport();
  const returns = [() => page.goBack(), () => page.getByRole('link', { name: 'Manage Users' }).first().click()];
  for (const comeBack of returns) {
    await page.getByRole('link', { name: 'Home' }).click();
    await expect(page.getByRole('heading', { name: 'Steward Admin Portal' })).toBeVisible();
    await comeBack();
    await expect(personRow(page, 'Person 0050')).toBeInViewport();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(2_400);
  }
});

test('an empty result is explained, with a button that shows all users', async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users?search=no-such-user');
  await expect(page.getByRole('heading', { name: 'No users found' })).toBeVisible();
  await picture(page, 'users-empty');
  await page.getByRole('button', { name: 'Show all users' }).click();
  await expect(personRow(page, 'Olivia Owner')).toBeVisible();
});

test('a list that fails to load says why and can be retried', async ({ page, node, team, trouble }) => {
  trouble.expect(/ERR_FAILED|status of 503/);
  await signIn(page, { node }, team.owner);
  const list = `**/admin/teams/${team.id}/users*`;
  await page.route(list, (route) => route.abort());
  await page.goto('/users/users');
  await expect(page.getByRole('heading', { name: 'An Error Occurred!' })).toBeVisible();
  await expect(page.getByRole('alert').getByText('API error')).toBeVisible();
  await page.unroute(list);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(personRow(page, 'Olivia Owner')).toBeVisible();
});

test('a search beyond the limit says when it can continue, and can be retried', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of 429/);
  await signIn(page, { node }, team.owner);
  const list = `**/admin/teams/${team.id}/users?*search*`;
  const refusal = {
    status_code: 429,
    message: 'Too many requests. Try again in a minute.',
    id: 'rate.limited',
    request_id: 'x',
  };
  await page.route(list, (route) => route.fulfill({ status: 429, headers: { 'retry-after': '7' }, json: refusal }));
  await page.goto('/users/users?search=olivia');
  await expect(page.getByRole('alert').getByText(refusal.message)).toBeVisible();
  await picture(page, 'users-limited');
  await page.unroute(list);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(personRow(page, 'Olivia Owner')).toBeVisible();
});

test('the skeleton has the size of the list while it loads', async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  const release = await holdCalls(page, `**/admin/teams/${team.id}/users*`);
  await page.goto('/users/users');
  const table = page.getByRole('table', { name: 'People' });
  await expect(table).toHaveAttribute('aria-busy', 'true');
  const before = await table.boundingBox();
  release();
  await expect(personRow(page, 'Olivia Owner')).toBeVisible();
  const after = await table.boundingBox();
  expect([after?.x, after?.y, after?.width]).toEqual([before?.x, before?.y, before?.width]);
});
