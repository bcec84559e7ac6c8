import type { Page } from '@playwright/test';
import type { Screen } from './screen.ts';

/** The clock of the pictures, less some minutes. */
const AGO = (minutes: number) => Date.UTC(2026, 2, 2, 9, 41) - minutes * 60_000;
const SESSIONS = [
  { id: '1', device: 'Firefox on Windows', address: '192.0.2.7', last_seen_at: AGO(0) },
  { id: '2', device: 'Safari on iOS', address: '2001:db8:85a3:8d3:1319:8a2e:370:7348', last_seen_at: AGO(12) },
  { id: '3', device: 'Chrome on Android', address: '198.51.100.23', last_seen_at: AGO(47) },
].map((session) => ({ ...session, created_at: AGO(300), is_current: false }));

async function sessions(page: Page, records: readonly object[], name = 'Revoke all sessions'): Promise<void> {
  await page.route('**/users/*/sessions', (route) => route.fulfill({ json: { records } }));
  await page.route('**/users/*/sessions/revoke', (route) =>
    route.fulfill({ json: { status_code: 200, revoked: 1, devices: [] } }),
  );
  await page.route('**/users/*/sessions/revoke/all', (route) =>
    route.fulfill({ json: { status_code: 200, revoked: 3, devices: records } }),
  );
  const isOwn = name === 'Your sessions';
  await page.goto(isOwn ? '/users/users?search=demo%20owner' : '/users/users');
  await page.locator('[data-row]').first().waitFor();
  await page.waitForLoadState('networkidle');
  const menus = page.getByRole('button', { name: isOwn ? /^Actions for Demo Owner/ : /^Actions for/ });
  await menus.nth(isOwn ? 0 : 3).click();
  await page.getByRole('menuitem', { name }).click();
  await page.getByRole('dialog', { name }).waitFor();
}

/** The sessions of somebody, in the dialog that ends them. */
export const SESSION_SCREENS: readonly Screen[] = [
  { name: 'users-sessions', show: (page) => sessions(page, SESSIONS) },
  {
    name: 'users-sessions-many',
    show: (page) =>
      sessions(
        page,
        Array.from({ length: 20 }, (_, at) => ({ ...SESSIONS[at % 3], id: String(at) })),
      ),
  },
  { name: 'users-sessions-none', show: (page) => sessions(page, []) },
  {
    name: 'users-sessions-one-ended',
    show: async (page) => {
      await sessions(page, SESSIONS);
      await page.getByRole('button', { name: /^End Safari/ }).click();
      await page.getByText('is signed out.').waitFor();
    },
  },
  {
    name: 'users-sessions-receipt',
    show: async (page) => {
      await sessions(page, SESSIONS);
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke all sessions' }).click();
      await page.getByRole('list', { name: 'Ended sessions' }).waitFor();
    },
  },
  {
    name: 'users-sessions-error',
    show: async (page) => {
      await sessions(page, []);
      await page.keyboard.press('Escape');
      await page.unroute('**/users/*/sessions');
      await page.route('**/users/*/sessions', (route) => route.abort());
      await page
        .getByRole('button', { name: /^Actions for/ })
        .nth(3)
        .click();
      await page.getByRole('menuitem', { name: 'Revoke all sessions' }).click();
      await page.getByText('could not be loaded').waitFor();
    },
  },
  {
    name: 'users-sessions-own',
    show: (page) =>
      sessions(
        page,
        SESSIONS.map((each, at) => ({ ...each, is_current: at === 0 })),
        'Your sessions',
      ),
  },
];
