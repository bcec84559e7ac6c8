import type { Locator, Page } from '@playwright/test';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { sharedDns } from '@steward/server/testing/peers/dns-peer.ts';
import { expect } from '../browser/fixtures.ts';

export const PATH = '/dashboard/team_settings/sso';

/** The values that a provider has for the server as its client. */
interface Provider {
  issuer: string;
  clientId: string;
  secret: string;
  addClient(addresses: { redirectUri: string; logoutUri: string }): Promise<void> | void;
}

/** Adds a domain on the settings screen, creates its DNS record and verifies it; returns the domain. */
export async function proveDomain(page: Page, beforeRecord?: (row: Locator) => Promise<void>): Promise<string> {
  const domain = `${newId()}.example`;
  await page.getByLabel('Add a domain').fill(domain);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const row = page.getByRole('group', { name: domain });
  await beforeRecord?.(row);
  const name = await row.getByRole('textbox', { name: 'Record name' }).inputValue();
  const value = await row.getByRole('textbox', { name: 'Record value' }).inputValue();
  (await sharedDns()).texts.set(name, [value]);
  await row.getByRole('button', { name: 'Verify' }).click();
  await expect(row).toContainText('Verified');
  return domain;
}

/** Enters the values of a provider on the settings screen, and registers the addresses shown there with the provider. */
export async function enterProvider(page: Page, provider: Provider, name: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Issuer').fill(provider.issuer);
  await page.getByRole('button', { name: 'Save' }).click();
  const redirectUri = await page.getByLabel('Redirect URI', { exact: true }).inputValue();
  const logoutUri = await page.getByLabel('Back-channel logout URI', { exact: true }).inputValue();
  await provider.addClient({ redirectUri, logoutUri });
  await page.getByLabel('Client ID').fill(provider.clientId);
  await page.getByLabel('Client secret').fill(provider.secret);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Not tested with these settings yet.')).toBeVisible();
}

export async function checkConfiguration(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check configuration' }).click();
  await expect(page.getByLabel('Results of the check')).toContainText('PKCE with S256 is supported.');
  await expect(page.getByLabel('Results of the check')).not.toContainText('Problem');
}

/** The user is new to the reference provider, which asks for consent after the sign-in. */
export async function signInAtProvider(page: Page, email: string): Promise<void> {
  await page.locator('input[name="login"]').fill(email);
  await page.locator('input[name="password"]').fill('any');
  await page.locator('button[type="submit"]').click();
  await page.locator('form[action$="/confirm"], form').first().waitFor();
  await page.locator('button[type="submit"]').click();
}

export async function enterEmail(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
}
