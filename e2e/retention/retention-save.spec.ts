import { setRule } from '@steward/server/testing/workspace/retention.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { setAccountKind } from '../browser/team-members.ts';
import { holdCalls } from '../users/users-screen.ts';
import {
  getSetting,
  limit,
  openForm,
  saveButton,
  saveQuestion,
  saveStricterRule,
  seedAgedRecords,
} from './retention-screen.ts';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('a longer rule is saved immediately, without confirmation', async ({ page, node, team }) => {
  await setRule(node, team.id, 'archived_notes', { value: 1, duration: { count: 30, period: 'd' } });
  await openForm(page, 'notes_retention');
  await page.getByLabel('Count').fill('60');
  await saveButton(page).click();
  await expect(page.getByRole('status').getByText('Saved Successfully')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(saveButton(page)).toBeDisabled();
  await expect(saveButton(page)).toBeFocused();
  await page.reload();
  await expect(page.getByLabel('Count')).toHaveValue('60');
  await expect(page.getByText('Cancel this change')).toHaveCount(0);
});

test('a less strict rule in other calendar units is saved without confirmation', async ({ page, node, team }) => {
  await setRule(node, team.id, 'archived_notes', { value: 1, duration: { count: 30, period: 'd' } });
  await openForm(page, 'notes_retention');
  await limit(getSetting(page, 'Archived notes'), '2', 'Months');
  await saveButton(page).click();
  await expect(page.getByText('Saved Successfully')).toBeVisible();
  await expect(saveQuestion(page)).toHaveCount(0);
});

test('a stricter rule is confirmed with what it would delete and when, and Cancel has the focus', async ({
  page,
  node,
  team,
}) => {
  await seedAgedRecords({ node, team }, 'public_channels', [1, 100, 200]);
  await seedAgedRecords({ node, team }, 'direct_messages', [400]);
  await openForm(page, 'message_retention');
  await limit(getSetting(page, 'Public channels'), '90');
  await limit(getSetting(page, 'Private channels'), '1', 'Years');
  await saveButton(page).click();
  const question = saveQuestion(page);
  const [shown, none] = [question.getByRole('listitem').first(), question.getByRole('listitem').last()];
  await expect(shown).toContainText('Public channels2 messages, 24 bytes');
  await expect(shown.locator('dt')).toHaveText(['Everything before', 'Oldest', 'Newest']);
  await expect(none).toContainText('Private channelsNo messages would be deleted now');
  await expect(question.getByRole('listitem')).toHaveCount(2);
  await expect(question).toContainText('24 hours from now');
  await expect(question).toContainText('An owner can restore what is deleted for 7 days');
  await expect(question).toContainText('You can cancel this change on this page');
  await expect(question).toContainText(
    'Files attached to a message stay: they have a rule of their own. Replies to a message stay',
  );
  await picture(page, 'retention-question');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(saveButton(page)).toBeFocused();
  await expect(getSetting(page, 'Public channels').getByLabel('Count')).toHaveValue('90');
  await page.reload();
  await expect(getSetting(page, 'Public channels').getByLabel('Keep all messages forever')).toBeChecked();
});

test('a stricter rule is scheduled, and can be canceled', async ({ page, node, team }) => {
  await setRule(node, team.id, 'call_history', { value: 1, duration: { count: 1, period: 'y' } });
  await openForm(page, 'voice_retention');
  const calls = getSetting(page, 'Call history');
  await limit(calls, '30');
  await limit(getSetting(page, 'Voicemails'), '90');
  await saveStricterRule(page);
  await expect(page.getByText('Saved Successfully')).toBeVisible();
  await expect(calls).toContainText(/From .+: Calls are deleted 30 days after they end\. Until then: Calls are/);
  await expect(getSetting(page, 'Voicemails')).toContainText('Until then: All voicemails are kept.');
  await expect(getSetting(page, 'Voicemails')).toContainText('Next runAfter the rule takes effect');
  await picture(page, 'retention-waiting');
  await getSetting(page, 'Call recordings')
    .getByLabel(/only for a set/)
    .check();
  await page.getByRole('button', { name: 'Cancel this change: Call history' }).click();
  await expect(calls.getByLabel('Count')).toHaveValue('1');
  await expect(calls).not.toContainText('Cancel this change');
  await expect(calls.getByRole('radio', { checked: true })).toBeFocused();
  // Input in other settings is kept, and other scheduled rules stay scheduled.
  await expect(getSetting(page, 'Call recordings').getByLabel('Count')).toBeVisible();
  await expect(getSetting(page, 'Voicemails').getByRole('button', { name: /Cancel this change/ })).toBeVisible();
});

test('a scheduled rule is not confirmed again when another setting is saved', async ({ page }) => {
  await openForm(page, 'meeting_retention');
  await limit(getSetting(page, 'Meeting history'), '30');
  await saveStricterRule(page);
  const notice = getSetting(page, 'Meeting history').getByText(/^From /);
  const begins = await notice.textContent();
  await limit(getSetting(page, 'Meeting recordings'), '60');
  await saveButton(page).click();
  await expect(saveQuestion(page).getByRole('listitem')).toHaveCount(1);
  await expect(saveQuestion(page)).toContainText('Meeting recordings');
  await saveQuestion(page).getByRole('button', { name: 'Save the rule' }).click();
  await expect(getSetting(page, 'Meeting recordings').getByText(/^From /)).toBeVisible();
  await expect(notice).toHaveText(begins ?? '');
});

test('a long count is shown, and can be canceled', async ({ page }) => {
  const saved: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && saved.push(new URL(request.url()).pathname));
  await openForm(page, 'notes_retention');
  await limit(getSetting(page, 'Archived notes'), '90');
  const release = await holdCalls(page, '**/retention/preview');
  await saveButton(page).click();
  const question = saveQuestion(page);
  await expect(question).toContainText('Counting what this rule would delete…');
  await expect(question.getByRole('button', { name: 'Save the rule' })).toBeDisabled();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await expect(saveButton(page)).toBeEnabled();
  release();
  expect(saved.filter((path) => path.endsWith('note_retention'))).toEqual([]);
});

