import type { Page } from '@playwright/test';
import { routes } from '@steward/portal/src/app/routes.ts';
import { TIME_SCALE } from '@steward/server/testing/system/time-scale.ts';
import { expect, signIn } from '../browser/fixtures.ts';
import { seedScreens } from '../browser/seed-screens.ts';
import { makeTeam, type Team } from '../browser/team-members.ts';
import { test } from '../integrations/helpdesk-screen.ts';
import { expectAccessible } from './accessible.ts';
import { type EveryScreen, OPEN_SCREENS, openScreen, TEAM_SCREENS } from './every-screen.ts';
import { findLayoutProblems } from './layout-problems.ts';
import { checkTabOrder } from './tab-order.ts';

const NARROW = { width: 360, height: 740 };
/** This is the size of a screen of 1280 × 800 at a zoom of 200 %. */
const ZOOMED = { width: 640, height: 400 };
const WIDE = { width: 1280, height: 800 };
const TAB_STOPS = 40;
const LONG_TEAM = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

type Branch = (typeof routes)['children'];

function listPaths(branch: Branch): string[] {
  return (branch ?? []).flatMap((node) => [
    ...(node.type === 'index' ? ['/'] : node.type === 'route' ? [node.path] : []),
    ...('children' in node ? listPaths(node.children) : []),
  ]);
}

/** Checks the layout, tab order and titles of one screen. Problems are collected, so that the remaining checks still run. */
async function checkScreen(page: Page, screen: EveryScreen, team: Team): Promise<void> {
  const { route, title } = screen;
  await page.setViewportSize(NARROW);
  await openScreen(page, screen, team);
  expect.soft(await findLayoutProblems(page), `${route} at 360 pixels`).toEqual([]);
  await page.setViewportSize(ZOOMED);
  expect.soft(await findLayoutProblems(page), `${route} at a zoom of 200 %`).toEqual([]);
  const first = isInShell(screen) ? 'Skip to content' : undefined;
  expect.soft(await checkTabOrder(page, { steps: TAB_STOPS, first }), `${route} by Tab`).toEqual([]);
  expect.soft(await page.title(), route).toBe(`${title} · Steward`);
  expect.soft(await page.locator('h1').count(), `${route}: headings of the first level`).toBe(1);
}

function isInShell(screen: EveryScreen): boolean {
  return TEAM_SCREENS.includes(screen) && screen.isBehindDialog !== true && screen.isOutsideShell !== true;
}

/** Checks the contrast of the current screen, and that nothing moves with reduced motion. */
async function checkColors(page: Page, { route }: EveryScreen): Promise<void> {
  await page.setViewportSize(WIDE);
  await expectAccessible(page, route);
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      // A fading color isn't motion.
      .filter((animation) => !(animation instanceof CSSTransition && /color/.test(animation.transitionProperty)))
      .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 80)),
  );
  expect.soft(moving, `${route}: what moves with reduced motion`).toEqual([]);
}

test.describe('at 360 pixels, at a zoom of 200 %, by keyboard and in both themes nothing is wrong', () => {
  test.setTimeout(180_000 * TIME_SCALE);

  test('on the screens outside the shell and those of an empty team, and no route is missing', async ({
    page,
    node,
    team,
    trouble,
  }) => {
    const listed = new Set(
      [...OPEN_SCREENS, ...TEAM_SCREENS].map(({ route }) =>
        // Several screens share a single route with a parameter.
        route.endsWith('_retention') ? '/dashboard/team_settings/{$group}_retention' : route,
      ),
    );
    expect([...listed].sort()).toEqual(listPaths(routes.children).sort());

    trouble.expect(/status of 400.*(?:reset\/check|signup_check|join_check|sso\/waiting)/);
    for (const screen of OPEN_SCREENS) {
      await checkScreen(page, screen, team);
      await checkColors(page, screen);
    }
    await signIn(page, { node }, team.owner);
    for (const screen of TEAM_SCREENS.filter(({ isEmptyAtFirst }) => isEmptyAtFirst))
      await checkScreen(page, screen, team);
  });

  const filled = TEAM_SCREENS.filter(({ isOfEmptyTeam }) => !isOfEmptyTeam);
  const half = Math.ceil(filled.length / 2);
  for (const [which, screens] of [
    ['first', filled.slice(0, half)],
    ['second', filled.slice(half)],
  ] as const) {
    test(`on the ${which} half of the screens of a team with the longest names`, async ({ page, node, trouble }) => {
      trouble.expect(/status of 404.*no\/such\/place/);
      const team = await makeTeam(node, LONG_TEAM);
      await seedScreens({ node, team });
      await signIn(page, { node }, team.owner);
      for (const screen of screens) {
        await checkScreen(page, screen, team);
        await checkColors(page, screen);
      }
    });
  }
});
