import type { Page } from '@playwright/test';
import { boundRow, type Row, ratioRow } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { median, timed } from '../setup/statistics.ts';
import { inBrowser } from './browser.ts';

const LOGIN_KB = 120;
const USERS_KB = 185;
const FONTS_KB = 50;
/** Times of a page of two words, and requests. */
const FIRST_ROW_MAX = 6;
const REQUESTS_MAX = 20;
const TIMES = 5;

interface Weight {
  code: number;
  fonts: number;
  /** Until the page is ready. */
  requests: number;
}

/** What a browser without a cache downloads for the first two screens, and when the first user is shown. */
export async function firstLoad({ server, team }: Bench): Promise<Row[]> {
  const login = await inBrowser(server, {
    work: (page, origin) => weigh(page, `${origin}/login`, () => page.getByLabel('Email').waitFor()),
  });
  const firstRows: number[] = [];
  const blanks: number[] = [];
  let users: Weight = { code: 0, fonts: 0, requests: 0 };
  for (let time = 0; time < TIMES; time += 1) {
    users = await inBrowser(server, {
      team,
      work: async (page, origin) => {
        // In an open browser: the very first page starts a process.
        blanks.push(await timed(() => page.goto(`${origin}/healthz`)));
        const from = performance.now();
        return weigh(page, `${origin}/users/users`, async () => {
          await page.locator('[data-row="0"]').waitFor();
          firstRows.push(performance.now() - from);
        });
      },
    });
  }
  return [
    boundRow('first load of /login, JS and CSS', login.code, { max: LOGIN_KB, unit: 'KB' }),
    boundRow('first load of /users/users, JS and CSS', users.code, { max: USERS_KB, unit: 'KB' }),
    boundRow('fonts', Math.max(login.fonts, users.fonts), { max: FONTS_KB, unit: 'KB' }),
    ratioRow(
      '/users/users, first row shown, against a page of two words',
      { ours: median(firstRows), limit: median(blanks), unit: 'ms' },
      { max: FIRST_ROW_MAX },
    ),
    boundRow('/users/users, requests until then', users.requests, { max: REQUESTS_MAX, unit: 'requests' }),
  ];
}

/** KB (1,000 bytes) transferred until the page is idle, headers included. */
async function weigh(page: Page, address: string, ready: () => Promise<void>): Promise<Weight> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const types = new Map<string, string>();
  const sizes = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  let requests = 0;
  session.on('Network.requestWillBeSent', () => (requests += 1));
  await page.goto(address);
  await ready();
  const requested = requests;
  await page.waitForLoadState('networkidle');
  const sum = (...wanted: string[]) =>
    [...sizes].reduce((total, [id, size]) => (wanted.includes(types.get(id) ?? '') ? total + size : total), 0) / 1000;
  return { code: sum('Script', 'Stylesheet'), fonts: sum('Font'), requests: requested };
}