test('rules that couldn’t be counted are not saved, and can be counted again', async ({ page, trouble }) => {
  trouble.expect(/ERR_FAILED/);
  await openForm(page, 'notes_retention');
  await limit(getSetting(page, 'Archived notes'), '90');
  await page.route('**/retention/preview', (route) => route.abort());
  await saveButton(page).click();
  const question = saveQuestion(page);
  await expect(question.getByRole('alert')).toContainText(
    "Couldn't count what this rule would delete: API error Nothing was saved.",
  );
  await expect(question.getByRole('button', { name: 'Save the rule' })).toHaveCount(0);
  await page.unroute('**/retention/preview');
  await question.getByRole('button', { name: 'Retry' }).click();
  await expect(question).toContainText('24 hours from now');
});

test('keeping everything is saved even if nothing can be counted', async ({ page, node, team, trouble }) => {
  trouble.expect(/ERR_FAILED/);
  await setRule(node, team.id, 'archived_notes', { value: 1, duration: { count: 30, period: 'd' } });
  await page.route('**/retention/preview', (route) => route.abort());
  await openForm(page, 'notes_retention');
  await page.getByLabel('Keep all archived notes forever').check();
  await saveButton(page).click();
  await expect(page.getByText('Saved Successfully')).toBeVisible();
});

test('an error while saving is shown in the form, and the input is kept', async ({ page, trouble }) => {
  trouble.expect(/status of 500/);
  const refusal = { status_code: 500, message: 'The database is away.', id: 'server.failed', request_id: 'x' };
  await page.route('**/file_retention', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, json: refusal }) : route.continue(),
  );
  await openForm(page, 'file_retention');
  await page.getByLabel(/mark files deleted/).check();
  await page.getByLabel('Count').fill('30');
  await saveButton(page).click();
  await saveQuestion(page).getByRole('button', { name: 'Save the rule' }).click();
  await expect(page.getByRole('alert')).toContainText('An Error Occurred!');
  await expect(page.getByRole('form').getByText('The database is away.')).toBeVisible();
  await expect(page.getByLabel('Count')).toHaveValue('30');
  await expect(saveButton(page)).toBeEnabled();
});

test('marking files as deleted is saved with its duration, and loaded again', async ({ page }) => {
  await openForm(page, 'file_retention');
  await page.getByLabel(/mark files deleted/).check();
  await page.getByLabel('Count').fill('30');
  await saveStricterRule(page);
  await expect(
    page.getByText(/Files that users mark deleted are removed after 30 days\. All others are kept/),
  ).toBeVisible();
  await page.reload();
  await expect(page.getByLabel(/mark files deleted/)).toBeChecked();
  await expect(page.getByLabel('Keep all files forever')).toBeChecked();
  await expect(page.getByLabel('Count')).toHaveValue('30');
});

test('leaving with unsaved changes asks first', async ({ page }) => {
  await openForm(page, 'file_retention');
  await page.getByLabel(/only for a set duration/).check();
  await page.getByRole('link', { name: 'Messages' }).click();
  const question = page.getByRole('dialog', { name: 'Discard changes' });
  await expect(question).toContainText('Leave without saving?');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/file_retention$/);
  await expect(page.getByLabel(/only for a set duration/)).toBeChecked();
  await page.getByRole('link', { name: 'Messages' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL(/message_retention$/);
  await page.getByRole('link', { name: 'Notes' }).click();
  await expect(page).toHaveURL(/notes_retention$/);
});

test('closing the tab with unsaved changes asks first', async ({ page }) => {
  await openForm(page, 'file_retention');
  await page.getByLabel(/only for a set duration/).check();
  const prompt = page.waitForEvent('dialog');
  const closing = page.close({ runBeforeUnload: true });
  const dialog = await prompt;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.accept();
  await closing;
});

test('a user who is no longer an admin is redirected, even with unsaved changes', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of 403/);
  await openForm(page, 'notes_retention');
  await limit(getSetting(page, 'Archived notes'), '90');
  await setAccountKind(node, { teamId: team.id, personId: team.owner.id, kind: 'member' });
  await saveButton(page).click();
  await expect(page).toHaveURL('/permission_error');
});
