import { join } from 'node:path';
import { type Page, test } from '@playwright/test';

/** `npm run screenshots` sets the folder for the pictures; it is empty in a test run. */
const FOLDER = process.env.STEWARD_PICTURES ?? '';
const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const THEMES = ['light', 'dark'] as const;
/** Time limit for the pictures of one place, in milliseconds. */
const TAKES_MS = 20_000;

/** Takes a picture of a page at both sizes and in both themes, for `npm run screenshots`; does nothing in a test run. */
export async function picture(page: Page, name: string): Promise<void> {
  if (FOLDER === '') return;
  test.setTimeout(test.info().timeout + TAKES_MS);
  const viewport = page.viewportSize() ?? SIZES.wide;
  for (const [size, pixels] of Object.entries(SIZES)) {
    await page.setViewportSize(pixels);
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.evaluate(() => document.fonts.ready);
      const path = join(FOLDER, `${name}-${size}-${theme}.png`);
      await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
  await page.setViewportSize(viewport);
}
