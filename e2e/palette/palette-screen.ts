import type { Locator, Page } from '@playwright/test';
import { person } from '@steward/server/testing/workspace/factories.ts';
import { expect, type Given } from '../browser/fixtures.ts';
import { generateChannels } from '../channels/channels-screen.ts';
import { seedEntries } from '../directory/directory-screen.ts';

/** The dialog of the palette. */
export function palette(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Search' });
}

/** Its field. */
export function paletteField(page: Page): Locator {
  return palette(page).getByRole('combobox');
}

/** Its rows. */
export function choices(page: Page): Locator {
  return palette(page).getByRole('option');
}

/** One of them. */
export function choice(page: Page, name: string | RegExp): Locator {
  return palette(page).getByRole('option', { name });
}

/** The row that Enter would choose. */
export function reached(page: Page): Locator {
  return palette(page).locator('[role="option"][aria-selected="true"]');
}

/** Opens the palette by its shortcut, and types. */
export async function openPalette(page: Page, text = ''): Promise<void> {
  await expect(page.getByRole('banner')).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(paletteField(page)).toBeFocused();
  if (text !== '') await page.keyboard.type(text);
}

/** A user, an entry and a channel that match one word, quill. */
export async function createSearchableRecords({ node, team }: Given): Promise<void> {
  await person(node, { team: team.id, first_name: 'Zara', last_name: 'Quill', email: `zara.${team.id}@example.test` });
  await seedEntries({ node, team }, { name: 'Quill Supplies', phone_number: '5551234567' });
  await generateChannels({ node, team }, ['quill-news']);
}
