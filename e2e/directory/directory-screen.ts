import type { Locator, Page } from '@playwright/test';
import { deleteEntry, insertEntries } from '@steward/server/src/features/directory/entries.store.ts';
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

/** The entry is deleted as if it had been done elsewhere. */
export async function deleteEntryElsewhere({ node, team }: Given, id: string): Promise<void> {
  await inTransaction(node.db, (trx) => deleteEntry(trx, team.id, id));
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

/** The names are in order from the top. */
export async function namesShown(page: Page): Promise<string[]> {
  return entries(page).evaluateAll((all) =>
    all
      .toSorted((left, right) => Number(left.getAttribute('data-row')) - Number(right.getAttribute('data-row')))
      .map((row) => row.querySelector('bdi')?.textContent ?? ''),
  );
}

export function directorySearch(page: Page): Locator {
  return page.getByRole('searchbox', { name: 'Search directory' });
}

/** Scrolls until every page has loaded and the last row is visible. */
export async function scrollToEnd(page: Page): Promise<void> {
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByText('End of list')).toBeInViewport({ timeout: 100 });
  }).toPass({ intervals: [20] });
}
