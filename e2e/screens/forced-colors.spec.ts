import type { Page } from '@playwright/test';
import { TIME_SCALE } from '@steward/server/testing/system/time-scale.ts';
import { channel } from '@steward/server/testing/workspace/content.ts';
import { user } from '@steward/server/testing/workspace/factories.ts';
import { helpdesk } from '@steward/server/testing/workspace/integrations.ts';
import { setRule } from '@steward/server/testing/workspace/retention.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { openForm, seedAgedRecords } from '../retention/retention-screen.ts';
import { personRow } from '../users/users-screen.ts';
import { expectAccessibleAtThisSize } from './accessible.ts';

test.use({ forcedColors: 'active' });

test('a selected row, the sorted column, the panel, switches and the charts survive Windows High Contrast', async ({
  page,
  node,
  team,
}) => {
  test.setTimeout(90_000 * TIME_SCALE);
  await user(node, { team: team.id, deactivated: true, first_name: 'Dora', last_name: 'Person' });
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users?deactivated_accounts=1');
  await expect(personRow(page, 'Dora Person')).toContainText('Deactivated');
  const header = (name: string) => page.getByRole('columnheader', { name });
  await expect(header('Name').locator('svg')).toBeVisible();
  await expect(header('Last active').locator('svg')).toHaveCount(0);
  await expectAccessibleAtThisSize(page, 'users with forced colors');
  // A selected row differs by its checkbox, which the system draws.
  await personRow(page, 'Dora Person').getByRole('checkbox').check();
  await expect(personRow(page, 'Dora Person').getByRole('checkbox')).toHaveCSS('appearance', 'auto');
  await expectAccessibleAtThisSize(page, 'a selected row with forced colors');
  await picture(page, 'users-bulk-forced-colors');
  await page.getByRole('link', { name: 'Olivia Owner' }).click();
  await expect(page.getByRole('dialog', { name: 'Olivia Owner' })).toBeVisible();
  await expectAccessibleAtThisSize(page, 'panel with forced colors');

  const ops = await channel(node, team.id, { name: 'ops' });
  await helpdesk(node, team.id, { channels: [ops] });
  await page.goto('/dashboard/triggers');
  await expect(page.getByRole('checkbox', { name: 'Ticket Created' })).toBeVisible();
  await expectAccessibleAtThisSize(page, 'triggers with forced colors');

  await setRule(node, team.id, 'files', { value: 1, duration: { count: 90, period: 'd' } });
  await seedAgedRecords({ node, team }, 'files', [1, 60, 100, 200]);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Retention', exact: true }).click();
  await page.getByText('Show by night').click();
  await expectDrawn(page, ['rect']);
  await expectAccessibleAtThisSize(page, 'forecast, forced colors');
  await openForm(page, 'file_retention');
  await page.getByLabel('Count').fill('30');
  await expect(page.getByText('Cutoff if saved')).toBeVisible();
  await expectDrawn(page, ['rect', 'line']);
  await expectAccessibleAtThisSize(page, 'ages, forced colors');
  await page.getByRole('button', { name: 'View these files' }).click();
  await expect(page.getByRole('dialog').getByText('oldest first')).toBeVisible();
  await expectAccessibleAtThisSize(page, 'due items, forced colors');
});

/** The parts of the chart must differ from the background, and deleted items from remaining ones. */
async function expectDrawn(page: Page, parts: readonly string[]): Promise<void> {
  const colors = await page.getByRole('figure').evaluate((figure, names) => {
    const shapes = [...figure.querySelectorAll<SVGElement>(names.join())];
    const color = (shape: SVGElement) => {
      const { fill, stroke } = getComputedStyle(shape);
      return shape.tagName === 'line' ? stroke : fill;
    };
    return { behind: getComputedStyle(document.body).backgroundColor, shapes: shapes.map(color) };
  }, parts);
  expect(colors.shapes.length).toBeGreaterThan(0);
  expect(colors.shapes).not.toContain(colors.behind);
}
