import type { Locator, Page } from '@playwright/test';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import type { TestApp } from '@steward/server/testing/app/start-app.ts';
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

export async function openInvite(page: Page, given: { team_name: string; owner_email: string }): Promise<void> {
  await page.goto('/signup');
  await page.getByLabel('Company or team name').fill(given.team_name);
  await button(page, 'Continue').click();
  await page.getByLabel('Owner email').fill(given.owner_email);
  await button(page, 'Continue').click();
  await expect(title(page)).toHaveText('Invite teammates');
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
export async function fillDetails(page: Page, given: { first?: string; last?: string; password: string }) {
  const { first, last, password } = given;
  if (first !== undefined) await page.getByLabel('First name').fill(first);
  if (last !== undefined) await page.getByLabel('Last name').fill(last);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Re-enter password').fill(password);
}

export async function finish(page: Page): Promise<void> {
  await fillDetails(page, { first: 'Nora', last: 'New', password: NEW_PASSWORD });
  await page.getByRole('button', { name: /^(Create|Join) team$/ }).click();
}

export function readStorage(page: Page): Promise<{ local: string; tab: string; history: string }> {
  return page.evaluate(() => ({
    local: JSON.stringify({ ...localStorage }),
    tab: JSON.stringify({ ...sessionStorage }),
    history: JSON.stringify([location.href, history.state]),
  }));
}
