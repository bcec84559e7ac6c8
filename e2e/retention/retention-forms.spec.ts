import { setRule } from '@steward/server/testing/workspace/retention.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { getSetting, limit, openForm, saveButton, seedAgedRecords } from './retention-screen.ts';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('the choices for files have the specified texts, and everything is kept by default', async ({ page }) => {
  await openForm(page, 'file_retention');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('File Retention');
  await expect(page.getByLabel('Keep all files forever')).toBeChecked();
  await expect(page.getByLabel('Keep all files, but only for a set duration')).not.toBeChecked();
  await expect(page.getByLabel("Users can't delete files")).toBeChecked();
  await expect(page.getByLabel('Users can mark files deleted and they will be removed after')).not.toBeChecked();
  await expect(page.getByText('All files are kept.')).toBeVisible();
  await expect(page.getByLabel('Count')).toHaveCount(0);
  await expect(saveButton(page)).toBeDisabled();
});

test('the choices for messages have the specified texts, for each kind of channel', async ({ page }) => {
  await openForm(page, 'message_retention');
  for (const title of ['Public channels', 'Private channels', 'Direct messages']) {
    const setting = getSetting(page, title);
    await expect(setting.getByLabel('Keep all messages forever')).toBeChecked();
    await expect(setting.getByLabel('Keep all messages, but only for a set duration')).toBeVisible();
  }
  await expect(page.getByLabel("Users can't delete messages")).toHaveCount(1);
  const direct = getSetting(page, 'Direct messages');
  await expect(direct.getByLabel('Users can mark messages deleted and they will be removed after')).toBeVisible();
  await expect(page.getByText('Files attached to a message stay: they have a rule of their own.')).toBeVisible();
  await picture(page, 'retention-messages');
});

test('the other forms have the same pattern', async ({ page }) => {
  const forms = {
    notes_retention: ['archived notes'],
    tasks_retention: ['completed tasks'],
    meeting_retention: ['meeting history', 'meeting recordings'],
    voice_retention: ['call history', 'call recordings', 'voicemails', 'communication history'],
  };
  for (const [name, things] of Object.entries(forms)) {
    await openForm(page, name);
    for (const all of things) {
      await expect(page.getByLabel(`Keep all ${all} forever`)).toBeChecked();
      await expect(page.getByLabel(`Keep all ${all}, but only for a set duration`)).toBeVisible();
    }
    await expect(page.getByRole('radio')).toHaveCount(2 * things.length);
  }
});

test('a duration is required only where one applies', async ({ page }) => {
  await openForm(page, 'message_retention');
  const direct = getSetting(page, 'Direct messages');
  await direct.getByLabel(/mark messages deleted/).check();
  await expect(direct.getByLabel('Count')).toBeVisible();
  await expect(direct.getByLabel('Period').locator('option')).toHaveText(['Days', 'Months', 'Years']);
  await direct.getByLabel(/only for a set duration/).check();
  await expect(direct.getByLabel(/mark messages deleted/)).toHaveCount(0);
  await expect(direct.getByLabel('Count')).toHaveCount(1);
  await direct.getByLabel('Keep all messages forever').check();
  await direct.getByLabel("Users can't delete messages").check();
  await expect(page.getByLabel('Count')).toHaveCount(0);

  await openForm(page, 'file_retention');
  await page.getByLabel(/mark files deleted/).check();
  await expect(page.getByLabel('Count')).toBeVisible();
  await limit(getSetting(page, 'Files'), '90');
  await expect(page.getByLabel('Count')).toHaveCount(1);
  await expect(
    page.getByText('permanently deleted with all other files, 90 days after they were created'),
  ).toBeVisible();
});

test('an invalid count is explained at the field, and nothing is sent', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await openForm(page, 'notes_retention');
  const setting = getSetting(page, 'Archived notes');
  await limit(setting, '');
  await saveButton(page).click();
  const count = setting.getByLabel('Count');
  await expect(count).toBeFocused();
  await expect(count).toHaveAttribute('aria-invalid', 'true');
  await expect(count).toHaveAccessibleDescription(/Enter a whole number from 1 to 999/);
  const faults = {
    '12abc': "“12abc” isn't a number. Enter a whole number from 1 to 999.",
    '1.5': "1.5 isn't a whole number.",
    '0': '0 is too low. The minimum is 1.',
    '1000': '1000 is too high. The maximum is 999.',
  };
  for (const [typed, fault] of Object.entries(faults)) {
    await count.fill(typed);
    await count.press('Enter');
    await expect(setting.getByRole('alert')).toContainText(fault);
  }
  expect(sent.filter((url) => url.includes('retention'))).toEqual([]);
  await count.fill('999');
  await expect(setting.getByRole('alert')).toHaveCount(0);
});

