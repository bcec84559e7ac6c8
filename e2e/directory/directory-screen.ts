import type { Page } from '@playwright/test';
import { entries as insertEntries } from '@steward/server/testing/workspace/directory.ts';
import { expect, type Given } from '../browser/fixtures.ts';

type EntryInput = Parameters<typeof insertEntries>[2][number];

export async function seedEntries({ node, team }: Given, ...list: EntryInput[]): Promise<string[]> {
  return (await insertEntries(node, team.id, list)).map(({ id }) => id);
}

/** Names them Entry 0001, Entry 0002, and so on. */
export function buildEntries(count: number): EntryInput[] {
  return Array.from({ length: count }, (_, at) => ({ name: `Entry ${String(at + 1).padStart(4, '0')}` }));
}

/** The header isn't included. */
export const entries = (page: Page) => page.getByRole('table', { name: 'Directory' }).locator('[data-row]');

export const entryRow = (page: Page, text: string) => entries(page).filter({ hasText: text });

export const getCell = (page: Page, text: string, header: string) =>
  entryRow(page, text).locator(`[data-label="${header}"]`);

/** Scrolls until every page has loaded and the last row is visible. */
export async function scrollToEnd(page: Page): Promise<void> {
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByText('End of list')).toBeInViewport({ timeout: 100 });
  }).toPass({ intervals: [20] });
}
