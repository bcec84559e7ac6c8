import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from '../browser/fixtures.ts';

/** A wide screen and a phone. */
export const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/** Fails with what axe has against the page, in both themes. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    // In the page itself, which has no frames of others, and only what is wrong: in half the time.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
    // Between the themes nothing differs but colours.
    if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block']);
    const { violations } = await axe.analyze();
    const found = violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, any }) => `${id}: ${help}: ${target} ${any[0]?.message ?? ''}`),
    );
    expect(found, `${screen}, ${colorScheme}`).toEqual([]);
  }
}
