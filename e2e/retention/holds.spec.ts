import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { channel, message } from '@steward/server/testing/workspace/content.ts';
import { person, signIn as startSession } from '@steward/server/testing/workspace/factories.ts';
import { legalHold } from '@steward/server/testing/workspace/holds.ts';
import { runNow, setRule } from '@steward/server/testing/workspace/retention.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible, SIZES } from '../screens/accessible.ts';

const PATH = '/dashboard/team_settings/holds';
const createButton = (page: Page) => page.locator('#main').getByRole('button', { name: 'Create Hold', exact: true });
const options = (page: Page) => page.getByRole('listbox').getByRole('option');
const A_YEAR = { value: 1 as const, duration: { count: 1, period: 'y' as const } };

test('an owner holds a user’s content, exports it, releases the hold, and cancels the release', async ({
  page,
  node,
  team,
}) => {
  const max = await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  const offers = await channel(node, team.id, { displayName: 'Offers' });
  const kept = await message(node, team.id, { channel: offers, userId: max.id, text: 'The offer' });
  await setRule(node, team.id, 'public_channels', A_YEAR);
  await signIn(page, { node }, team.owner);
  await page.goto(PATH);
  await expect(page.getByRole('heading', { name: 'No legal holds' })).toBeVisible();
  await expect(page.locator('[aria-current="page"]')).toHaveText(['Legal Holds']);

  await createButton(page).click();
  const form = page.getByRole('dialog', { name: 'Create Legal Hold' });
  await form.getByRole('button', { name: 'Create Hold' }).click();
  await expect(form.getByText('The name is required.')).toBeVisible();
  await expect(form.getByText('The reason is required.')).toBeVisible();
  await expect(form.getByText('Type Northwind to confirm.', { exact: true })).toBeVisible();
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Northwind v. Contoso');
  await form.getByLabel('Reason').fill('Claim of March 2');
  await form.getByRole('combobox', { name: 'Users' }).fill('max');
  await expect(options(page)).toHaveText(['Max Member']);
  await options(page).click();
  await expect(form.getByLabel('Team name')).toHaveCount(0);
  await form.getByRole('combobox', { name: 'Channels' }).fill('offers');
  await expect(options(page)).toHaveText(['Offers']);
  await options(page).click();
  await picture(page, 'holds-create');
  await form.getByRole('button', { name: 'Create Hold' }).click();
  await expect(page.getByText('Added Successfully')).toBeVisible();
  await expect(createButton(page)).toBeFocused();
  const row = page.getByRole('row').filter({ hasText: 'Northwind v. Contoso' });
  await expect(row.locator('[data-label="Covers"]')).toHaveText(/Max Member\s*Offers/);
  await expect(row.locator('[data-label="Held"]')).toHaveText(/1\s*9 bytes/);
  await expect(row).toContainText('Active');
  const [run] = await runNow(node, team.id);
  expect([run?.deleted, run?.held]).toEqual([0, 1]);

  await row.getByRole('button', { name: 'Export Northwind v. Contoso' }).click();
  const exporting = page.getByRole('dialog', { name: 'Export Legal Hold' });
  await exporting.getByLabel('Reason').fill('Request of the court');
  await exporting.getByRole('button', { name: 'Start export' }).click();
  const link = row.getByRole('link', { name: 'Download the export of Northwind v. Contoso' });
  await expect(link).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect((await readFile(await download.path())).includes(kept)).toBe(false);
  expect(download.suggestedFilename()).toBe('legal-hold.zip');

  await row.getByRole('button', { name: 'Release Northwind v. Contoso' }).click();
  const release = page.getByRole('dialog', { name: 'Release Legal Hold' });
  await expect(release).toContainText('Northwind v. Contoso ends in 24 hours');
  await picture(page, 'holds-release');
  await release.getByLabel('Reason').fill('Settled');
  await release.getByRole('button', { name: 'Release' }).click();
  await expect(row).toContainText('Ends soon');
  await row.getByRole('button', { name: 'Keep Northwind v. Contoso' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Legal Hold' });
  await expect(edit).toContainText('Covers now: Max Member · Offers.');
  await edit.getByRole('button', { name: 'Save and Keep' }).click();
  await expect(row).toContainText('Active');
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Northwind v. Contoso' })).toHaveText([
    /Changed a legal hold/,
    /Released a legal hold/,
    /Export of a legal hold ended/,
    /Exported a legal hold/,
    /Created a legal hold/,
  ]);
});

