import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { chromium as findChromium } from '@steward/e2e/browser/chromium.ts';
import type { Team } from '../setup/database.ts';
import { type Server, signIn } from '../setup/processes.ts';

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

/** Records the duration of tasks over 50 ms; `longestTask` reads them. */
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

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds, elapsed and of the processor. */
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

/**
 * Runs some work and returns its longest tasks in the page in milliseconds, by processor time and by the clock: on a machine with other work, the
 * second tells more about that. Unlike `longestTask`, this knows tasks of any length.
 */
export async function traceTasks(page: Page, work: () => Promise<void>) {
  const browser = page.context().browser();
  if (!browser) throw new Error('The page belongs to no browser.');
  await browser.startTracing(page, { categories: ['toplevel'] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const place = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const main = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(place),
  );
  const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && main.has(place(event)));
  if (tasks.length === 0) throw new Error('The trace has no tasks of the page.');
  const longest = (key: 'dur' | 'tdur') => tasks.reduce((most, task) => Math.max(most, task[key] ?? 0), 0) / 1000;
  return { processor: longest('tdur'), elapsed: longest('dur') };
}

/** Memory that some work took in a tab, in MiB. */
export interface TabMemory {
  /** Peak of its processes, workers included, above the start; NaN if unknown on this system. */
  working: number;
  /** Peak of the second half of the time minus the peak of the first: about 0 is flat. */
  growth: number;
  /** Growth of the page's heap after garbage collection. */
  kept: number;
}

/** Measures the memory of a page's tab while some work runs. */
export async function tabMemory(page: Page, work: () => Promise<void>): Promise<TabMemory> {
  const tab = await openTab(page);
  const kept = await tab.kept();
  const before = await tab.resident();
  const samples: number[] = [];
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await delay(250)) samples.push(await tab.resident());
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await watching;
  }
  const half = Math.ceil(samples.length / 2);
  const [early, late] = [Math.max(...samples.slice(0, half)), Math.max(...samples.slice(half))];
  return { working: Math.max(early, late) - before, growth: late - early, kept: (await tab.kept()) - kept };
}

async function openTab(page: Page) {
  const heap = await page.context().newCDPSession(page);
  const browser = await page.context().browser()?.newBrowserCDPSession();
  if (!browser) throw new Error('The page belongs to no browser.');
  return {
    async resident(): Promise<number> {
      const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
      const renderers = processInfo.filter(({ type }) => type === 'renderer');
      const sizes = await Promise.all(renderers.map(({ id }) => residentKiB(id)));
      return sizes.reduce((sum, size) => sum + size, 0) / 1024;
    },
    async kept(): Promise<number> {
      await heap.send('HeapProfiler.collectGarbage');
      return (await heap.send('Runtime.getHeapUsage')).usedSize / 2 ** 20;
    },
  };
}

async function residentKiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN);
}
