import { readFile } from 'node:fs/promises';
import type { Page, Request } from '@playwright/test';
import { setRule } from '@steward/server/testing/workspace/retention.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible, SIZES } from '../screens/accessible.ts';
import { holdCalls } from '../users/users-screen.ts';
import { getSetting, limit, openForm, saveButton, seedAgedRecords } from './retention-screen.ts';

const OVERVIEW = '/dashboard/team_settings/retention';
const days = (count: number) => ({ value: 1 as const, duration: { count, period: 'd' as const } });

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('while a rule is edited, its effect is shown, and only the last edit is counted', async ({ page, node, team }) => {
  await seedAgedRecords({ node, team }, 'voicemails', [1, 100, 200, 300]);
  await openForm(page, 'voice_retention');
  const setting = getSetting(page, 'Voicemails');
  const bodies: string[] = [];
  page.on(
    'request',
    (request) => request.url().endsWith('/retention/preview') && bodies.push(request.postData() ?? ''),
  );
  await limit(setting, '90');
  const effect = setting.getByRole('status').filter({ hasText: 'If saved' });
  await expect(effect).toContainText('If saved, 3 voicemails (1.5 MB) would be deleted: everything before ');
  bodies.length = 0;
  await setting.getByLabel('Count').fill('');
  await setting.getByLabel('Count').pressSequentially('250');
  await expect(effect).toContainText('If saved, 1 voicemail (500 KB) would be deleted');
  expect(bodies.map((body) => JSON.parse(body).voicemails.duration.count)).toEqual([250]);
  await setting.getByLabel('Count').fill('900');
  await expect(effect).toContainText('If saved, there would be no voicemails to delete now.');
  await setting.getByLabel(/forever$/).check();
  await expect(effect).toHaveCount(0);
  await expect(saveButton(page)).toBeDisabled();
});

test('the chart reads out each month by keyboard, and has the same values in a table', async ({ page, node, team }) => {
  await seedAgedRecords({ node, team }, 'archived_notes', [1, 1, 40, 400]);
  await setRule(node, team.id, 'archived_notes', days(365));
  await openForm(page, 'notes_retention');
  const chart = page.getByRole('figure', { name: 'Archived notes by age' });
  await expect(chart.getByText('Current cutoff')).toBeVisible();
  await expect(chart.getByText('Deleted by the rule')).toBeVisible();
  const values = chart.getByRole('slider');
  await values.focus();
  await expect(values).toHaveAttribute('aria-valuetext', /: 2 notes, 1 MB$/);
  await page.keyboard.press('Home');
  await expect(values).toHaveAttribute('aria-valuetext', /: 1 note, 500 KB$/);
  await expect(chart.getByText(/: 1 note, 500 KB$/)).toBeVisible();
  await page.getByText('Show as a table').click();
  await expect(page.getByRole('table', { name: 'Archived notes by month' }).getByRole('row')).toHaveCount(4);
  await page.getByLabel('Count').fill('30');
  await expect(chart.getByText('Cutoff if saved')).toBeVisible();
  await expect(chart.getByText('Would be deleted')).toBeVisible();
  await picture(page, 'retention-ages');
});

test('common durations are one click away, and one setting can be applied to all messages', async ({ page }) => {
  await openForm(page, 'message_retention');
  const [open, closed, direct] = ['Public channels', 'Private channels', 'Direct messages'].map((title) =>
    getSetting(page, title),
  );
  if (open === undefined || closed === undefined || direct === undefined) throw new Error('three settings');
  await open.getByLabel(/but only for a set duration$/).check();
  await open.getByRole('button', { name: '7 years' }).click();
  await expect(open.getByLabel('Count')).toHaveValue('7');
  await expect(open.getByLabel('Period')).toHaveValue('y');
  await expect(open.getByRole('button', { name: '7 years' })).toHaveAttribute('aria-pressed', 'true');
  await open.getByRole('button', { name: 'Apply to all three message kinds' }).click();
  for (const setting of [closed, direct]) {
    await expect(setting.getByLabel(/but only for a set duration$/)).toBeChecked();
    await expect(setting.getByLabel('Count')).toHaveValue('7');
  }
  await expect(page.getByRole('button', { name: 'Apply to all three message kinds' })).toHaveCount(0);
});

test('the items that are due are listed, and downloaded as CSV', async ({ page, node, team }) => {
  await seedAgedRecords({ node, team }, 'files', [1, 100, 200]);
  await setRule(node, team.id, 'files', { ...days(90), canmark: 0 });
  await openForm(page, 'file_retention');
  await page.getByRole('button', { name: 'View these files' }).click();
  const dialog = page.getByRole('dialog', { name: 'Due for deletion: files' });
  await expect(dialog.getByRole('table', { name: 'Due files' }).getByRole('row')).toHaveCount(3);
  await expect(dialog).toContainText('All files before');
  await picture(page, 'retention-items');
  const coming = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download CSV' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe('steward-due-files.csv');
  const lines = (await readFile(await download.path(), 'utf8')).replace('\uFEFF', '').split('\r\n');
  expect(lines[0]).toBe('Date,Channel,Author,Bytes,Id,Channel id,Author id');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z,,.*,500000,/);
});

