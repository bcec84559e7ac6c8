import { type Page, test } from '@playwright/test';
import { TIME_SCALE } from '@steward/server/testing/system/time-scale.ts';
import axe from 'axe-core';
import { expect } from '../browser/fixtures.ts';

export const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
/** Time limit for one state of a screen, in milliseconds. */
const TAKES_MS = 15_000 * TIME_SCALE;

/** The themes differ in colors only. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Fails with the violations that axe finds on the page at both sizes, and in both themes at the wide one, and if it scrolls
 * sideways.
 */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  test.setTimeout(test.info().timeout + TAKES_MS);
  const viewport = page.viewportSize() ?? SIZES.wide;
  await page.setViewportSize(SIZES.wide);
  await expectAccessibleAtThisSize(page, `${screen}, wide`);
  await expectNotWider(page, `${screen}, wide`);
  await page.setViewportSize(SIZES.phone);
  // The page is still dark, so that each theme is checked with all rules at one of the sizes.
  expect(await findViolations(page), `${screen}, phone, dark`).toEqual([]);
  await expectNotWider(page, `${screen}, phone`);
  await page.setViewportSize(viewport);
}

/** The same at the current size only. The page is dark when this has ended. */
export async function expectAccessibleAtThisSize(page: Page, screen: string): Promise<void> {
  await showTheme(page, 'light');
  expect(await findViolations(page), `${screen}, light`).toEqual([]);
  await showTheme(page, 'dark');
  expect(await findViolations(page, COLOR_RULES), `${screen}, dark`).toEqual([]);
}

async function showTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
}

export async function expectNotWider(page: Page, screen: string): Promise<void> {
  const wider = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(wider, `${screen}: pixels that are outside of the screen`).toBeLessThanOrEqual(0);
}

/**
 * Runs these rules, or all, in the page itself, which has no frames. It keeps axe until the next document: with
 * @axe-core/playwright, which loads it for each run, most of the time is spent on that. The page behind an open dialog is a
 * state of its own, so that only the dialog and what floats above it are checked.
 */
export async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async (values) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    const only = values === undefined ? {} : { runOnly: { type: 'rule' as const, values } };
    const context = document.querySelector('[role="dialog"][aria-modal="true"]') ? '[data-portal]' : document;
    const { violations } = await run(context, { resultTypes: ['violations'], ...only });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, any }) => `${id}: ${help}: ${target} ${any[0]?.message ?? ''}`),
    );
  }, rules);
}
