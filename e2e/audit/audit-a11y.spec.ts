import { expect, signIn, test } from '../browser/fixtures.ts';
import { expectAccessible, SIZES } from '../screens/accessible.ts';
import { addLines, lines, openAudit, renameEntry } from './audit-screen.ts';

test('axe finds nothing on the audit log: empty, listed, filtered, choosing who, in details', async ({
  page,
  node,
  team,
}) => {
  await signIn(page, { node }, team.owner);
  await openAudit(page);
  await expect(page.getByRole('heading', { name: 'No activity yet' })).toBeVisible();
  await expectAccessible(page, 'an empty log');
  await renameEntry({ node, team }, team.owner, ['x'.repeat(200), 'y'.repeat(200)]);
  await addLines({ node, team }, 20);
  await openAudit(page, '?from=2026-01-01');
  await expect(lines(page).first()).toBeVisible();
  await expectAccessible(page, 'the log');
  await page.getByRole('button', { name: 'Who: Anyone' }).click();
  await expect(page.getByRole('option', { name: 'Olivia Owner' })).toBeVisible();
  await expectAccessible(page, 'choosing who');
  await page.keyboard.press('Escape');
  await lines(page).filter({ hasText: 'yyy' }).first().click();
  await page.getByText('Raw data').click();
  await expectAccessible(page, 'details');
  await page.setViewportSize(SIZES.phone);
  expect(await page.getByRole('dialog').evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0);
});
