import { signedIn } from '@steward/server/testing/workspace/factories.ts';
import { setRule } from '@steward/server/testing/workspace/retention.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';

const PATH = '/dashboard/team_settings/team';

test.beforeEach(async ({ page, node, team }) => {
  await node.db.updateTable('teams').set({ time_zone: 'UTC' }).where('id', '=', team.id).execute();
  await signIn(page, { node }, team.owner);
});

test('an owner renames the team, and the header shows it at once', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Name and Time Zone' }).click();
  await expect(page).toHaveURL(PATH);
  const name = page.getByLabel('Company or team name');
  await expect(name).toHaveValue('Northwind');
  await name.fill(' ');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(name).toHaveAccessibleDescription(/The name is required\./);
  await name.fill('  Northwind   Traders ');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status').getByText('Saved Successfully')).toBeVisible();
  await expect(name).toHaveValue('Northwind Traders');
  await expect(page.getByRole('banner')).toContainText('Northwind Traders');
  await page.getByRole('link', { name: 'History' }).click();
  await page
    .getByRole('row', { name: /Changed name or time zone of the team/ })
    .getByRole('button')
    .first()
    .click();
  const details = page.getByRole('dialog');
  await expect(details).toContainText('Northwind');
  await expect(details).toContainText('Northwind Traders');
});

test('an owner finds a time zone by typing, sees what it changes, and saves it with the keyboard', async ({
  page,
  node,
  team,
}) => {
  await setRule(node, team.id, 'archived_notes', { value: 1, duration: { count: 30, period: 'd' } });
  await page.goto(PATH);
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await expect(zone).toHaveValue('UTC');
  await zone.focus();
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
  await expect(page.getByRole('status').getByText('Saved Successfully')).toBeVisible();
  await expect(changes).toHaveCount(0);
  await page.reload();
  await expect(zone).toHaveValue('Tokyo, Asia (UTC+09:00)');
});

test('the list of time zones opens below the field, and leaving with changes is asked about', async ({ page }) => {
  await page.goto(PATH);
  await page.getByRole('combobox', { name: 'Time zone' }).click();
  await expect(page.getByRole('option', { name: /Berlin, Europe/ })).toBeAttached();
  await picture(page, 'team-settings-zones');
  await page.getByRole('option', { name: /Berlin, Europe/ }).click();
  await page.getByRole('link', { name: 'Default Channels' }).click();
  const question = page.getByRole('dialog', { name: 'Discard changes' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(PATH);
});

test('another admin reads who can change the settings', async ({ page, node, team, another }) => {
  const admin = await signedIn(node, { team: team.id, kind: 'admin' });
  const other = await another();
  await signIn(other, { node }, admin);
  await other.goto(PATH);
  await expect(other.getByText('Only owners can change the name and the time zone')).toBeVisible();
  await expect(page).not.toHaveURL(PATH);
});
