import type { Locator, Page } from '@playwright/test';
import { user } from '@steward/server/testing/workspace/factories.ts';
import { expect, type Given } from '../browser/fixtures.ts';
import { generateChannels } from '../channels/channels-screen.ts';
import { seedEntries } from '../directory/directory-screen.ts';

export function palette(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Search' });
}

export function paletteField(page: Page): Locator {
  return palette(page).getByRole('combobox');
}

export function choice(page: Page, name: string | RegExp): Locator {
  return palette(page).getByRole('option', { name });
}

/** Opens the palette by its shortcut, and types. */
export async function openPalette(page: Page, text = ''): Promise<void> {
  await expect(page.getByRole('banner')).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(paletteField(page)).toBeFocused();
  if (text !== '') await page.keyboard.type(text);
}

/** The user, the entry and the channel all match the word quill. */
export async function createSearchableRecords({ node, team }: Given): Promise<void> {
  await user(node, { team: team.id, first_name: 'Zara', last_name: 'Quill', email: `zara.${team.id}@example.test` });
  await seedEntries({ node, team }, { name: 'Quill Supplies', phone_number: '5551234567' });
  await generateChannels({ node, team }, ['quill-news']);
}
