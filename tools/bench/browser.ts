import { chromium, type Page } from '@playwright/test';
import { chromium as findChromium } from '@steward/e2e/browser/chromium.ts';
import type { Team } from './bench-database.ts';
import { type Server, signIn } from './processes.ts';

/** Runs some work in a page of a real browser, signed in as the owner when a team is given. */
export async function inBrowser<T>(
  server: Server,
  { team, work }: { team?: Team; work: (page: Page, origin: string) => Promise<T> },
): Promise<T> {
  const { executablePath, env } = await findChromium();
  const browser = await chromium.launch({ executablePath, env, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const origin = `http://localhost:${server.port}`;
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true });
    if (team) {
      const cookies = (await signIn(server, team)).split('; ').map((cookie) => cookie.split('=') as [string, string]);
      await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: origin })));
    }
    return await work(await context.newPage(), origin);
  } finally {
    await browser.close();
  }
}

/** Writes down from now on how long each task over 50 ms took; `longestTask` reads it. */
export async function watchTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(globalThis, { benchTasks: seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.push(duration);
    }).observe({ type: 'longtask' });
  });
}

/** The longest task in milliseconds; tasks of up to 50 count as none. */
export async function longestTask(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, ...(globalThis as unknown as { benchTasks: number[] }).benchTasks));
}
