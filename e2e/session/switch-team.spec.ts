import { team as anotherTeam, join } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';

let southwind: string;

test.beforeEach(async ({ page, node, team }) => {
  southwind = await anotherTeam(node, 'Southwind');
  await join(node, southwind, team.owner.id, 'admin');
  await signIn(page, { node }, team.owner);
});

test('another team is stored, and shown after the reload', async ({ page }) => {
  await page.goto('/users/users');
  await page.getByRole('link', { name: /Northwind/ }).click();
  const loaded = page.waitForEvent('load');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Southwind/ })
    .click();
  await loaded;
  await expect(page.getByRole('banner')).toContainText('Southwind');
  await expect(page).toHaveURL(`/users/users?team=${southwind}`);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('banner')).toContainText('Southwind');
});

test('the page reloads 100 ms after the choice, not before', async ({ page }) => {
  await page.clock.install();
  await page.goto('/users/users');
  await page.getByRole('link', { name: /Northwind/ }).click();
  const choice = page.getByRole('dialog').getByRole('button', { name: /Southwind/ });
  await expect(choice).toBeVisible();
  const loads: string[] = [];
  page.on('request', (request) => request.isNavigationRequest() && loads.push(request.url()));
  await page.clock.pauseAt(Date.now() + 60_000);
  await choice.click();
  await expect(page.getByText('Switching…')).toBeVisible();
  await page.clock.runFor(99);
  // An earlier reload would be requested before this call, or would interrupt it.
  await page.evaluate(() => fetch('/favicon.svg', { cache: 'no-store' }).then((answer) => answer.text()));
  expect(loads).toEqual([]);
  const loaded = page.waitForEvent('load');
  await page.clock.runFor(1);
  await loaded;
  expect(loads).toHaveLength(1);
});

test('choosing the current team only closes the dialog', async ({ page }) => {
  await page.goto('/users/users');
  await page.getByRole('link', { name: /Northwind/ }).click();
  const dialog = page.getByRole('dialog', { name: 'SWITCH TEAM' });
  const current = dialog.getByRole('button', { name: /Northwind/ });
  await expect(current).toHaveAttribute('aria-current', 'true');
  await expect(current).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('link', { name: /Northwind/ })).toBeFocused();
});

test('a link to /switchTeam opens the dialog, and Cancel leaves for home', async ({ page, team }) => {
  await page.goto('/switchTeam');
  await page.getByRole('dialog', { name: 'SWITCH TEAM' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(`/?team=${team.id}`);
  await expect(page.getByRole('heading', { name: 'Steward Admin Portal' })).toBeVisible();
});
