import type { Locator, Page } from '@playwright/test';
import { authenticated } from '@steward/server/testing/sessions/sessions.ts';
import { connection } from '@steward/server/testing/sso/sso.ts';
import { setRule } from '@steward/server/testing/workspace/retention.ts';
import { expect, openAccount, signOut, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { seedAgedRecords } from '../retention/retention-screen.ts';
import { expectAccessible } from '../screens/accessible.ts';

const factorsSection = (page: Page): Locator => page.getByRole('region', { name: 'Two-factor authentication' });

/** The simulated device unlocks its passkeys without user input. */
async function addDevice(page: Page) {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    setUnlocks: (isUserVerified: boolean) =>
      client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

/** Adds a passkey on the open account screen. `onNamed` is called while its dialog is open. */
async function addPasskey(page: Page, name: string, onNamed?: () => Promise<void>): Promise<void> {
  await factorsSection(page).getByRole('button', { name: 'Add: Passkeys' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name').fill(name);
  await onNamed?.();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: "I've saved them" }).click();
  await expect(factorsSection(page)).toContainText(name);
}

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
  await openAccount(page);
  await addPasskey(page, 'My laptop', async () => {
    await picture(page, 'factors-passkey');
    await expectAccessible(page, 'adding a passkey');
  });
  await picture(page, 'factors-passkeys');

  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/v4/users/login')) asked.push(request.url());
  });
  await page.goto('/logout');
  // The session must have ended first; an earlier sign-in page would use its cookie.
  await expect(page).toHaveURL('/login');
  await expect(page.getByLabel('Email')).toBeFocused();
  await picture(page, 'login-passkey');
  await expectAccessible(page, 'sign-in with passkeys');
  expect(asked).toEqual([]);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL('/users/users');

  await setRule(node, team.id, 'files', { value: 1, duration: { count: 90, period: 'd' } });
  await seedAgedRecords({ node, team }, 'files', [1, 100]);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Retention', exact: true }).click();
  await authenticated(node, team.owner, 11);
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.getByRole('dialog', { name: 'Run now' }).getByRole('button', { name: 'Delete now' }).click();
  const stepUp = page.getByRole('dialog', { name: "Confirm that it's you" });
  await expect(stepUp.getByRole('button', { name: 'Use a passkey' })).toBeVisible();
  await picture(page, 'step-up-passkey');
  await stepUp.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('The run has started.')).toBeVisible();

  await signOut(page);
  await page.getByLabel('Email').click();
  await expect(page).toHaveURL('/users/users');
  await connection(node, team.id, { issuer: 'https://127.0.0.1', clientId: 'a', secret: 'b' });
  await page.goto('/logout');
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn');
  await page.getByLabel('Email').click();
  await expect(page).toHaveURL('/users/users');
  await device.setUnlocks(false);
  await openAccount(page);
  await expect(factorsSection(page)).toContainText('last used');
  await factorsSection(page).getByRole('button', { name: 'Remove: My laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Your passkey was removed')).toBeVisible();
  await expect(factorsSection(page)).not.toContainText('My laptop');
});
