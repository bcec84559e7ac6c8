import type { Page } from '@playwright/test';

/** Fills the last form of a sign-up or an invitation. An absent name stays unchanged. */
export async function fillDetails(
  page: Page,
  details: { first?: string; last?: string; password: string },
): Promise<void> {
  if (details.first !== undefined) await page.getByLabel('First name').fill(details.first);
  if (details.last !== undefined) await page.getByLabel('Last name').fill(details.last);
  await page.getByLabel('Password', { exact: true }).fill(details.password);
  await page.getByLabel('Re-enter password').fill(details.password);
}
