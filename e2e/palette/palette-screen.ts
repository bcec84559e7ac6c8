import type { Page } from '@playwright/test';
import { expect } from '../browser/fixtures.ts';

export const palette = (page: Page) => page.getByRole('dialog', { name: 'Search' });

export const paletteField = (page: Page) => palette(page).getByRole('combobox');

export const choice = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name });

export async function openPalette(page: Page, text = ''): Promise<void> {
  await expect(page.getByRole('banner')).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(paletteField(page)).toBeFocused();
  await page.keyboard.type(text);
}
