import type { Locator, Page } from '@playwright/test';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { saveRoles } from '@steward/server/src/workspace/users/memberships.store.ts';
import type { TestApp } from '@steward/server/testing/app/start-app.ts';
import { channel, message } from '@steward/server/testing/workspace/content.ts';
import { ROLES, user } from '@steward/server/testing/workspace/factories.ts';
import { getIds, runNow, setRule } from '@steward/server/testing/workspace/retention.ts';
import { download, expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { holdCalls } from '../users/users-screen.ts';
import {
  getSetting,
  limit,
  openForm,
  runRows,
  saveButton,
  saveQuestion,
  saveStricterRule,
  seedAgedRecords,
} from './retention-screen.ts';

/** The change looks as if an owner had made it elsewhere. */
async function setAccountKind(
  node: TestApp,
  { teamId, userId, kind }: { teamId: string; userId: string; kind: keyof typeof ROLES },
): Promise<void> {
  await inTransaction(node.db, (trx) => saveRoles(trx, { teamId, userId, roles: ROLES[kind] }));
}

function overviewRow(page: Page, title: string): Locator {
  return page
    .getByRole('table', { name: 'Retention rules' })
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: title, exact: true }) });
}

const OVERVIEW = '/dashboard/team_settings/retention';
const HOLDS = '/dashboard/team_settings/holds';
const A_YEAR = { value: 1 as const, duration: { count: 1, period: 'y' as const } };
const days = (count: number) => ({ value: 1 as const, duration: { count, period: 'd' as const } });

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('a stricter rule is counted, confirmed, scheduled and canceled', async ({ page, node, team }) => {
  await setRule(node, team.id, 'direct_messages', A_YEAR);
  await seedAgedRecords({ node, team }, 'public_channels', [1, 100, 200]);
  await openForm(page, 'message_retention');
  await picture(page, 'retention-messages');
  await limit(getSetting(page, 'Public channels'), '90');
  await expect(page.getByText(/^If saved, 2 messages/)).toBeVisible();
  await saveButton(page).click();
  await expect(saveQuestion(page)).toContainText('Public channels2 messages, 24 bytes');
  await picture(page, 'retention-question');
  await saveQuestion(page).getByRole('button', { name: 'Save the rule' }).click();
  await expect(page.getByText('Saved Successfully')).toBeVisible();
  const setting = getSetting(page, 'Public channels');
  await expect(setting).toContainText(/From .+: .+ 90 days after .+ Until then: All messages .* are kept\./);
  await picture(page, 'retention-waiting');
  await page.getByRole('button', { name: 'Cancel this change: Public channels' }).click();
  await expect(setting.getByLabel('Keep all messages forever')).toBeChecked();
  await getSetting(page, 'Direct messages').getByLabel('Count').fill('2');
  await saveButton(page).click();
  await expect(saveButton(page)).toBeDisabled();
  await page.reload();
  await expect(getSetting(page, 'Direct messages').getByLabel('Count')).toHaveValue('2');
});

test('what is due is deleted by Run now, and restored by an owner', async ({ page, node, team }) => {
  await setRule(node, team.id, 'files', days(90));
  await seedAgedRecords({ node, team }, 'files', [1, 100, 200]);
  await page.goto(OVERVIEW);
  await expect(overviewRow(page, 'Files').getByRole('cell').nth(4)).toHaveText('21 MB');
  await page.getByRole('button', { name: 'Run now' }).click();
  const question = page.getByRole('dialog', { name: 'Run now' });
  await expect(question.getByRole('table')).toContainText('Files2 files1 MB');
  await picture(page, 'retention-run-now');
  await question.getByRole('button', { name: 'Delete now' }).click();
  await expect(runRows(page).filter({ hasText: 'Finished' })).toHaveCount(1);
  await expect(overviewRow(page, 'Files')).toContainText('Finished2 deleted');
  await picture(page, 'retention');
  expect((await getIds(node, team.id)).size).toBe(1);
  const section = page.getByRole('region', { name: 'Recoverable' });
  await section.scrollIntoViewIfNeeded();
  await picture(page, 'retention-recoverable');
  await section.getByRole('button', { name: 'Restore Files' }).click();
  await page.getByRole('dialog', { name: 'Restore' }).getByRole('button', { name: 'Restore' }).click();
  await expect(section).toContainText('There is nothing to restore now.');
  await expect(page.getByRole('region', { name: 'Legal holds' })).toContainText('Restored files');
  await expect(page.getByRole('region', { name: 'Run history' })).toContainText('2 restored');
  expect((await getIds(node, team.id)).size).toBe(3);
});

