import type { Page } from '@playwright/test';
import type { Screen } from './screen.ts';

/** The clock of the pictures, less some hours. */
const AGO = (hours: number) => Date.UTC(2026, 2, 2, 9, 41) - hours * 3_600_000;
const RECORDS = [
  {
    kind: 'integration_failing',
    count: 1,
    since: null,
    text: 'Zendesk refuses the credentials. Please enter them again.',
  },
  { kind: 'retention_overdue', count: 2, since: AGO(80) },
  { kind: 'deliveries_failed', count: 3, since: AGO(22) },
  { kind: 'invitations_failed', count: 2, since: AGO(3) },
  { kind: 'mails_waiting', count: 100, since: AGO(1), text: 'connect ECONNREFUSED 192.0.2.25:587' },
  { kind: 'retention_waiting', count: 1, since: AGO(-17) },
  { kind: 'invitations_pending', count: 1, since: AGO(30), text: 'nora.lind@northwind.example.com' },
];

async function home(page: Page, records: readonly object[]): Promise<void> {
  await page.route('**/attention', (route) => route.fulfill({ json: { records } }));
  await page.goto('/');
  await page.getByRole('heading', { name: 'Steward Admin Portal' }).waitFor();
  await page.waitForLoadState('networkidle');
}

/** The home screen: quiet, with much to look at, waiting and failing. */
export const HOME_SCREENS: readonly Screen[] = [
  { name: 'home', show: (page) => home(page, []) },
  { name: 'home-attention', show: (page) => home(page, RECORDS) },
  {
    name: 'home-skeleton',
    show: async (page) => {
      await page.route('**/attention', () => new Promise(() => undefined));
      await page.goto('/');
      await page.locator('[data-late]').waitFor();
    },
  },
  {
    name: 'home-error',
    show: async (page) => {
      await page.route('**/attention', (route) => route.abort());
      await page.goto('/');
      await page.getByRole('button', { name: 'Retry' }).waitFor();
    },
  },
];
