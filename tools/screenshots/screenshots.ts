// `npm run screenshots`: every screen in its main states, at two sizes and in both themes, into docs/screens.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { chromium as findChromium } from '@steward/e2e/browser/chromium.ts';
import { createDemo } from '@steward/server/src/operator/demo/demo.actions.ts';
import { findAccount } from '@steward/server/src/workspace/people/accounts.store.ts';
import { recordPresence } from '@steward/server/src/workspace/people/people.store.ts';
import { listPersonTeams } from '@steward/server/src/workspace/teams/teams.store.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { signIn } from '@steward/server/testing/workspace/factories.ts';
import { optimizePng } from '../optimize-png.ts';
import { buildPortal } from '../run/build-portal.ts';
import type { Screen } from './screen.ts';
import { SCREENS } from './screens.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'docs/screens');
/** The largest team of the demo workspace. */
const TEAM = 'Northwind Studio';
const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const THEMES = ['light', 'dark'] as const;
/** The clock of every picture, so that a second run makes the same ones. */
const NOW = new Date('2026-03-02T09:41:00Z');

/** Takes the pictures whose names contain one of `wanted`, or all of them. */
async function takeScreenshots(wanted: readonly string[]): Promise<number> {
  await buildPortal();
  await using node = await startApp({ listen: true, pool: 6, portalDirectory: join(ROOT, 'apps/portal/dist') });
  const demo = await createDemo(node.deps);
  const owner = await findAccount(node.db, demo?.email ?? '');
  if (demo === undefined || owner === undefined) throw new Error('The demo workspace was not made.');
  await recordPresence(node.db, owner.id);
  const teams = await listPersonTeams(node.db, owner.id);
  const teamId = teams.find(({ display_name }) => display_name === TEAM)?.id ?? '';
  const cookies = getCookies(node, await signIn(node, { ...owner, password: demo.password }));
  const { executablePath, env } = await findChromium();
  const browser = await chromium.launch({ executablePath, env, args: ['--no-sandbox', '--disable-gpu'] });
  const screens = SCREENS.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  if (wanted.length === 0) await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  try {
    for (const screen of screens) await takeScreen(browser, { screen, url: node.url, cookies, teamId });
  } finally {
    await browser.close();
  }
  return screens.length * Object.keys(SIZES).length * THEMES.length;
}

type Cookies = Parameters<BrowserContext['addCookies']>[0];

function getCookies(node: TestApp, { id, token }: { id: string; token: string }): Cookies {
  const shared = { url: node.url, sameSite: 'Strict' as const };
  return [
    { ...shared, name: 'steward_token', value: token, httpOnly: true },
    { ...shared, name: 'steward_user', value: id },
  ];
}

interface Sitting {
  screen: Screen;
  url: string;
  cookies: Cookies;
  teamId: string;
}

async function takeScreen(browser: Browser, { screen, url, cookies, teamId }: Sitting): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    const context = await browser.newContext({
      baseURL: url,
      viewport,
      locale: 'en-US',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      hasTouch: size === 'phone',
    });
    try {
      if (!screen.signedOut) {
        await context.addCookies(cookies);
        await context.addInitScript((id) => localStorage.setItem('steward.team', id), teamId);
      }
      const page = await context.newPage();
      await page.clock.setFixedTime(NOW);
      await screen.show(page, size === 'phone');
      // Pictures far below the view are not fetched at all.
      await page.waitForFunction(() =>
        [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight),
      );
      for (const colorScheme of THEMES) await take(page, `${screen.name}-${size}-${colorScheme}`, colorScheme);
    } finally {
      await context.close();
    }
  }
}

async function take(page: Page, name: string, colorScheme: (typeof THEMES)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  await page.evaluate(() => document.fonts.ready);
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  await writeFile(join(FOLDER, `${name}.png`), optimizePng(picture));
}

const count = await takeScreenshots(process.argv.slice(2));
console.log(`${count} pictures in docs/screens`);