test('the forecast, the chart and the list of due items agree, and the list is downloaded', async ({
  page,
  node,
  team,
}) => {
  await seedAgedRecords({ node, team }, 'files', [1, 80, 85, 100, 200]);
  await setRule(node, team.id, 'files', { ...days(90), canmark: 0 });
  await page.goto(OVERVIEW);
  const forecast = page.getByRole('region', { name: 'Forecast' });
  await expect(forecast).toContainText('In the next 30 nights, 4 items (2 MB) of what is stored now will be deleted.');
  await forecast.getByRole('slider').focus();
  await page.keyboard.press('Home');
  await expect(forecast.getByRole('slider')).toHaveAttribute('aria-valuetext', /: 2 items, 1 MB$/);
  await picture(page, 'retention-forecast');
  await openForm(page, 'file_retention');
  await expect(page.getByRole('figure', { name: 'Files by age' }).getByText('Current cutoff')).toBeVisible();
  await picture(page, 'retention-ages');
  await page.getByRole('button', { name: 'View these files' }).click();
  const dialog = page.getByRole('dialog', { name: 'Due for deletion: files' });
  await expect(dialog.getByRole('table', { name: 'Due files' }).getByRole('row')).toHaveCount(3);
  await picture(page, 'retention-items');
  const { name, text } = await download(page, dialog.getByRole('button', { name: 'Download CSV' }));
  expect(name).toBe('steward-due-files.csv');
  expect(text.trimEnd().split('\r\n')).toHaveLength(3);
});

