import { expect, test } from '../browser/fixtures.ts';
import { findViolations, SIZES } from '../screens/accessible.ts';

test('the API reference is looked through, narrowed and linked to without a script, is accessible in both themes, and fits a phone', async ({
  page,
}) => {
  // Axe looks through a long page four times.
  test.slow();
  await page.goto('/api/v4/docs');
  await page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name: 'Retention' }).click();
  await expect(page.getByRole('heading', { name: 'Retention' })).toBeInViewport();
  await page.getByRole('searchbox', { name: 'Find calls' }).fill('token create');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByRole('searchbox', { name: 'Find calls' })).toHaveValue('token create');
  const call = page.getByRole('group').filter({ hasText: 'Create a service token' });
  await call.getByText('Create a service token').click();
  await expect(call.getByRole('table')).toContainText('teamId');
  await page.goto('/api/v4/docs#saveUser');
  await expect(page.getByRole('link', { name: 'saveUser' })).toBeInViewport();

  await page.goto('/api/v4/docs?q=retention#getRetention');
  await expect(page.getByRole('link', { name: 'getRetention', exact: true })).toBeVisible();
  for (const size of [SIZES.wide, SIZES.phone]) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findViolations(page), colorScheme).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
  }
});