test('Save is disabled until something changed, and Reset restores the saved rule', async ({ page, node, team }) => {
  await setRule(node, team.id, 'completed_tasks', { value: 1, duration: { count: 6, period: 'm' } });
  await openForm(page, 'tasks_retention');
  const setting = getSetting(page, 'Completed tasks');
  await expect(setting.getByLabel('Count')).toHaveValue('6');
  await expect(setting.getByLabel('Period')).toHaveValue('m');
  await setting.getByLabel('Count').fill('7');
  await expect(saveButton(page)).toBeEnabled();
  await setting.getByLabel('Count').fill('6');
  await expect(saveButton(page)).toBeDisabled();
  await setting.getByLabel('Keep all completed tasks forever').check();
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(setting.getByLabel('Count')).toHaveValue('6');
  await expect(saveButton(page)).toBeFocused();
  await expect(saveButton(page)).toBeDisabled();
});

test('the panel beside a setting shows what it deletes and what is stored', async ({ page, node, team }) => {
  await node.db.updateTable('teams').set({ time_zone: 'Pacific/Auckland' }).where('id', '=', team.id).execute();
  await setRule(node, team.id, 'voicemails', { value: 1, duration: { count: 30, period: 'd' } });
  await seedAgedRecords({ node, team }, 'voicemails', [1, 10, 100]);
  await openForm(page, 'voice_retention');
  const setting = getSetting(page, 'Voicemails');
  await expect(setting).toContainText(/Voicemails received before \w+ \d+, \d{4} \(Pacific\/Auckland\) are deleted/);
  await expect(setting).toContainText('3 voicemails, 1.5 MB');
  await expect(setting).toContainText('Due for deletion1, 500 KB');
  await expect(setting).toContainText('Last runNever');
  const next = setting.locator('dt', { hasText: 'Next run' }).locator('xpath=following-sibling::dd').locator('time');
  await expect(next).toHaveAttribute('title', /T\d\d:00:00.000Z$/);
  await expect(getSetting(page, 'Call history')).toContainText('Next runNot scheduled');
});

test('a form can be edited while stored items are being counted', async ({ page, trouble }) => {
  trouble.expect(/status of 503/);
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const refusal = { status_code: 500, message: 'Too much.', id: 'server.failed', request_id: 'x' };
  await page.route('**/retention/stored*', async (route) => {
    await held;
    await route.fulfill({ status: 500, json: refusal });
  });
  trouble.expect(/status of 500/);
  await openForm(page, 'notes_retention');
  await limit(getSetting(page, 'Archived notes'), '5', 'Years');
  await expect(saveButton(page)).toBeEnabled();
  answer();
  await expect(page.getByText("Couldn't load stored items.")).toBeVisible();
  await page.unroute('**/retention/stored*');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('Stored now')).toBeVisible();
  await expect(page.getByLabel('Count')).toHaveValue('5');
});

test('rules that fail to load show the error and can be retried', async ({ page, trouble }) => {
  trouble.expect(/ERR_FAILED/);
  await page.route('**/file_retention', (route) =>
    route.request().resourceType() === 'document' ? route.continue() : route.abort(),
  );
  await page.goto('/dashboard/team_settings/file_retention');
  await expect(page.getByRole('heading', { name: 'An Error Occurred!' })).toBeVisible();
  await page.unroute('**/file_retention');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByLabel('Keep all files forever')).toBeVisible();
});

test('an unreadable stored rule deletes nothing, says so, and can be saved again', async ({ page, node, team }) => {
  await setRule(node, team.id, 'archived_notes', { value: 1, duration: { count: 9, period: 'd' } });
  await node.db
    .updateTable('retention_policies')
    .set({ rule: JSON.stringify({ value: 1, duration: { count: 0, period: 'w' } }) })
    .where('team_id', '=', team.id)
    .execute();
  await openForm(page, 'notes_retention');
  const sentence = page.getByText(
    "No archived notes are deleted because the stored rule can't be read. Save it again.",
  );
  await expect(sentence).toBeVisible();
  await page.getByLabel('Keep all archived notes forever').check();
  await saveButton(page).click();
  await expect(page.getByText('Saved Successfully')).toBeVisible();
  await expect(page.getByText('All archived notes are kept.')).toBeVisible();
  await expect(sentence).toHaveCount(0);
});
