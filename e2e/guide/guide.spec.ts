import { expect, signIn, test } from '../browser/fixtures.ts';

test('Guide opens the section about the current screen, its links stay in the portal, and its pictures are shown', async ({
  page,
  node,
  team,
}) => {
  await signIn(page, { node }, team.owner);
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
  const picture = page.getByRole('img', { name: 'Manage Users' });
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.goto('/guide/toString');
  await expect(page).toHaveTitle(/^Page not found/);
});
