import type { Locator, Page } from '@playwright/test';
import type { TestApp } from '@steward/server/testing/app/start-app.ts';
import { expect } from '../browser/fixtures.ts';

/** Browsers have no passkeys for IP addresses. */
export const toLocalUrl = ({ url }: TestApp): string => url.replace('127.0.0.1', 'localhost');

export const factorsSection = (page: Page): Locator => page.getByRole('region', { name: 'Two-factor authentication' });

/** The simulated device unlocks its passkeys without user input. */
export async function addDevice(page: Page) {
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
export async function addPasskey(page: Page, name: string, onNamed?: () => Promise<void>): Promise<void> {
  await factorsSection(page).getByRole('button', { name: 'Add: Passkeys' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name').fill(name);
  await onNamed?.();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: "I've saved them" }).click();
  await expect(factorsSection(page)).toContainText(name);
}
