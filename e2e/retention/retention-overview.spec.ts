import { runNow, setRule } from '@steward/server/testing/workspace/retention.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import {
  getSetting,
  limit,
  openForm,
  overviewRow,
  runRows,
  saveStricterRule,
  seedAgedRecords,
} from './retention-screen.ts';

const PATH = '/dashboard/team_settings/retention';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('the overview lists all twelve kinds with links to their forms', async ({ page }) => {
  await page.goto(PATH);
  const rows = page.getByRole('table', { name: 'Retention rules' }).getByRole('row');
  await expect(rows).toHaveCount(14);
  await expect(rows.last()).toContainText('Total');
  await expect(page.getByRole('heading', { name: 'No runs yet' })).toBeVisible();
  await overviewRow(page, 'Voicemails').getByRole('link').click();
  await expect(page).toHaveURL('/dashboard/team_settings/voice_retention');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Voice Retention');
});

test('the sidebar lists the forms under Retention and marks the current one', async ({ page }) => {
  await page.goto('/users/users');
  const main = page.getByRole('navigation', { name: 'Main' });
  await expect(main.getByRole('link', { name: 'Retention' })).toBeVisible();
  await expect(main.getByRole('link', { name: 'Tasks' })).toHaveCount(0);
  await main.getByRole('link', { name: 'Retention' }).click();
  await expect(main.locator('[aria-current="page"]')).toHaveText(['Retention']);
  await main.getByRole('link', { name: 'Tasks' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tasks Retention');
  await expect(main.locator('[aria-current="page"]')).toHaveText(['Tasks']);
});

test('a row shows the rule, its cutoff, what is stored and what is due for deletion', async ({ page, node, team }) => {
  await setRule(node, team.id, 'files', { value: 1, duration: { count: 90, period: 'd' } });
  await seedAgedRecords({ node, team }, 'files', [1, 100, 200]);
  await page.goto(PATH);
  const cells = overviewRow(page, 'Files').getByRole('cell');
  await expect(cells.nth(1)).toHaveText('Keep 90 days');
  await expect(cells.nth(2)).toHaveText(/^\w+ \d+, \d{4} \(UTC\)$/);
  await expect(cells.nth(3)).toHaveText('31.5 MB');
  await expect(cells.nth(4)).toHaveText('21 MB');
  await expect(cells.nth(5)).toHaveText('Never');
  await expect(overviewRow(page, 'Archived notes')).toContainText('Keep foreverAll time00Never');
});

test('a scheduled rule is shown below the current one', async ({ page }) => {
  await openForm(page, 'notes_retention');
  await limit(getSetting(page, 'Archived notes'), '30');
  await saveStricterRule(page);
  await page.getByRole('link', { name: 'Retention', exact: true }).click();
  await expect(overviewRow(page, 'Archived notes')).toContainText(/Keep foreverKeep 30 days from \w+ \d+/);
});

test('Run now lists what is due, deletes it, and adds it to the history', async ({ page, node, team }) => {
  await setRule(node, team.id, 'files', { value: 1, duration: { count: 90, period: 'd' } });
  await seedAgedRecords({ node, team }, 'files', [1, 100, 200]);
  await page.goto(PATH);
  await page.getByRole('button', { name: 'Run now' }).click();
  const question = page.getByRole('dialog', { name: 'Run now' });
  await expect(question.getByRole('table')).toContainText('Files2 files1 MB');
  await picture(page, 'retention-run-now');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(page.getByRole('button', { name: 'Run now' })).toBeFocused();
  await page.keyboard.press('Enter');
  await question.getByRole('button', { name: 'Delete now' }).click();
  await expect(page.getByText('The run has started.')).toBeVisible();
  const run = runRows(page).filter({ hasText: 'Finished' });
  await expect(run).toHaveCount(1);
  await expect(run).toContainText('Olivia Owner');
  const cell = (header: string) => run.locator(`[data-label="${header}"]`);
  await expect(cell('Kind')).toHaveText('Files');
  await expect(cell('Deleted')).toHaveText('21 MB');
  await expect(cell('Checked')).toHaveText('2');
  await expect(cell('Failed')).toHaveText('0');
  await expect(overviewRow(page, 'Files').getByRole('cell').nth(4)).toHaveText('0');
  await expect(overviewRow(page, 'Files')).toContainText('Finished2 deleted');
  await picture(page, 'retention');
});

test('Run now says when nothing is due, and when no rule deletes anything', async ({ page, node, team }) => {
  await page.goto(PATH);
  const question = page.getByRole('dialog', { name: 'Run now' });
  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(question).toContainText('Every rule keeps everything, so there is nothing to run.');
  await question.getByRole('button', { name: 'Close' }).click();
  await setRule(node, team.id, 'files', { value: 1, duration: { count: 90, period: 'd' } });
  await page.reload();
  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(question).toContainText('Nothing is due for deletion.');
  await question.getByRole('button', { name: 'Run anyway' }).click();
  await expect(runRows(page).filter({ hasText: 'Finished' })).toHaveCount(1);
});

test('a running run shows its progress until it has ended', async ({ page, node, team }) => {
  await setRule(node, team.id, 'files', { value: 1, duration: { count: 90, period: 'd' } });
  /** Number of items that the run has checked; undefined once it has ended. */
  let scanned: number | undefined = 12_001;
  const run = {
    id: 'r'.repeat(26),
    kind: 'files',
    ...{ started_by: '', started_by_name: 'Nightly run', started_at: Date.now(), ended_at: 0, cutoff: 1 },
    ...{ deleted: 11_999, bytes: 5_000_000, failed: 1, state: 'running', note: '' },
  };
  await page.route('**/admin/teams/*/retention', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    if (scanned !== undefined) answer.kinds[0].running = { ...run, scanned };
    await route.fulfill({ json: answer });
  });
  await page.goto(PATH);
  const notice = page.getByText('Retention is running in the background.');
  await expect(notice).toBeVisible();
  await expect(page.getByText('Files: 12,001 checked, 11,999 deleted (5 MB)')).toBeVisible();
  scanned = 12_002;
  await expect(page.getByText('Files: 12,002 checked, 11,999 deleted (5 MB)')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run now' })).toBeDisabled();
  scanned = undefined;
  await expect(notice).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Run now' })).toBeEnabled();
});

test('the history can be filtered by kind and loads more on request', async ({ page, node, team }) => {
  await setRule(node, team.id, 'files', { value: 1, duration: { count: 90, period: 'd' } });
  await setRule(node, team.id, 'voicemails', { value: 1, duration: { count: 90, period: 'd' } });
  for (let time = 0; time < 14; time += 1) await runNow(node, team.id);
  await page.goto(PATH);
  await expect(runRows(page)).toHaveCount(25);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(runRows(page)).toHaveCount(28);
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0);
  await page.getByLabel('Kind').selectOption('Voicemails');
  await expect(runRows(page)).toHaveCount(14);
  await page.getByLabel('Kind').selectOption('Call history');
  await expect(page.getByText('There are no runs for this kind.')).toBeVisible();
});

test('the reason for an early end is shown below the status', async ({ page, node, team }) => {
  await setRule(node, team.id, 'files', { value: 1, duration: { count: 90, period: 'd' } });
  await runNow(node, team.id);
  await node.db
    .updateTable('retention_runs')
    .set({
      state: 'refused',
      note: 'The server and database clocks differ by 6 minutes. Nothing was deleted; correct the clocks first.',
      failed: 3,
    })
    .where('team_id', '=', team.id)
    .execute();
  await page.goto(PATH);
  await expect(runRows(page)).toContainText(
    'SkippedThe server and database clocks differ by 6 minutes. Nothing was deleted; correct the clocks first.',
  );
  await expect(runRows(page).locator('[data-label="Failed"]')).toHaveText('3');
});
