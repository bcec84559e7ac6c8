import type { Page } from '@playwright/test';
import { AUDIT_SCREENS } from './audit-screens.ts';
import { BILLING_SCREENS } from './billing-screens.ts';
import { CHANNEL_SCREENS } from './channel-screens.ts';
import { DIRECTORY_SCREENS } from './directory-screens.ts';
import { FILES_SCREENS } from './files-screens.ts';
import { HOME_SCREENS } from './home-screens.ts';
import { INTEGRATION_SCREENS } from './integration-screens.ts';
import { PALETTE_SCREENS } from './palette-screens.ts';
import { RETENTION_SCREENS } from './retention-screens.ts';
import type { Screen } from './screen.ts';
import { SESSION_SCREENS } from './session-screens.ts';
import { SIGNUP_SCREENS } from './signup-screens.ts';
import { TOKEN_SCREENS } from './token-screens.ts';
import { TRIGGER_SCREENS } from './trigger-screens.ts';
import { UPLOAD_SCREENS } from './upload-screens.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
const LIST = '**/api/v4/admin/teams/*/users*';

async function users(page: Page, query = ''): Promise<void> {
  await page.goto(`/users/users${query}`);
  await page.locator('[data-row]').first().waitFor();
  await page.waitForLoadState('networkidle');
}

async function openMenu(page: Page): Promise<void> {
  await users(page);
  await page
    .getByRole('button', { name: /^Actions for/ })
    .nth(3)
    .click();
  await page.getByRole('menuitem', { name: 'Revoke all sessions' }).waitFor();
}

async function chooseFirst(page: Page, action: string): Promise<void> {
  await openMenu(page);
  await page.getByRole('menuitem', { name: action }).click();
  await page.getByRole('dialog').waitFor();
}

