import type { Page } from '@playwright/test';
import { boundRow, type Row, ratioRow } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { measureInTurns, timed } from '../setup/statistics.ts';
import { inBrowser, longestTask, watchTasks } from './browser.ts';

const TASK_MS = 100;

/** The portal's CSV of a team, against its calls alone from the same page. */
export async function csvDownload(bench: Bench): Promise<Row[]> {
  const team = await bench.smallerTeam();
  return inBrowser(bench.server, {
    team,
    work: async (page, origin) => {
      await page.goto(`${origin}/users/users`);
      await page.locator('[data-row="0"]').waitFor();
      await watchTasks(page);
      const path = `/api/v4/admin/teams/${team.id}/users?limit=2000`;
      const pair = await measureInTurns(
        3,
        () => timed(() => download(page)),
        () => timed(() => page.evaluate(callsAlone, path)),
      );
      const people = team.people.toLocaleString('en-US');
      const figures = { ours: pair.ours / 1000, limit: pair.limit / 1000, ratio: pair.ratio, unit: 's' };
      const task = boundRow('CSV download, longest task in the page', await longestTask(page), {
        max: TASK_MS,
        unit: 'ms',
      });
      return [ratioRow(`CSV download of ${people} rows, against the calls alone`, figures, { max: 1.5 }), task];
    },
  });
}

async function download(page: Page): Promise<void> {
  const file = page.waitForEvent('download', { timeout: 120_000 });
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await (await file).path();
}

/** In the page: fetches and parses every page of the list. */
async function callsAlone(path: string): Promise<void> {
  for (let lastKey: string | null = ''; lastKey !== null; ) {
    const response: Response = await fetch(lastKey === '' ? path : `${path}&last_key=${encodeURIComponent(lastKey)}`);
    lastKey = ((await response.json()) as { last_key: string | null }).last_key;
  }
}