test('a hold can be widened, and the overview and the panel of a user show it', async ({ page, node, team }) => {
  const max = await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await person(node, { team: team.id, first_name: 'Nora', last_name: 'Novak' });
  await legalHold(node, { teamId: team.id, name: 'Audit 2026', userIds: [max.id], settings: ['files'] });
  await signIn(page, { node }, team.owner);
  await page.goto(PATH);
  const row = page.getByRole('row').filter({ hasText: 'Audit 2026' });
  await row.getByRole('button', { name: 'Edit Audit 2026' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Legal Hold' });
  await edit.getByRole('combobox', { name: 'Add users' }).fill('nora');
  await expect(options(page)).toHaveText(['Nora Novak']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await edit.getByRole('combobox', { name: 'Add content' }).click();
  await page.getByRole('option', { name: 'Voicemails' }).click();
  await page.keyboard.press('Escape');
  await edit.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(row.locator('[data-label="Covers"]')).toHaveText(/Max Member, Nora Novak\s*Files, Voicemails/);
  await page.goto('/dashboard/team_settings/retention');
  const section = page.getByRole('region', { name: 'Legal holds' });
  await expect(section.getByRole('row').filter({ hasText: 'Audit 2026' })).toContainText('Files, Voicemails');
  await page.goto(`/users/users/${max.id}`);
  await page.getByRole('dialog').getByRole('link', { name: 'Audit 2026' }).click();
  await expect(page).toHaveURL(PATH);
});

test('an admin who isn’t an owner can create and widen a hold, and nothing else', async ({ page, node, team }) => {
  await legalHold(node, { teamId: team.id, name: 'Audit 2026', settings: ['files'] });
  const admin = await startSession(node, await person(node, { team: team.id, kind: 'admin' }));
  await signIn(page, { node }, admin);
  await page.goto(PATH);
  const row = page.getByRole('row').filter({ hasText: 'Audit 2026' });
  await expect(row.getByRole('button')).toHaveText(['Edit']);
  await expect(createButton(page)).toBeVisible();
});

for (const [size, viewport] of Object.entries(SIZES)) {
  test.describe(`${size}, in both themes, axe finds nothing`, () => {
    test.use({ viewport });
    test.setTimeout(60_000);

    test('in the list of holds and in their dialogs', async ({ page, node, team }) => {
      const max = await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
      const offers = await channel(node, team.id, { displayName: 'Offers' });
      await message(node, team.id, { channel: offers, userId: max.id, text: 'The offer' });
      await legalHold(node, { teamId: team.id, name: 'Northwind v. Contoso', userIds: [max.id] });
      await legalHold(node, {
        ...{ teamId: team.id, name: 'Audit 2026', channelIds: [offers.id], settings: ['public_channels'] },
        ...{ from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) },
      });
      await signIn(page, { node }, team.owner);
      await page.goto(PATH);
      await expect(page.getByText('Audit 2026').first()).toBeVisible();
      await expectAccessible(page, `${PATH}, ${size}`);
      if (size === 'wide') await picture(page, 'holds');
      await createButton(page).click();
      await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
      await expectAccessible(page, `creating a hold, ${size}`);
      await page.keyboard.press('Escape');
      if (size === 'phone') await page.locator('summary').filter({ hasText: 'Northwind v.' }).click();
      await page.getByRole('button', { name: 'Release Northwind v. Contoso' }).click();
      await expect(page.getByRole('dialog').getByLabel('Reason')).toBeFocused();
      await expectAccessible(page, `releasing a hold, ${size}`);
    });
  });
}
