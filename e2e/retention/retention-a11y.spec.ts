import { runNow, setRule } from '@steward/server/testing/workspace/retention.ts';
import { expect, type Given, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { getSetting, limit, openForm, runRows, saveButton, saveQuestion, seedAgedRecords } from './retention-screen.ts';

/** Adds rules, items that they apply to, and runs in several states. */
async function seedRetention({ node, team }: Given): Promise<void> {
  await seedAgedRecords({ node, team }, 'files', [1, 100, 200]);
  await setRule(node, team.id, 'files', { value: 1, duration: { count: 90, period: 'd' } });
  await setRule(node, team.id, 'voicemails', { value: 1, duration: { count: 1, period: 'y' } });
  await runNow(node, team.id);
  await node.db
    .updateTable('retention_runs')
    .set({ state: 'failed', note: 'The database went away.' })
    .where('kind', '=', 'voicemails')
    .execute();
  await seedAgedRecords({ node, team }, 'files', [300]);
}

test('axe finds nothing on the retention overview and on a form, in each state', async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  await seedRetention({ node, team });
  await page.goto('/dashboard/team_settings/retention');
  await expect(runRows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByRole('dialog').getByRole('table')).toBeVisible();
  await expectAccessible(page, 'run now');
  await page.keyboard.press('Escape');
  await page.getByText('Show by night').click();
  await page.getByText('Show by kind').click();
  await expectAccessible(page, 'forecast');
  await page.getByRole('button', { name: 'Change time' }).click();
  await expect(page.getByRole('dialog').getByLabel('Days')).toBeFocused();
  await picture(page, 'retention-recovery-time');
  await expectAccessible(page, 'the time to restore');
  await page.keyboard.press('Escape');

  await openForm(page, 'file_retention');
  await expect(page.getByText('Stored now')).toBeVisible();
  await page.getByLabel(/mark files deleted/).check();
  await limit(getSetting(page, 'Files'), '12abc');
  await saveButton(page).click();
  await expect(page.getByText("isn't a number")).toBeVisible();
  await expectAccessible(page, 'form, wrong');
  await page.getByLabel('Count').fill('30');
  await saveButton(page).click();
  await expect(saveQuestion(page)).toContainText('24 hours from now');
  await expectAccessible(page, 'question');
  await saveQuestion(page).getByRole('button', { name: 'Save the rule' }).click();
  await expect(page.getByRole('button', { name: /Cancel this change/ })).toBeVisible();
  await page.getByText('Show as a table').click();
  await page.getByLabel('Count').fill('20');
  await expect(page.getByText('Cutoff if saved')).toBeVisible();
  // The former effect is faded until the new one is counted.
  await expect(page.locator('[role="status"][aria-busy="true"]')).toHaveCount(0);
  await expectAccessible(page, 'waiting, with the ages');
  await page.getByRole('button', { name: 'View these files' }).click();
  await expect(page.getByRole('dialog').getByText('oldest first')).toBeVisible();
  await expectAccessible(page, 'due items');

  await page.route('**/api/v4/admin/teams/*/*retention', () => undefined);
  await page.goto('/dashboard/team_settings/message_retention');
  await expect(page.locator('form, [aria-busy="true"]').first()).toBeVisible();
  await expectAccessible(page, 'skeleton');
});
