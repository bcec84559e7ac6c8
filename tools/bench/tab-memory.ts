import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@playwright/test';

/** What some work cost a tab, in MiB. */
export interface TabMemory {
  /** Most that its processes, workers included, had beyond before; NaN where the system does not tell. */
  working: number;
  /** How far the most of the second half of the time lies above the most of the first: about 0 is flat. */
  growth: number;
  /** Of the page's own heap once everything that can be let go is let go. */
  kept: number;
}

/** Watches the memory of a page's tab while some work goes on. */
export async function tabMemory(page: Page, work: () => Promise<void>): Promise<TabMemory> {
  const tab = await openTab(page);
  const kept = await tab.kept();
  const before = await tab.resident();
  const looks: number[] = [];
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await delay(250)) looks.push(await tab.resident());
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await watching;
  }
  const half = Math.ceil(looks.length / 2);
  const [early, late] = [Math.max(...looks.slice(0, half)), Math.max(...looks.slice(half))];
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
