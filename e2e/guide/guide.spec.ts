import { expect, signIn, test } from '../browser/fixtures.ts';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('Guide opens the section about the current screen, and its links stay in the portal', async ({ page }) => {
  await page.goto('/dashboard/service_tokens');
  await page.getByRole('link', { name: 'Guide' }).click();
  await expect(page).toHaveURL('/guide/admin-guide#service-tokens');
  await expect(page.getByRole('heading', { level: 2, name: 'Service tokens' })).toBeInViewport();
  await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }));
  await page.getByRole('main').getByRole('link', { name: 'Importing content' }).last().click();
  await expect(page).toHaveURL('/guide/content');
  await expect(page.getByRole('heading', { level: 1, name: 'Importing content' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Guide' }).getByRole('link', { name: 'Admin portal' }).click();
  await page.getByRole('main').getByRole('link', { name: 'CSV compatibility matrix' }).click();
  await expect(page).toHaveURL('/guide/csv-files');
  expect(await page.evaluate(() => 'isSameDocument' in globalThis)).toBe(true);
  await page.goBack();
  await expect(page).toHaveURL('/guide/admin-guide');
});

test('the pictures of the guide are shown', async ({ page }) => {
  await page.goto('/guide/admin-guide');
  const picture = page.getByRole('img', { name: 'Manage Users' });
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
});

test('an unknown page of the guide shows the fallback screen', async ({ page }) => {
  await page.goto('/guide/toString');
  await expect(page).toHaveTitle(/^Page not found/);
});

test('? lists the shortcuts, except while text is typed', async ({ page }) => {
  await page.goto('/users/users');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const search = page.getByRole('searchbox');
  await search.fill('who');
  await search.press('?');
  await expect(search).toHaveValue('who?');
  await expect(dialog).toHaveCount(0);
  await page.getByRole('link', { name: 'Guide' }).focus();
  await page.keyboard.press('?');
  await expect(dialog).toContainText('Search the list on this screen');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Guide' })).toBeFocused();
});
