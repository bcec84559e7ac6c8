import type { Locator, Page } from '@playwright/test';
import { insertEntries } from '@steward/server/src/features/directory/entries.store.ts';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { expect, type Given } from '../browser/fixtures.ts';

/** Absent fields are empty. */
interface EntryInput {
  name: string;
  phone_number?: string;
  sms?: string;
  email?: string;
}

export async function seedEntries({ node, team }: Given, ...entries: EntryInput[]): Promise<string[]> {
  const whole = entries.map((entry) => ({ phone_number: '', sms: '', email: '', ...entry }));
  const stored = await inTransaction(node.db, (trx) => insertEntries(trx, team.id, whole));
  return stored.map(({ id }) => id);
}

/** Names them Entry 0001, Entry 0002, and so on. */
export function buildEntries(count: number): EntryInput[] {
  return Array.from({ length: count }, (_, at) => ({ name: `Entry ${String(at + 1).padStart(4, '0')}` }));
}

/** The header isn't included. */
export function entries(page: Page): Locator {
  return page.getByRole('table', { name: 'Directory' }).locator('[data-row]');
}

export function entryRow(page: Page, text: string): Locator {
  return entries(page).filter({ hasText: text });
}

/** The cell is found by a text in its row and the header of its column. */
export function getCell(page: Page, text: string, header: string): Locator {
  return entryRow(page, text).locator(`[data-label="${header}"]`);
}

/** Scrolls until every page has loaded and the last row is visible. */
export async function scrollToEnd(page: Page): Promise<void> {
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByText('End of list')).toBeInViewport({ timeout: 100 });
  }).toPass({ intervals: [20] });
}
