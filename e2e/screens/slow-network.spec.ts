import type { Page } from '@playwright/test';
import { TIME_SCALE } from '@steward/server/testing/system/time-scale.ts';
import { addMembers } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { buildEntries, seedEntries } from '../directory/directory-screen.ts';
import { SIZES } from './accessible.ts';

/** A latency of 400 ms and 150 KB per second are typical for a phone on a train. What arrives first depends on the latency. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 150 * 1024, uploadThroughput: 150 * 1024 };
/** Above this value users notice that a page jumps (Core Web Vitals). */
const FELT = 0.1;

const SCREENS = [
  { path: '/', title: 'Steward Admin Portal', viewport: SIZES.wide },
  { path: '/users/users', title: 'Manage Users', viewport: SIZES.phone },
  { path: '/users/company_directory', title: 'Company Directory', viewport: SIZES.wide },
  { path: '/dashboard/team_settings/retention', title: 'Retention', viewport: SIZES.phone },
  { path: '/dashboard/team_settings/message_retention', title: 'Message Retention', viewport: SIZES.wide },
  { path: '/dashboard/team_settings/message_retention', title: 'Message Retention', viewport: SIZES.phone },
];

interface Shift {
  value: number;
  moved: string[];
}

/** Records each layout shift without recent input. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(globalThis, { shifts });
    const getName = (node: Node | null) =>
      node instanceof Element ? node.outerHTML.slice(0, 100) : (node?.textContent ?? '');
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources } = entry as unknown as LayoutShift;
        if (!hadRecentInput) shifts.push({ value, moved: sources.map(({ node }) => getName(node)) });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** The DOM types don't have the browser's report of a shift yet. */
interface LayoutShift {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}

test('no screen jumps while it loads on a slow network', async ({ page, context, node, team }) => {
  test.setTimeout(240_000 * TIME_SCALE);
  await addMembers(node, team.id, 60);
  await seedEntries({ node, team }, ...buildEntries(60));
  await signIn(page, { node }, team.owner);
  await watchShifts(page);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', SLOW);
  for (const { path, title, viewport } of SCREENS) {
    await page.setViewportSize(viewport);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible({ timeout: 40_000 * TIME_SCALE });
    await page.waitForLoadState('networkidle');
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: Shift[] }).shifts);
    const sum = shifts.reduce((total, { value }) => total + value, 0);
    expect(sum, `${title}, ${viewport.width} pixels wide: ${JSON.stringify(shifts, null, 2)}`).toBeLessThan(FELT);
  }
});
