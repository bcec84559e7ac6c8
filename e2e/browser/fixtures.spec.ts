import { expect, test } from './fixtures.ts';

test('a handler that reads an answer when its test has ended doesn’t fail it', async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await page.route('**/healthz', async (route) => {
    const answer = await route.fetch();
    held.resolve();
    await page.waitForEvent('close', { timeout: 0 });
    await answer.json();
  });
  await page.goto('/login');
  await page.evaluate(() => void fetch('/healthz'));
  await held.promise;
  expect(page.url()).toContain('/login');
});
