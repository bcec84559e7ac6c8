import { setRule } from '@steward/server/testing/workspace/retention.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';

const PATH = '/dashboard/team_settings/team';

test.beforeEach(async ({ page, node, team }) => {
  await node.db.updateTable('teams').set({ time_zone: 'UTC' }).where('id', '=', team.id).execute();
  await signIn(page, { node }, team.owner);
});

test('an owner renames the team, finds a time zone by typing, sees what it changes, and saves it', async ({
  page,
  node,
  team,
}) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Name and Time Zone' }).click();
  await expect(page).toHaveURL(PATH);
  const name = page.getByLabel('Company or team name');
  await expect(name).toHaveValue('Northwind');
  await name.fill('  Northwind   Traders ');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status').getByText('Saved Successfully')).toBeVisible();
  await expect(name).toHaveValue('Northwind Traders');
  await expect(page.getByRole('banner')).toContainText('Northwind Traders');

  await setRule(node, team.id, 'archived_notes', { value: 1, duration: { count: 30, period: 'd' } });
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await expect(zone).toHaveValue('UTC');
  await zone.click();
  await expect(page.getByRole('option', { name: /Berlin, Europe/ })).toBeAttached();
  await picture(page, 'team-settings-zones');
  await zone.fill('tokyo');
  await expect(page.getByRole('option')).toHaveText(['Tokyo, Asia (UTC+09:00)']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(zone).toHaveValue('Tokyo, Asia (UTC+09:00)');
  const changes = page.getByRole('region', { name: 'What this changes' });
  await expect(changes.getByRole('row', { name: /Next nightly run/ })).toContainText('2:00 AM UTC');
  await expect(changes.getByRole('row', { name: /Next nightly run/ })).toContainText(/2:00 AM GMT\+9/);
  await expect(changes.getByRole('row', { name: /Archived notes: deletes what is older than/ })).toContainText(
    /hours (earlier|later)/,
  );
  await picture(page, 'team-settings');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(changes).toHaveCount(0);
  await page.reload();
  await expect(zone).toHaveValue('Tokyo, Asia (UTC+09:00)');

  await page.getByRole('link', { name: 'History' }).click();
  await page
    .getByRole('row', { name: /Changed name or time zone of the team/ })
    .last()
    .getByRole('button')
    .first()
    .click();
  const details = page.getByRole('dialog');
  await expect(details).toContainText('Northwind');
  await expect(details).toContainText('Northwind Traders');
});
