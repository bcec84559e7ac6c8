import type { Locator } from '@playwright/test';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { seedScreens } from '../browser/seed-screens.ts';

/** Focuses each entry as Tab does, and returns those that aren't entirely visible then. */
async function findCovered(entries: Locator): Promise<string[]> {
  const covered: string[] = [];
  for (const entry of await entries.all()) {
    await entry.focus();
    const isVisible = await entry.evaluate((element) => {
      const { left, top, width, bottom } = element.getBoundingClientRect();
      return [top + 1, bottom - 1].every((y) => element.contains(document.elementFromPoint(left + width / 2, y)));
    });
    if (!isVisible) covered.push(await entry.innerText());
  }
  return covered;
}

test('the sidebar fits every height and remembers what is closed, and lists begin near the top of a phone', async ({
  page,
  node,
  team,
}) => {
  await seedScreens({ node, team });
  await signIn(page, { node }, team.owner);
  await page.goto('/dashboard/team_settings/retention');
  const nav = page.getByRole('navigation', { name: 'Main' });
  await expect(nav.getByRole('link', { name: 'Audit Log' })).toBeInViewport({ ratio: 1 });
  await nav.getByRole('button', { name: 'Team Settings' }).click();
  await expect(nav.getByRole('link', { name: 'Default Channels' })).toBeHidden();
  await page.reload();
  await expect(nav.getByRole('button', { name: 'Team Settings' })).toHaveAttribute('aria-expanded', 'false');
  await nav.getByRole('button', { name: 'Team Settings' }).click();
  await expect(nav.getByRole('link', { name: 'Default Channels' })).toBeVisible();

  // The forms of Retention are listed below it only on their screens.
  await nav.getByRole('link', { name: 'Files' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'File Retention' })).toBeVisible();
  for (const height of [480, 640, 768, 900, 1080]) {
    await page.setViewportSize({ width: 1440, height });
    const entries = page.getByRole('navigation', { name: /Main|Help/ }).locator('a, button');
    expect(await findCovered(entries), `covered at ${height} pixels`).toEqual([]);
  }

  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/users/users', '/users/sign_ins', '/users/company_directory', '/dashboard/audit_log']) {
    await page.goto(path);
    const first = page.locator('[data-row="0"]');
    await expect(first).toBeVisible();
    expect((await first.boundingBox())?.y, path).toBeLessThan(240);
  }
  const teamName = page.getByRole('banner').getByText(team.name);
  expect(await teamName.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  for (const target of await page.getByRole('banner').locator('a, button').all()) {
    const box = await target.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0), await target.innerText()).toBeGreaterThanOrEqual(40);
  }
});
