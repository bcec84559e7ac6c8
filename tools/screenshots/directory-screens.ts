import type { Locator, Page } from '@playwright/test';
import type { Screen } from './screen.ts';

const LIST = '**/api/v4/teams/*/compdir*';
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

async function directory(page: Page, query = ''): Promise<void> {
  await page.goto(`/users/company_directory${query}`);
  await page.locator('[data-row]').first().waitFor();
  await page.waitForLoadState('networkidle');
}

/** Opens a dialog of the room by the button with this name. */
async function open(page: Page, button: RegExp, title: string): Promise<Locator> {
  await directory(page);
  await page.getByRole('button', { name: button }).first().click();
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.waitFor();
  return dialog;
}

/** The company directory in its states. */
export const DIRECTORY_SCREENS: readonly Screen[] = [
  { name: 'directory', show: (page) => directory(page) },
  {
    name: 'directory-search',
    show: (page) => directory(page, '?search=555'),
  },
  {
    name: 'directory-search-none',
    show: async (page) => {
      await page.goto('/users/company_directory?search=nobody%20like%20this');
      await heading(page, 'Nothing found');
    },
  },
  {
    name: 'directory-empty',
    show: async (page) => {
      await page.route(LIST, (route) => route.fulfill({ json: { records: [], last_key: null, reset: true } }));
      await page.goto('/users/company_directory');
      await heading(page, 'The directory is empty');
    },
  },
  {
    name: 'directory-skeleton',
    show: async (page) => {
      await page.route(LIST, () => new Promise(() => undefined));
      await page.goto('/users/company_directory');
      await page.locator('[role="table"][aria-busy="true"]').waitFor();
      await page.waitForTimeout(300);
    },
  },
  {
    name: 'directory-error',
    show: async (page) => {
      await page.route(LIST, (route) => route.abort());
      await page.goto('/users/company_directory');
      await heading(page, 'An Error Occurred!');
    },
  },
  { name: 'directory-add', show: (page) => open(page, /^Add Entry$/, 'Add Entry') },
  {
    name: 'directory-add-refused',
    show: async (page) => {
      const dialog = await open(page, /^Add Entry$/, 'Add Entry');
      await dialog.getByLabel('Email Address').fill('nora@office');
      await dialog.getByRole('button', { name: 'Add Entry' }).click();
      await dialog.getByText('Name is required.').waitFor();
    },
  },
  { name: 'directory-edit', show: (page) => open(page, /^Edit /, 'Edit Entry') },
  { name: 'directory-delete', show: (page) => open(page, /^Delete /, 'Delete Entry') },
];