test('an owner holds a user’s content, exports it, releases the hold, and cancels the release', async ({
  page,
  node,
  team,
}) => {
  const max = await user(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  const offers = await channel(node, team.id, { displayName: 'Offers' });
  const kept = await message(node, team.id, { channel: offers, userId: max.id, text: 'The offer' });
  await setRule(node, team.id, 'public_channels', A_YEAR);
  await page.goto(HOLDS);
  await page.locator('#main').getByRole('button', { name: 'Create Hold', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Create Legal Hold' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Northwind v. Contoso');
  await form.getByLabel('Reason').fill('Claim of March 2');
  for (const [field, text, name] of [
    ['Users', 'max', 'Max Member'],
    ['Channels', 'offers', 'Offers'],
  ] as const) {
    await form.getByRole('combobox', { name: field }).fill(text);
    await page.getByRole('option', { name }).click();
  }
  await picture(page, 'holds-create');
  await expectAccessible(page, 'creating a hold');
  await form.getByRole('button', { name: 'Create Hold' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Northwind v. Contoso' });
  await expect(row.locator('[data-label="Covers"]')).toHaveText(/Max Member\s*Offers/);
  await expect(row.locator('[data-label="Held"]')).toHaveText(/1\s*9 bytes/);
  await expectAccessible(page, 'legal holds');
  await picture(page, 'holds');
  const [run] = await runNow(node, team.id);
  expect([run?.deleted, run?.held]).toEqual([0, 1]);

  await row.getByRole('button', { name: 'Export Northwind v. Contoso' }).click();
  const exporting = page.getByRole('dialog', { name: 'Export Legal Hold' });
  await exporting.getByLabel('Reason').fill('Request of the court');
  await exporting.getByRole('button', { name: 'Start export' }).click();
  const link = row.getByRole('link', { name: 'Download the export of Northwind v. Contoso' });
  const { name, bytes } = await download(page, link);
  expect(bytes.includes(kept)).toBe(false);
  expect(name).toBe('legal-hold.zip');

  await row.getByRole('button', { name: 'Release Northwind v. Contoso' }).click();
  const release = page.getByRole('dialog', { name: 'Release Legal Hold' });
  await expect(release.getByLabel('Reason')).toBeFocused();
  await expectAccessible(page, 'releasing a hold');
  await release.getByLabel('Reason').fill('Settled');
  await release.getByRole('button', { name: 'Release' }).click();
  await expect(row).toContainText('Ends soon');
  await row.getByRole('button', { name: 'Keep Northwind v. Contoso' }).click();
  await page.getByRole('dialog', { name: 'Edit Legal Hold' }).getByRole('button', { name: 'Save and Keep' }).click();
  await expect(row).toContainText('Active');
  await page.goto(`/users/users/${max.id}`);
  await page.getByRole('dialog').getByRole('link', { name: 'Northwind v. Contoso' }).click();
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Northwind v. Contoso' })).toHaveText([
    /Changed a legal hold/,
    /Released a legal hold/,
    /Export of a legal hold ended/,
    /Exported a legal hold/,
    /Created a legal hold/,
  ]);
});

test('what is due moves nothing, and unsaved changes are asked about unless the user is no longer an admin', async ({
  page,
  node,
  team,
  trouble,
  context,
}) => {
  trouble.expect(/status of 403/);
  await seedAgedRecords({ node, team }, 'public_channels', [100]);
  await setRule(node, team.id, 'public_channels', days(90));
  const release = await holdCalls(page, '**/retention/stored?*');
  await openForm(page, 'message_retention');
  await expect(page.getByRole('figure')).toHaveCount(1);
  const getTop = async () => Math.round((await getSetting(page, 'Private channels').boundingBox())?.y ?? 0);
  const before = await getTop();
  release();
  await expect(page.getByRole('button', { name: 'View these messages' })).toBeVisible();
  expect(await getTop()).toBe(before);

  const tab = await context.newPage();
  await openForm(tab, 'file_retention');
  await tab.getByLabel(/only for a set duration/).check();
  const prompt = tab.waitForEvent('dialog');
  const closing = tab.close({ runBeforeUnload: true });
  const dialog = await prompt;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.accept();
  await closing;

  await openForm(page, 'notes_retention');
  await limit(getSetting(page, 'Archived notes'), '90');
  await setAccountKind(node, { teamId: team.id, userId: team.owner.id, kind: 'member' });
  await saveButton(page).click();
  await expect(page).toHaveURL('/permission_error');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  async function isWider(page: Page): Promise<boolean> {
    return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  }

  test('the forms are reached from the drawer, small buttons are high enough, and nothing scrolls sideways', async ({
    page,
    node,
    team,
  }) => {
    await seedAgedRecords({ node, team }, 'voicemails', [500]);
    await setRule(node, team.id, 'voicemails', A_YEAR);
    await runNow(node, team.id);
    await seedAgedRecords({ node, team }, 'voicemails', [600]);
    const expectHigh = async (button: Locator) => {
      await expect(button).toBeVisible();
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    };
    await page.goto(OVERVIEW);
    const section = page.getByRole('region', { name: 'Recoverable' });
    await expectHigh(section.getByRole('button', { name: 'Change time' }));
    await section.getByRole('listitem').click();
    await expectHigh(section.getByRole('button', { name: 'Restore Voicemails' }));
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Voice', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Voice Retention');
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeHidden();
    await expectHigh(page.getByRole('button', { name: 'View these voicemails' }));
    await expectHigh(page.getByRole('button', { name: '90 days' }));
    await limit(getSetting(page, 'Call recordings'), '30');
    await saveStricterRule(page);
    expect(await isWider(page)).toBe(false);
  });
});
