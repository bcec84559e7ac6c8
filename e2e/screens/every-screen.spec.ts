import type { Page } from '@playwright/test';
import { routes } from '@steward/portal/src/app/routes.ts';
import { TIME_SCALE } from '@steward/server/testing/system/time-scale.ts';
import { expect, signIn } from '../browser/fixtures.ts';
import { seedScreens } from '../browser/seed-screens.ts';
import { makeTeam, type Team } from '../browser/team-members.ts';
import { test } from '../integrations/helpdesk-screen.ts';
import { RETENTION_PATHS } from '../retention/retention-screen.ts';
import { expectAccessible, SIZES } from './accessible.ts';
import { type EveryScreen, OPEN_SCREENS, openScreen, TEAM_SCREENS } from './every-screen.ts';
import { findLayoutProblems } from './layout-problems.ts';

function getName(element: Element): string {
  const words = element.getAttribute('aria-label') ?? element.textContent?.trim();
  return `${element.tagName.toLowerCase()} “${(words || element.getAttribute('role') || '').slice(0, 40)}”`;
}

/** Each stop is compared with the previous one. */
interface Stop {
  faults: string[];
  words: string;
  isEnd: boolean;
}

/** The page keeps this state between two stops. */
interface Kept {
  held?: HTMLElement;
  look?: string;
}

function checkPosition(held: HTMLElement): string[] {
  const { left, top, right, bottom } = held.getBoundingClientRect();
  const [from, to] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
  if (from >= to || right <= 0 || left >= innerWidth) return [`${getName(held)} is outside the view`];
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const over = [0.15, 0.5, 0.85].map((part) => document.elementFromPoint(x, from + part * (to - from)));
  const isSeen = over.some(
    (found) =>
      found !== null && (held.contains(found) || found.contains(held) || found.closest('label')?.control === held),
  );
  const [first] = over;
  const what = first ? `${getName(first)} .${first.className}` : 'nothing';
  return isSeen ? [] : [`${getName(held)} at ${Math.round(top)} to ${Math.round(bottom)} lies under ${what}`];
}

function isDay(element: Element | null): boolean {
  return element instanceof HTMLInputElement && element.type === 'date';
}

/** Includes three elements around it, because the focus ring may belong to a frame or cover a whole tile. */
function getStyleSnapshot(element: Element): string {
  const around: Element[] = [];
  for (let one: Element | null = element; one !== null && around.length < 4; one = one.parentElement) around.push(one);
  return around
    .flatMap((one) => [getComputedStyle(one), getComputedStyle(one, '::after'), getComputedStyle(one, '::before')])
    .map((style) => `${style.outline} ${style.boxShadow} ${style.borderColor} ${style.transform} ${style.clipPath}`)
    .join();
}

function checkTabStop(): Stop {
  const kept = (globalThis as unknown as { walk: Kept }).walk;
  const faults: string[] = [];
  const held = document.activeElement;
  const before = kept.held;
  if (before !== undefined) {
    // Day, month and year of a date field are three stops of one element.
    if (before === held && !isDay(held)) faults.push(`Tab stays at ${getName(before)}`);
    const isPlain = before !== held && before.isConnected && getStyleSnapshot(before) === kept.look;
    if (isPlain) faults.push(`${getName(before)} does not show the focus`);
  }
  if (!(held instanceof HTMLElement) || held === document.body) return { faults, words: '', isEnd: true };
  Object.assign(kept, { held, look: getStyleSnapshot(held) });
  faults.push(...checkPosition(held));
  return { faults, words: held.textContent?.trim() ?? '', isEnd: false };
}

const IN_PAGE: readonly unknown[] = [checkTabStop, getName, getStyleSnapshot, isDay, checkPosition];

/** `first` is the expected text of the first stop. */
interface Walk {
  steps: number;
  first: string | undefined;
}

/**
 * Tabs through the page and returns the problems: a stop without a visible focus, a covered stop, one outside of the
 * view, or a focus trap. Reduces motion, because a focus ring that fades in is invisible at first.
 */
async function checkTabOrder(page: Page, { steps, first }: Walk): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.scrollTo(0, 0);
    Object.assign(globalThis, { walk: {} });
  });
  const faults: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press('Tab');
    // The functions are sent together as text, because a single one wouldn't find the others in the page.
    const found = await page.evaluate<Stop>(`(() => { ${IN_PAGE.map(String).join('\n')} return checkTabStop(); })()`);
    faults.push(...found.faults);
    if (step === 0 && first !== undefined && found.words !== first) faults.push(`Tab begins at “${found.words}”`);
    // The browser's own buttons follow the last stop.
    if (found.isEnd) break;
  }
  return [...new Set(faults)];
}

const NARROW = { width: 360, height: 740 };
/** This is the size of a screen of 1280 × 800 at a zoom of 200 %. */
const ZOOMED = { width: 640, height: 400 };
/** The sidebar has 240 pixels, and the content has a margin of 32 on both sides. A form is 640 wide, a list as wide as the window. */
const EDGES = [0, 240 + 32 + 640, SIZES.wide.width - 32];
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
  await page.setViewportSize(SIZES.wide);
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

/** Checks that the content of the current screen ends at one of two edges. */
async function checkEdge(page: Page, screen: EveryScreen): Promise<void> {
  if (!isInShell(screen)) return;
  const right = await page.locator('#main').evaluate((main) => {
    const boxes = [...main.querySelectorAll('[role="table"], form, section, fieldset')];
    return Math.max(0, ...boxes.map((box) => Math.round(box.getBoundingClientRect().right)));
  });
  const isKnown = EDGES.some((edge) => Math.abs(edge - right) <= 1);
  expect.soft(isKnown, `${screen.route} ends at ${right} pixels`).toBe(true);
}

/** Checks that the current entry of the sidebar and the fields of the current screen survive Windows High Contrast. */
async function checkForcedColors(page: Page, { route, isBehindDialog }: EveryScreen): Promise<void> {
  if (isBehindDialog) return;
  await page.emulateMedia({ forcedColors: 'active' });
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
  await page.emulateMedia({ forcedColors: 'none' });
  for (const color of current) expect.soft(others, route).not.toContain(color);
  expect.soft(unmarked, `${route}: fields that the system does not draw`).toBe(0);
}

test.describe('at every size, by keyboard, in both themes and with forced colors nothing is wrong', () => {
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
        route.endsWith('_retention') && RETENTION_PATHS.includes(route)
          ? '/dashboard/team_settings/{$group}_retention'
          : route,
      ),
    );
    expect([...listed].sort()).toEqual(listPaths(routes.children).sort());

    trouble.expect(/status of 400.*(?:reset\/check|signup_check|join_check|still_needed_check|sso\/waiting)/);
    for (const screen of OPEN_SCREENS) {
      await checkScreen(page, screen, team);
      await checkColors(page, screen);
    }
    await signIn(page, { node }, team.owner);
    for (const screen of TEAM_SCREENS.filter(({ isEmptyAtFirst }) => isEmptyAtFirst)) {
      await checkScreen(page, screen, team);
      await checkColors(page, screen);
    }
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
        await checkEdge(page, screen);
        await checkForcedColors(page, screen);
      }
    });
  }
});
