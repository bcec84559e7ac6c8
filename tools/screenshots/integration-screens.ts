import type { Page } from '@playwright/test';
import type { Screen } from './screen.ts';

const NOW = Date.UTC(2026, 2, 2, 9, 41);
const LIST = '**/api/v4/admin/teams/*/integrations';
const ID = '0s4bq1zk7m2v9x8c3n5t6w1y2r';

const known = { id: ID, code: 'zendesk', name: 'Zendesk', warnings: [] as string[] };
const never = { last_delivery_at: null, last_error: '', last_error_at: null };
const OFF = { ...known, ...never, enabled: false, health: 'off' };
const FRESH = { ...known, ...never, enabled: true, health: 'ok' };
const RUNNING = { ...FRESH, last_delivery_at: NOW - 240_000 };
const FAILED = { last_error: 'The channel Office move 2024 is archived.', last_error_at: NOW - 3_600_000 };
const BROKEN = {
  ...RUNNING,
  health: 'failing',
  last_delivery_at: NOW - 90_000_000,
  warnings: ['Zendesk did not accept this email and token.'],
};
const DETAIL = {
  integration: ID,
  enabled: false,
  domain: '',
  username: '',
  authentication: 2,
  ticket_created: true,
  ticket_updated: false,
  message: '',
  channel_details: [],
  warnings: [],
  health: 'off',
  ...never,
};
const LEFT =
  'Some items couldn\'t be removed from northwind-old.zendesk.com. Delete the triggers and the webhook named "Steward: Northwind Studio" there.';

async function tiles(page: Page, records: readonly object[]): Promise<void> {
  await page.route(LIST, (route) => route.fulfill({ json: { records } }));
  await page.goto('/dashboard/integrations');
  await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor();
  await page.waitForLoadState('networkidle');
}

async function credentials(page: Page, detail: object = DETAIL): Promise<void> {
  await page.route(LIST, (route) => route.fulfill({ json: { records: [OFF] } }));
  await page.route(`${LIST}/*`, (route) => route.fulfill({ json: detail }));
  await page.goto(`/dashboard/settings/${ID}`);
  await page.getByLabel('Domain').waitFor();
}

async function typed(page: Page): Promise<void> {
  await credentials(page, { ...DETAIL, domain: 'northwind', username: 'maria.lindqvist@northwind.example' });
  await page.getByLabel('API Token').fill('shown-in-a-picture-shown-in-a-picture');
}

async function answered(page: Page, answer: { status: number; json: object } | 'never'): Promise<void> {
  await typed(page);
  await page.route(`${LIST}/*`, (route) => (answer === 'never' ? new Promise(() => undefined) : route.fulfill(answer)));
  await page.getByRole('button', { name: 'Save' }).click();
}

async function dialog(page: Page): Promise<void> {
  const detail = { ...DETAIL, enabled: true, domain: 'northwind', username: 'maria.lindqvist@northwind.example' };
  await page.route(LIST, (route) => route.fulfill({ json: { records: [RUNNING] } }));
  await page.route(`${LIST}/*`, (route) => route.fulfill({ json: { ...detail, health: 'ok' } }));
  await page.goto('/dashboard/triggers');
  await page.getByRole('button', { name: 'UPDATE CREDENTIAL' }).click();
  await page.getByRole('dialog').getByLabel('API Token').waitFor();
}

/** Tiles and credentials in their states. */
export const INTEGRATION_SCREENS: readonly Screen[] = [
  { name: 'integrations', show: (page) => tiles(page, [OFF]) },
  { name: 'integrations-fresh', show: (page) => tiles(page, [FRESH]) },
  { name: 'integrations-connected', show: (page) => tiles(page, [RUNNING]) },
  { name: 'integrations-warning', show: (page) => tiles(page, [{ ...RUNNING, ...FAILED, health: 'warning' }]) },
  { name: 'integrations-failing', show: (page) => tiles(page, [BROKEN]) },
  { name: 'integrations-empty', show: (page) => tiles(page, []) },
  {
    name: 'integrations-left',
    show: async (page) => {
      await answered(page, { status: 200, json: { status_code: 200, warnings: [LEFT] } });
      await page.getByText('Some items couldn').waitFor();
    },
  },
  { name: 'credentials', show: (page) => credentials(page) },
  {
    name: 'credentials-missing',
    show: async (page) => {
      await credentials(page);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The API token is required.').waitFor();
    },
  },
  {
    name: 'credentials-password',
    show: async (page) => {
      await credentials(page);
      await page.getByRole('switch').click();
      await page.getByText('Zendesk ended this').waitFor();
    },
  },
  {
    name: 'credentials-client',
    show: async (page) => {
      await credentials(page);
      await page.getByRole('radio', { name: 'An OAuth client' }).check();
    },
  },
  {
    name: 'credentials-saving',
    show: async (page) => {
      await answered(page, 'never');
      await page.getByText('Asking Zendesk.').waitFor();
    },
  },
  {
    name: 'credentials-refused',
    show: async (page) => {
      const message = 'Zendesk did not accept this email and token.';
      await answered(page, { status: 400, json: { status_code: 400, id: 'helpdesk.refused', message } });
      await page.getByRole('alert').getByText(message).hover();
    },
  },
  { name: 'credentials-dialog', show: dialog },
];