/** Every screen and its main states (look.md), in the order of a first visit. */
export const SCREENS: readonly Screen[] = [
  {
    name: 'login',
    signedOut: true,
    show: async (page) => {
      await page.goto('/login');
      await heading(page, 'Sign in');
    },
  },
  {
    name: 'login-error',
    signedOut: true,
    show: async (page) => {
      await page.goto('/login');
      await page.getByLabel('Email').fill('owner@steward.example');
      await page.getByLabel('Password', { exact: true }).fill('not the password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Your password is incorrect').waitFor();
    },
  },
  {
    name: 'login-already',
    show: async (page) => {
      await page.goto('/login');
      await page.getByText('You are already logged in.').waitFor();
    },
  },
  {
    name: 'forgot-password',
    signedOut: true,
    show: async (page) => {
      await page.goto('/forgot_password');
      await heading(page, 'Forgot Password');
    },
  },
  {
    name: 'forgot-password-sent',
    signedOut: true,
    show: async (page) => {
      await page.goto('/forgot_password');
      await page.getByLabel('Email').fill('nobody@steward.example');
      await page.getByRole('button', { name: 'Send link' }).click();
      await heading(page, 'Check your email');
    },
  },
  {
    name: 'reset-password',
    signedOut: true,
    show: async (page) => {
      await page.goto('/reset_password?token=shown-in-a-picture');
      await heading(page, 'Choose a new password');
    },
  },
  {
    name: 'permission-error',
    signedOut: true,
    show: async (page) => {
      await page.goto('/permission_error');
      await page.getByText('sufficient permission').waitFor();
    },
  },
  ...SIGNUP_SCREENS,
  ...HOME_SCREENS,
  {
    name: 'account-menu',
    show: async (page) => {
      await users(page);
      await page.getByRole('button', { name: /, account/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    },
  },
  {
    name: 'switch-team',
    show: async (page) => {
      await users(page);
      await page.getByRole('link', { name: /, switch team/ }).click();
      await page.getByRole('dialog', { name: 'SWITCH TEAM' }).waitFor();
    },
  },
  {
    name: 'menu',
    show: async (page, isPhone) => {
      await users(page);
      if (!isPhone) return;
      await page.getByRole('button', { name: 'Menu', exact: true }).click();
      await page.getByRole('dialog', { name: 'Menu' }).waitFor();
    },
  },
  {
    name: 'fallback',
    show: async (page) => {
      await page.goto('/sms/manage_sms');
      await heading(page, 'There is no screen here');
    },
  },
  { name: 'users', show: (page) => users(page) },
  {
    name: 'users-scrolled',
    show: async (page) => {
      await users(page);
      await page.evaluate(() => window.scrollTo(0, 2_430));
      await page.getByText('First 100').waitFor({ state: 'attached' });
    },
  },
  {
    name: 'users-deactivated',
    show: async (page) => {
      await users(page, '?deactivated_accounts=1');
      const marked = page.locator('[data-row]').getByText('Deactivated');
      for (let top = 0; top < 6_000 && (await marked.count()) === 0; top += 400) await page.mouse.wheel(0, 400);
      await marked.first().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'users-filters',
    show: async (page) => {
      await users(page, '?workspace_admin=1');
      await page.getByRole('button', { name: /^Filters/ }).click();
      await page.getByRole('checkbox', { name: 'Primary Owner' }).waitFor();
    },
  },
  {
    name: 'users-search-pending',
    show: async (page) => {
      await users(page);
      await page.clock.pauseAt(new Date('2026-03-02T09:42:00Z'));
      await page.getByRole('searchbox').fill('maria');
      await page.locator('[data-pending]').waitFor();
    },
  },
  {
    name: 'users-skeleton',
    show: async (page) => {
      await page.route(LIST, () => new Promise(() => undefined));
      await page.goto('/users/users');
      await page.locator('[role="table"][aria-busy="true"]').waitFor();
      await page.waitForTimeout(300);
    },
  },
  {
    name: 'users-empty',
    show: async (page) => {
      await page.goto('/users/users?search=nobody%20like%20this');
      await heading(page, 'Nobody found');
    },
  },
  {
    name: 'users-error',
    show: async (page) => {
      await page.route(LIST, (route) => route.abort());
      await page.goto('/users/users');
      await heading(page, 'An Error Occurred!');
    },
  },
  { name: 'users-actions', show: openMenu },
  { name: 'users-revoke', show: (page) => chooseFirst(page, 'Revoke all sessions') },
  { name: 'users-reset', show: (page) => chooseFirst(page, 'Send password reset') },
  { name: 'users-edit', show: (page) => chooseFirst(page, 'Edit') },
  {
    name: 'users-add',
    show: async (page) => {
      await users(page);
      await page.getByRole('button', { name: 'Add User' }).click();
      await page.getByRole('dialog', { name: 'Add User' }).getByLabel('Email').waitFor();
    },
  },
  {
    name: 'users-add-refused',
    show: async (page) => {
      await users(page);
      await page.getByRole('button', { name: 'Add User' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add User' });
      await dialog.getByLabel('Email').fill('nora@');
      await dialog.getByRole('button', { name: 'Add User' }).click();
      await dialog.getByText('not an email address').waitFor();
    },
  },
  {
    name: 'users-alert',
    show: async (page) => {
      await chooseFirst(page, 'Revoke all sessions');
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke all sessions' }).click();
      await page.getByText('All sessions of User revoked successfully').hover();
    },
  },
  {
    name: 'users-download',
    show: async (page) => {
      await users(page);
      // One short page, and then none: the moment in between, for as long as it takes to take a picture of it.
      await page.route('**/users?*limit=2000*', async (route) => {
        const address = route.request().url();
        if (!address.includes('last_key')) await route.continue({ url: address.replace('limit=2000', 'limit=1000') });
      });
      await page.getByRole('button', { name: 'Download CSV' }).click();
      await page.getByRole('button', { name: 'Cancel download' }).waitFor();
      await page.getByText('1,000 people').waitFor();
    },
  },
  ...SESSION_SCREENS,
  ...PALETTE_SCREENS,
  ...DIRECTORY_SCREENS,
  ...UPLOAD_SCREENS,
  ...RETENTION_SCREENS,
  ...TOKEN_SCREENS,
  ...CHANNEL_SCREENS,
  ...TRIGGER_SCREENS,
  ...INTEGRATION_SCREENS,
  ...AUDIT_SCREENS,
  ...BILLING_SCREENS,
  ...FILES_SCREENS,
  {
    name: 'offline',
    show: async (page) => {
      await users(page);
      await page.context().setOffline(true);
      await page.getByText('You are offline').waitFor();
    },
  },
];
