import type { Page } from '@playwright/test';
import type { Screen } from './screen.ts';

async function palette(page: Page, text = ''): Promise<void> {
  await page.goto('/users/users');
  await page.locator('[data-row]').first().waitFor();
  await page.getByRole('banner').getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill(text);
  await page.waitForLoadState('networkidle');
}

/** The command palette in its states. */
export const PALETTE_SCREENS: readonly Screen[] = [
  { name: 'palette', show: (page) => palette(page) },
  {
    name: 'palette-found',
    show: async (page) => {
      await palette(page, 'an');
      await page.getByRole('group', { name: 'People' }).waitFor();
    },
  },
  {
    name: 'palette-slip',
    show: async (page) => {
      await palette(page, 'retencion');
      await page
        .getByRole('option', { name: /^Retention/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'palette-nothing',
    show: async (page) => {
      await palette(page, 'nobody like this');
      await page.getByText('Nothing found for').waitFor();
    },
  },
  {
    name: 'palette-failed',
    show: async (page) => {
      await page.route('**/admin/teams/*/users?search=*', (route) => route.abort());
      await palette(page, 'ma');
      await page.getByText('Could not search people').waitFor();
    },
  },
];
