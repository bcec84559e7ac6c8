import type { Page } from '@playwright/test';
import { channel, message } from '@steward/server/testing/workspace/content.ts';
import { signIn as startSession, user } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';

const PATH = '/compliance_access';
const grantButton = (page: Page) => page.locator('#main').getByRole('button', { name: 'Grant Access', exact: true });
const options = (page: Page) => page.getByRole('listbox').getByRole('option');
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Grant Access' });

test('an owner lets a user read a private channel, which takes effect immediately, and ends the access; other admins can’t', async ({
  page,
  node,
  team,
}) => {
  const max = await user(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  const closed = await channel(node, team.id, { type: 'P', displayName: 'Legal matters', members: [team.owner.id] });
  await channel(node, team.id, { type: 'P', displayName: 'Other matters' });
  await channel(node, team.id, { displayName: 'Public matters' });
  await message(node, team.id, { channel: closed, text: 'A secret' });
  const { cookie } = await startSession(node, max);
  const read = () => fetch(`${node.url}/api/v4/channels/${closed.id}/posts`, { headers: { cookie } });
  expect((await read()).status).toBe(403);

  await signIn(page, { node }, team.owner);
  await page.goto(PATH);
  await expect(page.getByRole('heading', { name: 'No one has compliance access' })).toBeVisible();
  await expect(page.locator('[aria-current="page"]')).toHaveText(['Compliance Access']);
  await grantButton(page).click();
  const channels = dialog(page).getByRole('combobox', { name: 'Private channel' });
  await channels.fill('matters');
  await expect(options(page)).toHaveText(['Legal matters', 'Other matters']);
  await expectAccessible(page, 'the form with an open list');
  await picture(page, 'compliance-channels');
  await channels.fill('legal');
  await expect(options(page)).toHaveText(['Legal matters']);
  await page.getByRole('option', { name: 'Legal matters' }).click();
  const users = dialog(page).getByRole('combobox', { name: 'User' });
  await expect(users).toHaveValue('Olivia Owner');
  await users.fill('max');
  await expect(options(page)).toHaveText([/Max Member/]);
  await page.getByRole('option', { name: /Max Member/ }).click();
  await dialog(page).getByLabel('Access ends after').selectOption('3 hours');
  await dialog(page).getByLabel('Reason').fill('Complaint 17');
  await picture(page, 'compliance-grant');
  await dialog(page).getByRole('button', { name: 'Grant Access' }).click();
  await expect(page.getByText('Added Successfully')).toBeVisible();
  await expect(grantButton(page)).toBeFocused();
  const row = page.getByRole('row').filter({ hasText: 'Max Member' });
  await expect(row).toContainText('Legal matters');
  await expect(row).toContainText('Complaint 17');
  await expect(row.locator('[data-label="Granted by"]')).toHaveText('Olivia Owner');
  expect(await (await read()).text()).toContain('A secret');

  await row.getByRole('button', { name: 'End access of Max Member' }).click();
  const question = page.getByRole('dialog', { name: 'End Access' });
  await expect(question).toContainText('Max Member will no longer be able to read Legal matters.');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page, 'the question');
  await question.getByRole('button', { name: 'End Access' }).click();
  await expect(page.getByText('Saved Successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No one has compliance access' })).toBeVisible();
  expect((await read()).status).toBe(403);
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Legal matters' })).toHaveText([
    /Ended compliance access/,
    /Read by compliance access/,
    /Granted compliance access/,
  ]);

  const admin = await startSession(node, await user(node, { team: team.id, kind: 'admin' }));
  await signIn(page, { node }, admin);
  await page.goto(PATH);
  await expect(page.getByRole('heading', { name: 'Only owners can grant compliance access' })).toBeVisible();
  await expect(grantButton(page)).toHaveCount(0);
  await picture(page, 'compliance-admin');
});
