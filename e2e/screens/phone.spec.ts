import type { Page } from '@playwright/test';
import { addMembers } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { buildEntries, entries, entryRow, getCell, scrollToEnd, seedEntries } from '../directory/directory-screen.ts';
import { people, personRow } from '../users/users-screen.ts';

const SCREENS = [
  '/',
  '/users/users',
  '/users/users?search=no-match',
  '/users/company_directory',
  '/users/company_directory?search=no-match',
  '/dashboard/files',
  '/dashboard/billing/settings',
  '/dashboard/billing/history',
  '/dashboard/billing/change_steward_plan',
  '/sms/manage_sms',
  '/switchTeam',
];

async function expectNoHorizontalScroll(page: Page, path: string): Promise<void> {
  const wider = await page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    return scrollWidth > clientWidth ? scrollWidth - clientWidth : 0;
  });
  expect(wider, `${path} scrolls sideways`).toBe(0);
}

test.describe('at 360 pixels', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test('the sidebar is a drawer, rows are cards, and controls are large enough', async ({ page, node, team }) => {
    await addMembers(node, team.id, 150);
    await signIn(page, { node }, team.owner);
    await page.goto('/');
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.click();
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    await expect(drawer).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await expect(menu).toBeFocused();
    await menu.click();
    await drawer.getByRole('link', { name: 'Manage Users' }).click();
    await expect(drawer).toBeHidden();
    await expect(page).toHaveURL('/users/users');
    await expect(personRow(page, 'Olivia Owner')).toBeVisible();
    expect(await smallTargets(page)).toEqual([]);
    const userHeights = await people(page).evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect(new Set(userHeights).size).toBe(1);
    expect(userHeights[0]).toBeGreaterThan(60);
    await expect(async () => {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      await expect(personRow(page, 'Person 0150')).toBeVisible({ timeout: 100 });
    }).toPass({ intervals: [20] });
    await expect(page.getByText('End of list')).toBeVisible();
    await seedEntries(
      { node, team },
      { name: 'Ann Lee', phone_number: '5551234567', email: 'ann@example.com' },
      ...buildEntries(150),
    );
    await menu.click();
    await drawer.getByRole('link', { name: 'Company Directory' }).click();
    await expect(drawer).toBeHidden();
    await expect(getCell(page, 'Ann Lee', 'Phone Number')).toHaveText('(555) 123-4567');
    expect(await smallTargets(page)).toEqual([]);
    const label = await getCell(page, 'Ann Lee', 'Phone Number').evaluate((cell) => {
      return getComputedStyle(cell, '::before').content;
    });
    expect(label).toBe('"Phone Number"');
    const heights = await entries(page).evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect(new Set(heights).size).toBe(1);
    expect(heights[0]).toBeGreaterThan(120);
    await scrollToEnd(page);
    await expect(entryRow(page, 'Entry 0150')).toBeVisible();
  });
});

async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('a, button, input, [role="menuitem"]')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      // A label around a control belongs to its target.
      .map((element) => ({
        box: (element.closest('label') ?? element).getBoundingClientRect(),
        html: element.outerHTML.slice(0, 80),
      }))
      .filter(({ box }) => box.bottom > 0 && (box.width < 24 || box.height < 24))
      .map(({ html }) => html),
  );
}

test('at 1024 pixels, with text at 200 %, and at a zoom of 200 %, lists fit and controls stay in reach', async ({
  page,
  node,
  team,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await seedEntries({ node, team }, { name: 'Ann Lee', phone_number: '5551234567' });
  await signIn(page, { node }, team.owner);
  await page.goto('/users/company_directory');
  expect((await entryRow(page, 'Ann Lee').boundingBox())?.height).toBeGreaterThan(120);
  await page.goto('/users/users');
  expect((await personRow(page, 'Olivia Owner').boundingBox())?.height).toBe(48);

  await page.setViewportSize({ width: 640, height: 400 });
  await page.goto('/users/users');
  await expectNoHorizontalScroll(page, '/users/users');
  await page.getByRole('button', { name: 'Actions for Olivia Owner' }).click();
  const item = page.getByRole('menuitem', { name: 'Send password reset' });
  await item.scrollIntoViewIfNeeded();
  await expect(item).toBeInViewport({ ratio: 1 });
  await expectNoHorizontalScroll(page, '/users/users');

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('html { font-size: 200% }');
      document.adoptedStyleSheets.push(sheet);
    });
  });
  for (const path of SCREENS) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeVisible();
    await expectNoHorizontalScroll(page, path);
  }
});
