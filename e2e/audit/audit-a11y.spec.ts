import { expect, signIn, test } from '../browser/fixtures.ts';
import { expectAccessible, SIZES } from '../screens/accessible.ts';
import { addLines, lines, openAudit, renameEntry } from './audit-screen.ts';

for (const [size, viewport] of Object.entries(SIZES)) {
  test.describe(`${size}, in both themes, axe finds nothing`, () => {
    test.use({ viewport });
    test.setTimeout(60_000);

    test('on the audit log: empty, listed, filtered, choosing who, in details', async ({ page, node, team }) => {
      await signIn(page, { node }, team.owner);
      await openAudit(page);
      await expect(page.getByRole('heading', { name: 'No activity yet' })).toBeVisible();
      await expectAccessible(page, 'an empty log');
      await renameEntry({ node, team }, team.owner, ['Reception', 'Front desk']);
      await addLines({ node, team }, 20);
      await openAudit(page, '?from=2026-01-01');
      await expect(lines(page).first()).toBeVisible();
      await expectAccessible(page, 'the log');
      await page.getByRole('button', { name: 'Who: Anyone' }).click();
      await expect(page.getByRole('option', { name: 'Olivia Owner' })).toBeVisible();
      await expectAccessible(page, 'choosing who');
      await page.keyboard.press('Escape');
      await lines(page).filter({ hasText: 'Front desk' }).first().click();
      await page.getByText('Raw data').click();
      await expectAccessible(page, 'details');
    });

    test('on the audit log nothing is wider than the screen', async ({ page, node, team }) => {
      await signIn(page, { node }, team.owner);
      await renameEntry({ node, team }, team.owner, ['x'.repeat(200), 'y'.repeat(200)]);
      await openAudit(page);
      await expect(lines(page)).toHaveCount(2);
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(await overflow()).toBeLessThanOrEqual(0);
      await lines(page).first().click();
      await expect(page.getByRole('dialog').getByText('Request', { exact: true })).toBeVisible();
      expect(await page.getByRole('dialog').evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(
        0,
      );
    });
  });
}
