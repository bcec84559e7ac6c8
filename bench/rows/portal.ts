import { chromium, type Page } from '@playwright/test';
import { chromium as findChromium } from '@steward/e2e/browser/chromium.ts';
import { buildPortal } from '../../tools/build/build-portal.ts';
import type { Bench } from '../bench.ts';
import { type Server, signIn, startServer } from '../setup/server.ts';
import { boundFigure, type Figure, median, ratioFigure, timed } from '../setup/statistics.ts';

const SCROLL_WITHIN_MS = 180_000;

async function withPage<T>(
  server: Server,
  cookies: string,
  work: (page: Page, origin: string) => Promise<T>,
): Promise<T> {
  const { executablePath, env } = await findChromium();
  const browser = await chromium.launch({ executablePath, env, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const origin = `http://localhost:${server.port}`;
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const pairs = cookies === '' ? [] : cookies.split('; ').map((cookie) => cookie.split('='));
    await context.addCookies(pairs.map(([name = '', value = '']) => ({ name, value, url: origin })));
    return await work(await context.newPage(), origin);
  } finally {
    await browser.close();
  }
}

async function startPortal({ database }: Bench): Promise<Server> {
  await buildPortal();
  return startServer(database);
}

const firstUser = (page: Page) => page.locator('[data-row="0"]').waitFor();

/** Measures downloads of the first two screens in a browser without a cache. */
export async function firstLoad(bench: Bench): Promise<Figure[]> {
  await using server = await startPortal(bench);
  const cookies = await signIn(server, bench.small);
  const login = await withPage(server, '', (page, origin) =>
    weigh(page, `${origin}/login`, () => page.getByLabel('Email').waitFor()),
  );
  const users = await withPage(server, cookies, (page, origin) =>
    weigh(page, `${origin}/users/users`, () => firstUser(page)),
  );
  return [
    boundFigure('/login, JS and CSS', login.code, { max: 150, unit: 'KB' }),
    boundFigure('/users/users, JS and CSS', users.code, { max: 230, unit: 'KB' }),
    boundFigure('/users/users, until the first row', users.requests, { max: 25, unit: 'requests' }),
  ];
}

/** Counts requests until the page is ready, and KB (1,000 bytes) of code until it is idle, headers included. */
async function weigh(page: Page, address: string, ready: () => Promise<void>) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const isCode = new Map<string, boolean>();
  let bytes = 0;
  let started = 0;
  session.on('Network.requestWillBeSent', () => (started += 1));
  session.on('Network.responseReceived', ({ requestId, type }) =>
    isCode.set(requestId, type === 'Script' || type === 'Stylesheet'),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (isCode.get(requestId)) bytes += encodedDataLength;
  });
  await page.goto(address);
  await ready();
  const requests = started;
  await page.waitForLoadState('networkidle');
  return { code: bytes / 1000, requests };
}

/** Measures the time until the first row of Manage Users is shown without a cache, against a page of two words. */
export async function firstRow(bench: Bench): Promise<Figure[]> {
  await using server = await startPortal(bench);
  const cookies = await signIn(server, bench.small);
  const times = { ours: [] as number[], blank: [] as number[] };
  for (let time = 0; time < 5; time += 1) {
    await withPage(server, cookies, async (page, origin) => {
      // The browser is already open, because its first page starts a process.
      times.blank.push(await timed(() => page.goto(`${origin}/healthz`)));
      times.ours.push(
        await timed(async () => {
          await page.goto(`${origin}/users/users`);
          await firstUser(page);
        }),
      );
    });
  }
  const pair = { ours: median(times.ours), reference: median(times.blank) };
  return [ratioFigure('first row of Manage Users', pair, { is: 'a page of two words', unit: 'ms', max: 8 })];
}

/** The list grows while the page scrolls through the team. */
export async function scrolling(bench: Bench): Promise<Figure[]> {
  await using server = await startPortal(bench);
  const wanted = bench.isQuick ? 5_000 : Math.floor(bench.small.people * 0.95);
  const { last, tasks } = await withPage(server, await signIn(server, bench.small), async (page, origin) => {
    await page.goto(`${origin}/users/users`);
    await firstUser(page);
    await page.waitForLoadState('networkidle');
    let shown = 0;
    const longest = await traceTasks(page, async () => {
      shown = await page.evaluate(scrollDown, { wanted, within: SCROLL_WITHIN_MS });
    });
    return { last: shown, tasks: longest };
  });
  if (last < wanted) throw new Error(`Scrolling reached row ${last} of ${wanted}.`);
  return [
    boundFigure(`${last.toLocaleString('en-US')} users, longest task, processor time`, tasks.processor, {
      max: 50,
      unit: 'ms',
      reference: { is: 'the longest by the clock, with waiting for a processor', value: tasks.elapsed },
    }),
  ];
}

/** Runs in the page: scrolls two screens per frame until that row is shown, and returns the number of the last row. */
async function scrollDown({ wanted, within }: { wanted: number; within: number }): Promise<number> {
  const scrolls = (element: Element) =>
    element.scrollHeight > element.clientHeight && /auto|scroll/.test(getComputedStyle(element).overflowY);
  let scroller = document.querySelector('[role=table]');
  while (scroller && !scrolls(scroller)) scroller = scroller.parentElement;
  const moved = scroller ?? document.documentElement;
  const from = performance.now();
  let last = 0;
  while (last < wanted && performance.now() - from < within) {
    moved.scrollTop += 1_800;
    await new Promise(requestAnimationFrame);
    for (const row of document.querySelectorAll('[data-row]'))
      last = Math.max(last, Number(row.getAttribute('data-row')) + 1);
  }
  return last;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Elapsed time and processor time, in microseconds. */
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

/** Returns the longest tasks of the page's main thread in milliseconds. */
async function traceTasks(page: Page, work: () => Promise<void>): Promise<{ processor: number; elapsed: number }> {
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
  const longest = (key: 'dur' | 'tdur') => Math.max(...tasks.map((task) => task[key] ?? 0)) / 1000;
  return { processor: longest('tdur'), elapsed: longest('dur') };
}