test('a download of the due items can be canceled, and nothing is saved', async ({ page, node, team }) => {
  await seedAgedRecords({ node, team }, 'files', [100]);
  await setRule(node, team.id, 'files', { ...days(90), canmark: 0 });
  await openForm(page, 'file_retention');
  await page.getByRole('button', { name: 'View these files' }).click();
  const dialog = page.getByRole('dialog', { name: 'Due for deletion: files' });
  await expect(dialog.getByRole('table', { name: 'Due files' }).getByRole('row')).toHaveCount(2);
  const saved: string[] = [];
  page.on('download', (download) => saved.push(download.suggestedFilename()));
  const release = await holdCalls(page, '**/retention/items?*');
  const isItems = (request: Request) => request.url().includes('/retention/items?');
  const sent = page.waitForRequest(isItems);
  const aborted = page.waitForEvent('requestfailed', isItems);
  await dialog.getByRole('button', { name: 'Download CSV' }).click();
  await sent;
  await dialog.getByRole('button', { name: 'Cancel download' }).click();
  await aborted;
  await expect(dialog.getByRole('button', { name: 'Download CSV' })).toBeFocused();
  release();
  expect(saved).toEqual([]);
});

test('the overview forecasts what the next nights delete', async ({ page, node, team }) => {
  await page.goto(OVERVIEW);
  await expect(page.getByText('Nothing that is stored now will be deleted in the next 30 nights.')).toBeVisible();
  await seedAgedRecords({ node, team }, 'files', [1, 80, 85, 100, 200]);
  await seedAgedRecords({ node, team }, 'voicemails', [20]);
  await setRule(node, team.id, 'files', { ...days(90), canmark: 0 });
  await setRule(node, team.id, 'voicemails', days(30));
  await page.reload();
  const forecast = page.getByRole('region', { name: 'Forecast' });
  await expect(forecast).toContainText(
    'In the next 30 nights, 5 items (2.5 MB) of what is stored now will be deleted.',
  );
  const values = forecast.getByRole('slider');
  await values.focus();
  await page.keyboard.press('Home');
  await expect(values).toHaveAttribute('aria-valuetext', /: 2 items, 1 MB$/);
  await forecast.getByText('Show by kind').click();
  const rows = (by: string) => forecast.getByRole('table', { name: `Forecast by ${by}` }).getByRole('row');
  await expect(rows('kind')).toHaveText(['KindItemsSize', 'Files42 MB', 'Voicemails1500 KB', 'Total52.5 MB']);
  await forecast.getByText('Show by night').click();
  await expect(rows('night').last()).toHaveText('Total52.5 MB');
  await expect(rows('night')).toHaveCount(5);
  await forecast.scrollIntoViewIfNeeded();
  await picture(page, 'retention-forecast');
});

for (const [size, viewport] of Object.entries(SIZES)) {
  test.describe(`${size}, in both themes, axe finds nothing`, () => {
    test.use({ viewport });

    test('on the charts and the list of due items', async ({ page, node, team }) => {
      await seedAgedRecords({ node, team }, 'files', [1, 80, 100, 200]);
      await setRule(node, team.id, 'files', { ...days(90), canmark: 0 });
      await page.goto(OVERVIEW);
      await page.getByText('Show by kind').click();
      await page.getByText('Show by night').click();
      await page.getByRole('slider').focus();
      await expectAccessible(page, 'forecast');
      await openForm(page, 'file_retention');
      await page.getByText('Show as a table').click();
      await page.getByLabel('Count').fill('30');
      await expect(page.getByText('Cutoff if saved')).toBeVisible();
      await expectAccessible(page, 'ages');
      await page.getByRole('button', { name: 'View these files' }).click();
      await expect(page.getByRole('dialog').getByText('oldest first')).toBeVisible();
      await expectAccessible(page, 'due items');
    });
  });
}

test.describe('with the colors of the system', () => {
  test.use({ forcedColors: 'active' });
  test.setTimeout(60_000);

  test('axe finds nothing on the charts, and their bars and lines are drawn', async ({ page, node, team }) => {
    await seedAgedRecords({ node, team }, 'files', [1, 80, 100, 200]);
    await setRule(node, team.id, 'files', { ...days(90), canmark: 0 });
    await page.goto(OVERVIEW);
    await page.getByText('Show by night').click();
    await expectDrawn(page, ['rect']);
    await expectAccessible(page, 'forecast, forced colors');
    await openForm(page, 'file_retention');
    await page.getByLabel('Count').fill('30');
    await expect(page.getByText('Cutoff if saved')).toBeVisible();
    await expectDrawn(page, ['rect', 'line']);
    await expectAccessible(page, 'ages, forced colors');
    await page.getByRole('button', { name: 'View these files' }).click();
    await expect(page.getByRole('dialog').getByText('oldest first')).toBeVisible();
    await expectAccessible(page, 'due items, forced colors');
  });
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

test('what is due is linked without moving what is below', async ({ page, node, team }) => {
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
});
