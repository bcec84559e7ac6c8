import { type Page, test } from '@playwright/test';
import { TIME_SCALE } from '@steward/server/testing/system/time-scale.ts';
import axe from 'axe-core';
import { expect } from '../browser/fixtures.ts';

export const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
/** Time limit for one state of a screen, in milliseconds. */
const TAKES_MS = 15_000 * TIME_SCALE;

/** Fails with the violations that axe finds on the page at both sizes and in both themes, and if it scrolls sideways. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  test.setTimeout(test.info().timeout + TAKES_MS);
  const viewport = page.viewportSize() ?? SIZES.wide;
  for (const [size, pixels] of Object.entries(SIZES)) {
    await page.setViewportSize(pixels);
    await expectAccessibleAtThisSize(page, `${screen}, ${size}`);
    const wider = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    expect(wider, `${screen}, ${size}: pixels that are outside of the screen`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(viewport);
}

/** The same at the current size only. */
export async function expectAccessibleAtThisSize(page: Page, screen: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    // The themes differ in colors only.
    const rules = colorScheme === 'dark' ? ['color-contrast', 'link-in-text-block'] : undefined;
    expect(await findViolations(page, rules), `${screen}, ${colorScheme}`).toEqual([]);
  }
}

/**
 * Runs these rules, or all, in the page itself, which has no frames. It keeps axe until the next document: with
 * @axe-core/playwright, which loads it for each run, most of the time is spent on that.
 */
export async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async (values) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    const only = values === undefined ? {} : { runOnly: { type: 'rule' as const, values } };
    const { violations } = await run(document, { resultTypes: ['violations'], ...only });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, any }) => `${id}: ${help}: ${target} ${any[0]?.message ?? ''}`),
    );
  }, rules);
}
