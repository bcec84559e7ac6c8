import type { Page } from '@playwright/test';
import type { Screen } from './screen.ts';

const MADE = Date.UTC(2026, 1, 12, 10, 5);
const BY = { created_by: 'o', created_by_name: 'Demo Owner' };
const TOKENS = [
  { ...BY, id: '1', name: 'Chat service', created_at: MADE, last_used_at: Date.UTC(2026, 2, 2, 9, 38) },
  { ...BY, id: '2', name: 'Phone system, Berlin', created_at: MADE - 86_400_000, last_used_at: MADE },
  { ...BY, id: '3', name: 'Meetings (being tried)', created_at: MADE - 172_800_000, last_used_at: 0 },
];
/** A made-up one: no workspace knows it. */
const SHOWN = { ...TOKENS[2], name: 'Voicemail', token: 'stw_shown-in-a-picture-shown-in-a-picture-shown' };

async function tokens(page: Page, records: readonly object[] = TOKENS): Promise<void> {
  await page.route('**/api/v4/admin/teams/*/tokens', (route) =>
    route.fulfill({ json: route.request().method() === 'GET' ? { records } : SHOWN }),
  );
  await page.goto('/dashboard/service_tokens');
  await page.getByRole('heading', { level: 1, name: 'Service Tokens' }).waitFor();
  await page.waitForLoadState('networkidle');
}

async function add(page: Page): Promise<void> {
  await tokens(page);
  await page.getByRole('button', { name: 'Add Token' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Voicemail');
}

/** The service tokens in their states. */
export const TOKEN_SCREENS: readonly Screen[] = [
  { name: 'tokens', show: (page) => tokens(page) },
  { name: 'tokens-empty', show: (page) => tokens(page, []) },
  { name: 'tokens-add', show: add },
  {
    name: 'tokens-new',
    show: async (page) => {
      await add(page);
      await page.keyboard.press('Enter');
      await page.getByText('It is shown this once').waitFor();
    },
  },
  {
    name: 'tokens-remove',
    show: async (page) => {
      await tokens(page);
      await page.getByRole('button', { name: 'Remove Chat service' }).click();
      await page.getByText('This cannot be undone').waitFor();
    },
  },
];
