import type { Locator, Page } from '@playwright/test';
import { expect } from '../browser/fixtures.ts';

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
