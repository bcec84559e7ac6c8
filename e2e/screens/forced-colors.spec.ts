import { TIME_SCALE } from '@steward/server/testing/system/time-scale.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { seedScreens } from '../browser/seed-screens.ts';
import { expectAccessible } from './accessible.ts';
import { openScreen, TEAM_SCREENS } from './every-screen.ts';

/** Together these screens have radios, switches, a table and a menu. */
const WITH_STATES = ['/users/users', '/dashboard/team_settings/file_retention', '/dashboard/triggers'];

test.use({ forcedColors: 'active' });

test('every state survives Windows High Contrast', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 404/);
  test.setTimeout(180_000 * TIME_SCALE);
  await seedScreens({ node, team });
  await signIn(page, { node }, team.owner);
  for (const screen of TEAM_SCREENS.filter(({ isOfEmptyTeam, isBehindDialog }) => !isOfEmptyTeam && !isBehindDialog)) {
    await openScreen(page, screen, team);
    const { current, others, unmarked } = await page.evaluate(() => {
      const links = [...document.querySelectorAll<HTMLElement>('nav[aria-label="Main"] a')];
      const background = (link: HTMLElement) => getComputedStyle(link).backgroundColor;
      const isCurrent = (link: HTMLElement) => link.hasAttribute('aria-current');
      const ticks = document.querySelectorAll(
        'input[type="radio"]:not([role="switch"]), input[type="checkbox"]:not([role="switch"])',
      );
      return {
        current: links.filter(isCurrent).map(background),
        others: links.filter((link) => !isCurrent(link)).map(background),
        unmarked: [...ticks].filter((tick) => getComputedStyle(tick).appearance === 'none').length,
      };
    });
    for (const color of current) expect(others, screen.route).not.toContain(color);
    expect(unmarked, `${screen.route}: fields that the system does not draw`).toBe(0);
    if (WITH_STATES.includes(screen.route)) await expectAccessible(page, screen.route);
  }
});
