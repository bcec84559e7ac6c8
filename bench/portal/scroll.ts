import { boundRow, type Row, short } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { inBrowser, traceTasks } from './browser.ts';

const ROWS_IN_DOM = 60;
const TASK_MS = 40;
const SCROLL_WITHIN_MS = 180_000;

/** Scrolls through a team of up to 100,000 people, the list growing on the way. */
export async function scrolling(bench: Bench): Promise<Row[]> {
  const team = await bench.smallerTeam();
  const wanted = bench.options.isQuick ? Math.min(5_000, team.people) : Math.floor(team.people * 0.95);
  const seen = await inBrowser(bench.server, {
    team,
    work: async (page, origin) => {
      await page.goto(`${origin}/users/users`);
      await page.locator('[data-row="0"]').waitFor();
      await page.waitForLoadState('networkidle');
      let scrolled = { most: 0, last: 0, seconds: 0 };
      const task = await traceTasks(page, async () => {
        scrolled = await page.evaluate(scrollDown, { wanted, within: SCROLL_WITHIN_MS });
      });
      return { ...scrolled, task };
    },
  });
  const row = `scrolling ${seen.last.toLocaleString('en-US')} people`;
  const limit = `${short(seen.seconds)} s for all of them`;
  return [
    boundRow(`${row}, rows in the DOM`, seen.most, { max: ROWS_IN_DOM, unit: 'rows', limit }),
    boundRow(`${row}, longest task (processor)`, seen.task.processor, {
      max: TASK_MS,
      unit: 'ms',
      limit: `${short(seen.task.elapsed)} ms elapsed`,
    }),
  ];
}

/** In the page: scrolls two screens per frame until that row is shown. */
async function scrollDown({ wanted, within }: { wanted: number; within: number }) {
  const table = document.querySelector('[role=table]');
  let scroller: Element | null = table;
  while (
    scroller &&
    !(scroller.scrollHeight > scroller.clientHeight && /auto|scroll/.test(getComputedStyle(scroller).overflowY))
  )
    scroller = scroller.parentElement;
  const moved = scroller ?? document.scrollingElement ?? document.body;
  const from = performance.now();
  let most = 0;
  let last = 0;
  while (last < wanted && performance.now() - from < within) {
    moved.scrollTop += 1_800;
    await new Promise(requestAnimationFrame);
    const rows = document.querySelectorAll('[data-row]');
    most = Math.max(most, rows.length);
    for (const row of rows) last = Math.max(last, Number(row.getAttribute('data-row')) + 1);
  }
  return { most, last, seconds: (performance.now() - from) / 1000 };
}
