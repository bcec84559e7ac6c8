import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { removeUser } from '@steward/contract/users/lifecycle';
import { eraseUser } from '@steward/contract/users/privacy';
import { call } from '@steward/server/testing/app/call.ts';
import { readArchive } from '@steward/server/testing/privacy/read-archive.ts';
import { channel, message } from '@steward/server/testing/workspace/content.ts';
import { person, signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../../browser/fixtures.ts';
import { picture } from '../../browser/picture.ts';
import { expectAccessible, SIZES } from '../../screens/accessible.ts';

const PATH = '/users/privacy_requests';
const table = (page: Page, name: string) => page.getByRole('table', { name });

test('an owner exports what the team stores about a user, and downloads it', async ({ page, node, team }) => {
  const max = await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  const place = await channel(node, team.id, { type: 'D', members: [max.id] });
  await message(node, team.id, { channel: place, userId: max.id, text: 'Written by Max' });
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Actions for Max Member' }).click();
  await page.getByRole('menuitem', { name: 'Export data' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export data' });
  await dialog.getByRole('button', { name: 'Start export' }).click();
  await expect(dialog.getByText('The reason is required.')).toBeVisible();
  await picture(page, 'privacy-export-refused');
  await dialog.getByLabel('Reason').fill('Request of the user');
  await dialog.getByRole('button', { name: 'Start export' }).click();
  await page.getByRole('status').getByRole('button', { name: 'Privacy Requests' }).click();
  await expect(page).toHaveURL(PATH);
  const link = table(page, 'Exports').getByRole('link', { name: 'Download the export of Max Member' });
  const saving = page.waitForEvent('download');
  await link.click();
  const files = await readArchive(await readFile(await (await saving).path()));
  expect(String(files.get('messages.json'))).toContain('Written by Max');
});

test('an owner erases a former member, and everyone sees the pseudonym', async ({ page, node, team }) => {
  const max = await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  const params = { teamId: team.id, userId: max.id };
  await call(node, removeUser, { as: team.owner, params });
  await signIn(page, { node }, team.owner);
  await page.goto(PATH);
  await table(page, 'Former users').getByRole('button', { name: 'Erase Max Member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase user' });
  const field = dialog.getByLabel('Email address');
  await expect(field).toBeFocused();
  await field.fill('max@example.test');
  await field.press('Enter');
  await expect(dialog.getByText(`Type ${max.email} to confirm.`).last()).toBeVisible();
  await picture(page, 'privacy-erase');
  await field.fill(max.email.toUpperCase());
  await dialog.getByRole('button', { name: 'Erase for good' }).click();
  await expect(page.getByText(/The user was erased and is now called Deleted user [0-9A-F]{4}/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Former users' })).toBeFocused();
  await expect(page.getByText('Users who leave the team or are removed are listed here')).toBeVisible();
  await expect(table(page, 'Erased users').getByRole('row').last()).toContainText('Complete');
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('cell', { name: /^Deleted user [0-9A-F]{4}/ }).first()).toBeVisible();
  await expect(page.getByText('Max Member')).toHaveCount(0);
});

test('a deactivated user is erased from their row', async ({ page, node, team }) => {
  const max = await person(node, { team: team.id, first_name: 'Max', last_name: 'Member', deactivated: true });
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users?deactivated_accounts=1');
  await page.getByRole('button', { name: 'Actions for Max Member' }).click();
  await page.getByRole('menuitem', { name: 'Erase' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase user' });
  await dialog.getByLabel('Email address').fill(max.email);
  await dialog.getByRole('button', { name: 'Erase for good' }).click();
  await expect(page.getByText(/is now called Deleted user/)).toBeVisible();
  await expect(page.getByText('Max Member')).toHaveCount(0);
});

test('an admin who is not an owner sees the purpose of the page, and no such actions', async ({ page, node, team }) => {
  const admin = await signedIn(node, { team: team.id, kind: 'admin', first_name: 'Adam', last_name: 'Admin' });
  await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await signIn(page, { node }, admin);
  await page.goto(PATH);
  await expect(page.getByRole('heading', { name: 'Only owners can answer privacy requests' })).toBeVisible();
  await picture(page, 'privacy-admin');
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Actions for Max Member' }).click();
  await expect(page.getByRole('menuitem', { name: 'Remove from team' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Export data' })).toHaveCount(0);
});

test('everyone exports their own data', async ({ page, node, team }) => {
  const max = await signedIn(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await signIn(page, { node }, max);
  await page.goto('/account');
  const section = page.getByRole('region', { name: 'Your data' });
  await section.getByRole('button', { name: 'Export your data' }).click();
  const saving = page.waitForEvent('download');
  await section.getByRole('link', { name: /^Download/ }).click();
  const files = await readArchive(await readFile(await (await saving).path()));
  expect(String(files.get('profile.json'))).toContain(max.email);
  await picture(page, 'privacy-own');
});

for (const [size, viewport] of Object.entries(SIZES)) {
  test.describe(`${size}, in both themes, axe finds nothing`, () => {
    test.use({ viewport });
    test.setTimeout(60_000);

    test('on privacy requests: the dialogs and the lists', async ({ page, node, team }) => {
      for (const first_name of ['Max', 'Mia']) {
        const gone = await person(node, { team: team.id, first_name, last_name: 'Member' });
        await call(node, removeUser, { as: team.owner, params: { teamId: team.id, userId: gone.id } });
        if (first_name === 'Max') continue;
        const params = { teamId: team.id, userId: gone.id };
        await call(node, eraseUser, { as: team.owner, params, body: { confirm: gone.email } });
      }
      await signIn(page, { node }, team.owner);
      await page.goto(PATH);
      await table(page, 'Former users').getByRole('button', { name: 'Export data of Max Member' }).click();
      const dialog = page.getByRole('dialog', { name: 'Export data' });
      await expect(dialog.getByLabel('Reason')).toBeFocused();
      await expectAccessible(page, 'export');
      await picture(page, `privacy-export-${size}`);
      await dialog.getByLabel('Reason').fill('A request');
      await dialog.getByRole('button', { name: 'Start export' }).click();
      await expect(table(page, 'Exports').getByRole('link')).toBeVisible();
      await expect(page.getByText('The export of Max Member has started')).toHaveCount(0);
      await expectAccessible(page, 'privacy requests');
      await picture(page, `privacy-requests-${size}`);
      await table(page, 'Former users').getByRole('button', { name: 'Erase Max Member' }).click();
      await expect(page.getByRole('dialog', { name: 'Erase user' })).toBeVisible();
      await expectAccessible(page, 'erase');
    });
  });
}
