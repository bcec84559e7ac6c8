import type { Page } from '@playwright/test';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { saveTeamSecurity } from '@steward/server/src/workspace/access/team-security.store.ts';
import { toCode } from '@steward/server/testing/factors/factors.ts';
import { authenticated } from '@steward/server/testing/sessions/sessions.ts';
import { download, expect, openAccount, signIn, signOut, test, typePassword } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';

const section = (page: Page) => page.getByRole('region', { name: 'Two-factor authentication' });

test('a team requires a second factor: an app is set up with recovery codes, leads back to the team, and is required at the next sign-in', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of 40[013]/);
  await inTransaction(node.db, (trx) => saveTeamSecurity(trx, team.id, { require_mfa: 'admins' }));
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(page).toHaveURL('/second_factor');
  await expect(page.getByRole('heading', { name: 'This team requires a second factor' })).toBeVisible();
  await picture(page, 'second-factor-required');
  await page.getByRole('link', { name: 'Set up a second factor' }).click();
  await section(page).scrollIntoViewIfNeeded();
  await picture(page, 'factors-none');
  await section(page).getByRole('button', { name: 'Set up: Authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible();
  await expectAccessible(page, 'setting up an authenticator app');
  const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '');
  await picture(page, 'factors-totp');
  await dialog.getByLabel(/Enter the code/).fill('000000');
  await dialog.getByRole('button', { name: 'Set up' }).click();
  await expect(dialog.getByText(/This code is wrong/)).toBeVisible();
  await dialog.getByLabel(/Enter the code/).fill(toCode(secret));
  await dialog.getByRole('button', { name: 'Set up' }).click();
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await picture(page, 'factors-recovery-codes');
  await expectAccessible(page, 'recovery codes');
  await page.keyboard.press('Escape');
  await expect(codes).toBeVisible();
  const [first = '', second = ''] = await codes.getByRole('listitem').allTextContents();
  expect((await download(page, codes.getByRole('button', { name: 'Download' }))).name).toBe('recovery-codes.txt');
  await codes.getByRole('button', { name: "I've saved them" }).click();
  await expect(codes).toBeHidden();
  await expect(section(page)).toContainText('10 codes left');
  await picture(page, 'factors');
  await expectAccessible(page, 'the account with second factors');
  await page.getByRole('link', { name: 'Go back to your team' }).click();
  await expect(page).toHaveURL('/users/users');

  await signOut(page);
  await typePassword(page, team.owner);
  await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible();
  await expect(page.getByLabel('Code')).toBeFocused();
  await picture(page, 'login-code');
  await expectAccessible(page, 'the code step');
  await page.getByLabel('Code').fill('000 000');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('This code is wrong, has expired or was already used.');
  await page.getByRole('button', { name: 'Back to sign in' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(team.owner.email);
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(team.owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Code').fill(toCode(secret, 1));
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page).toHaveURL('/users/users');

  await signOut(page);
  await typePassword(page, team.owner);
  await page.getByLabel('Code').fill(first.toUpperCase());
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page).toHaveURL('/users/users');
  await openAccount(page);
  await expect(section(page)).toContainText('9 codes left');

  await authenticated(node, team.owner, 11);
  await section(page).getByRole('button', { name: 'Create new codes: Recovery codes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create new codes' }).click();
  const stepUp = page.getByRole('dialog', { name: "Confirm that it's you" });
  await stepUp.getByLabel('Password', { exact: true }).fill(team.owner.password);
  await stepUp.getByRole('button', { name: 'Confirm' }).click();
  await expect(stepUp.getByText('Enter a code.')).toBeVisible();
  await stepUp.getByLabel('Code').fill(second);
  await picture(page, 'step-up-code');
  await expectAccessible(page, 'confirming with a code');
  await stepUp.getByRole('button', { name: 'Confirm' }).click();
  await expect(codes.getByRole('listitem')).toHaveCount(10);
});
