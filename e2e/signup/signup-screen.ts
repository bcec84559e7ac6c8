import type { Locator, Page } from '@playwright/test';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import type { TestApp } from '@steward/server/testing/app/start-app.ts';
import { extractMailToken } from '@steward/server/testing/peers/inbox.ts';
import { expect } from '../browser/fixtures.ts';

export const newAddress = (name = 'owner') => `${name}.${newId()}@example.test`;

/** All tests share one IP address, which may request five teams an hour. */
export async function deleteSignUps({ node }: { node: TestApp }): Promise<void> {
  await node.deps.throttle.clear({ name: 'signup.address', attempts: 5, seconds: 3600 }, '127.0.0.1');
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

export const title = (page: Page) => page.getByRole('heading', { level: 1 });

export const row = (page: Page, number: number) =>
  page.getByRole('textbox', { name: `Teammate ${number}`, exact: true });

interface WizardInput {
  team_name?: string;
  owner_email: string;
  invitees?: readonly string[];
}

/** Fills the first two steps, and opens the third. */
export async function openInvite(page: Page, { team_name = 'Northwind', owner_email }: WizardInput): Promise<void> {
  await page.goto('/signup');
  await page.getByLabel('Company or team name').fill(team_name);
  await button(page, 'Continue').click();
  await page.getByLabel('Owner email').fill(owner_email);
  await button(page, 'Continue').click();
  await expect(title(page)).toHaveText('Invite teammates');
}

/** Returns the token of the email. */
export async function requestTeam(page: Page, node: TestApp, input: WizardInput): Promise<string> {
  await deleteSignUps({ node });
  await openInvite(page, input);
  for (const [at, address] of (input.invitees ?? []).entries()) await row(page, at + 1).fill(address);
  await button(page, 'Continue').click();
  await expect(title(page)).toHaveText('Review');
  await button(page, 'Continue').click();
  await button(page, 'Confirm and send link').click();
  await expect(title(page)).toHaveText('Check your email for the magic link');
  return extractMailToken(await node.inbox.next(input.owner_email));
}

/** The text may have line breaks. */
export async function paste(field: Locator, text: string): Promise<void> {
  await field.focus();
  await field.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

export const NEW_PASSWORD = 'quiet river under stones';

/** Fills the last form of a sign-up or an invitation. An absent name stays unchanged. */
export async function fillDetails(
  page: Page,
  { first, last, password }: { first?: string; last?: string; password: string },
): Promise<void> {
  if (first !== undefined) await page.getByLabel('First name').fill(first);
  if (last !== undefined) await page.getByLabel('Last name').fill(last);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Re-enter password').fill(password);
}

/** Fills the final details and sends them. */
export async function finish(page: Page, { first = 'Nora', last = 'New' } = {}): Promise<void> {
  await fillDetails(page, { first, last, password: NEW_PASSWORD });
  await page.getByRole('button', { name: /^(Create|Join) team$/ }).click();
}

/** Returns everything that the browser stores for the page, by place. */
export function readStorage(page: Page): Promise<{ local: string; tab: string; history: string }> {
  return page.evaluate(() => ({
    local: JSON.stringify({ ...localStorage }),
    tab: JSON.stringify({ ...sessionStorage }),
    history: JSON.stringify([location.href, history.state]),
  }));
}
