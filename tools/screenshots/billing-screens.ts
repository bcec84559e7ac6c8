import type { Page } from '@playwright/test';
import type { Screen } from './screen.ts';

async function billing(page: Page, path: string): Promise<void> {
  await page.goto(`/dashboard/billing/${path}`);
  await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor();
  await page.waitForLoadState('networkidle');
}

/** The billing screens: nothing on them is connected. */
export const BILLING_SCREENS: readonly Screen[] = [
  { name: 'billing-settings', show: (page) => billing(page, 'settings') },
  {
    name: 'billing-settings-emails',
    show: async (page) => {
      await billing(page, 'settings');
      await page.getByLabel('Country').selectOption({ label: 'Germany' });
      await page.getByLabel('Billing email 1').fill('accounts@northwind.example');
      await page.getByRole('button', { name: 'Add another email' }).click();
      await page.getByRole('button', { name: 'Save' }).scrollIntoViewIfNeeded();
    },
  },
  { name: 'billing-activity', show: (page) => billing(page, 'activity_log') },
  { name: 'billing-history', show: (page) => billing(page, 'history') },
  {
    name: 'billing-payment',
    show: async (page) => {
      await billing(page, 'payment_method');
      await page.getByLabel('Expiry').fill('13/28');
      await page.getByLabel('Security code').focus();
      await page.getByText('A month goes from 01 to 12.').waitFor();
    },
  },
  { name: 'billing-plan', show: (page) => billing(page, 'change_steward_plan') },
  { name: 'billing-plans', show: (page) => billing(page, 'steward_plans') },
];
