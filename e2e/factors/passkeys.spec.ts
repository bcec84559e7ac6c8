import { ageAuthentication } from '@steward/server/testing/factors/factors.ts';
import { connection } from '@steward/server/testing/sso/sso.ts';
import { setRule } from '@steward/server/testing/workspace/retention.ts';
import { expect, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { seedAgedRecords } from '../retention/retention-screen.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { addDevice, addPasskey, factorsSection, toLocalUrl } from './passkey-device.ts';

test.use({ baseURL: ({ node }, use) => use(toLocalUrl(node)) });

test('a passkey is added, signs in by its button and in the email field, confirms a change, and is removed', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of (?:401|403)/);
  const device = await addDevice(page);
  await page.goto('/login');
  await page.getByLabel('Email').fill(team.owner.email);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  // There is none, so the form stays as it is.
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
  await expect(page.getByLabel('Email')).toHaveValue(team.owner.email);
  await page.getByLabel('Password', { exact: true }).fill(team.owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/users/users');
  await page.goto('/account');
  await addPasskey(page, 'My laptop', async () => {
    await picture(page, 'factors-passkey');
    await expectAccessible(page, 'adding a passkey');
  });
  await picture(page, 'factors-passkeys');

  await page.goto('/logout');
  // The session must have ended first; an earlier sign-in page would use its cookie.
  await expect(page).toHaveURL('/login');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/v4/users/login')) asked.push(request.url());
  });
  await page.goto('/login');
  await expect(page.getByLabel('Email')).toBeFocused();
  await picture(page, 'login-passkey');
  await expectAccessible(page, 'sign-in with passkeys');
  expect(asked).toEqual([]);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL('/users/users');

  await setRule(node, team.id, 'files', { value: 1, duration: { count: 90, period: 'd' } });
  await seedAgedRecords({ node, team }, 'files', [1, 100]);
  await page.goto('/dashboard/team_settings/retention');
  await ageAuthentication(node, team.owner.id);
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.getByRole('dialog', { name: 'Run now' }).getByRole('button', { name: 'Delete now' }).click();
  const stepUp = page.getByRole('dialog', { name: "Confirm that it's you" });
  await expect(stepUp.getByRole('button', { name: 'Use a passkey' })).toBeVisible();
  await picture(page, 'step-up-passkey');
  await stepUp.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('The run has started.')).toBeVisible();

  await page.goto('/logout');
  await expect(page).toHaveURL('/login');
  await page.getByLabel('Email').click();
  await expect(page).toHaveURL('/users/users');
  await connection(node, team.id, { issuer: 'https://127.0.0.1', clientId: 'a', secret: 'b' });
  await page.goto('/logout');
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn');
  await page.getByLabel('Email').click();
  await expect(page).toHaveURL('/users/users');
  await device.setUnlocks(false);
  await page.goto('/account');
  await expect(factorsSection(page)).toContainText('last used');
  await factorsSection(page).getByRole('button', { name: 'Remove: My laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Your passkey was removed')).toBeVisible();
  await expect(factorsSection(page)).not.toContainText('My laptop');
});
