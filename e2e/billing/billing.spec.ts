import { expect, signIn, test } from '../browser/fixtures.ts';
import { expectAccessible } from '../screens/accessible.ts';

const BASE = '/dashboard/billing';
const SCREENS = [
  ['settings', 'Settings'],
  ['activity_log', 'Activity Log'],
  ['history', 'History'],
  ['payment_method', 'Payment Method'],
  ['change_steward_plan', 'Plan'],
  ['steward_plans', 'All Plans'],
] as const;

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('axe finds nothing on the billing screens', async ({ page }) => {
  for (const [path, title] of SCREENS) {
    await page.goto(`${BASE}/${path}`);
    await expect(page.getByRole('heading', { level: 2, name: title, exact: true })).toBeVisible();
    await expectAccessible(page, path);
  }
});
