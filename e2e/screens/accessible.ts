import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from '../browser/fixtures.ts';

export const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/** Fails with the violations that axe finds on the page, in both themes. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    // axe runs in the page itself, which has no frames, and reports only violations, which takes half the time.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
    // The themes differ in colors only.
    if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block']);
    const { violations } = await axe.analyze();
    const found = violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, any }) => `${id}: ${help}: ${target} ${any[0]?.message ?? ''}`),
    );
    expect(found, `${screen}, ${colorScheme}`).toEqual([]);
  }
}
