import type { Page } from '@playwright/test';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { expectAccessible, SIZES } from '../screens/accessible.ts';

const BASE = '/dashboard/billing';
const SCREENS = [
  ['settings', 'Settings', 'Settings'],
  ['activity_log', 'Activity Log', 'Activity Log'],
  ['history', 'History', 'History'],
  ['payment_method', 'Payment Method', 'Payment Method'],
  ['change_steward_plan', 'Plan', 'Plan'],
  ['steward_plans', 'Plan', 'All Plans'],
] as const;

/** The shell itself makes these calls. */
const SHELL_CALLS = /\/users\/(cookie_login|status\/ids|[^/]+\/(teams(\/members)?|image))$/;

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

function trackCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') && !SHELL_CALLS.test(pathname)) calls.push(`${request.method()} ${pathname}`);
  });
  return calls;
}

test('each screen has its path, tab and title, and makes no calls', async ({ page }) => {
  const calls = trackCalls(page);
  for (const [path, tab, title] of SCREENS) {
    await page.goto(`${BASE}/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Billing');
    await expect(page.getByRole('heading', { level: 2, name: title, exact: true })).toBeVisible();
    await expect(page).toHaveTitle(`${title} · Billing · Steward`);
    await expect(page.getByRole('navigation', { name: 'Billing' }).locator('[aria-current]')).toHaveText([tab]);
    await expect(page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]')).toHaveText(['Billing']);
    await expect(page.getByRole('note')).toContainText('Billing isn’t connected');
    await page.waitForLoadState('networkidle');
  }
  expect(calls).toEqual([]);
});

test('the tabs switch between the screens', async ({ page }) => {
  await page.goto('/users/users');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Billing' }).click();
  const tabs = page.getByRole('navigation', { name: 'Billing' });
  for (const [path, tab] of SCREENS.slice(0, 5)) {
    await tabs.getByRole('link', { name: tab, exact: true }).click();
    await expect(page).toHaveURL(`${BASE}/${path}`);
  }
});

test('the settings have every field, accept any number of emails, and send nothing', async ({ page }) => {
  const calls = trackCalls(page);
  await page.goto(`${BASE}/settings`);
  const form = page.getByRole('form', { name: 'Billing settings' });
  for (const label of ['Company name', 'Street', 'Suite', 'City', 'State', 'Postal code', 'Additional note']) {
    await form.getByLabel(label, { exact: true }).fill('1');
  }
  await form.getByLabel('Country').selectOption('New Zealand');
  await form.getByRole('textbox', { name: 'Billing email 1' }).fill('one@example.com');
  await form.getByRole('button', { name: 'Add another email' }).click();
  await expect(form.getByRole('textbox', { name: 'Billing email 2' })).toBeFocused();
  await page.keyboard.type('two@example.com');
  await form.getByRole('button', { name: 'Remove billing email 1' }).click();
  await expect(form.getByRole('textbox', { name: 'Billing email 1' })).toHaveValue('two@example.com');
  await expect(form.getByRole('textbox', { name: 'Billing email 1' })).toBeFocused();
  await expect(form.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
  const save = form.getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  await expect(save).toHaveAccessibleDescription('Billing isn’t connected, so nothing can be saved.');
  await form.getByLabel('City').press('Enter');
  await expect(page).toHaveURL(`${BASE}/settings`);
  await expect(form.getByLabel('City')).toHaveValue('1');
  expect(calls).toEqual([]);
});

test('the card fields accept only valid characters', async ({ page }) => {
  await page.goto(`${BASE}/payment_method`);
  const form = page.getByRole('form', { name: 'Payment method' });
  await form.getByLabel('Name').fill('Olivia Owner');
  await form.getByLabel('Number').pressSequentially('4242 4242 4242 4242 abc');
  await expect(form.getByLabel('Number')).toHaveValue('4242 4242 4242 4242 ');
  await form.getByLabel('Expiry').pressSequentially('1328');
  await expect(form.getByLabel('Expiry')).toHaveValue('13/28');
  await form.getByLabel('Security code').pressSequentially('12345');
  await expect(form.getByLabel('Security code')).toHaveValue('123');
  await expect(form.getByText('Enter a month from 01 to 12.')).toBeVisible();
  await form.getByLabel('Expiry').fill('12/28');
  await form.getByLabel('ZIP').fill('12345');
  await expect(form.getByText('Enter a month from 01 to 12.')).toHaveCount(0);
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
});

test('sample rows are labeled as sample data', async ({ page }) => {
  for (const [path, table] of [
    ['activity_log', 'Billing activity, sample data'],
    ['history', 'Invoices, sample data'],
  ]) {
    await page.goto(`${BASE}/${path}`);
    await expect(page.getByText('Sample data', { exact: true })).toBeVisible();
    expect(
      await page
        .getByRole('table', { name: table ?? '' })
        .getByRole('row')
        .count(),
    ).toBeGreaterThan(3);
  }
});

test('the plan shows the price, names the workspace owner, and links to all plans', async ({ page }) => {
  await page.goto(`${BASE}/change_steward_plan`);
  await expect(page.getByText('$8 per user per month')).toBeVisible();
  await expect(page.getByText('Only a workspace owner can change it.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Change plan' })).toBeDisabled();
  await page.getByRole('link', { name: 'See all plans' }).click();
  await expect(page).toHaveURL(`${BASE}/steward_plans`);
  await expect(page.getByText('$8 per user per month')).toBeVisible();
  await page.getByRole('link', { name: 'Back to your plan' }).click();
  await expect(page).toHaveURL(`${BASE}/change_steward_plan`);
});

test('plans of other products show the fallback screen', async ({ page }) => {
  for (const path of ['change_other_plan', 'other_plans', 'change__plan', 'change_steward_plans', 'nothing']) {
    await page.goto(`${BASE}/${path}`);
    await expect(page.getByRole('heading', { name: 'Page not found' }), path).toBeVisible();
  }
});

for (const [size, viewport] of Object.entries(SIZES)) {
  test.describe(`${size}, in both themes`, () => {
    test.use({ viewport });
    test.setTimeout(60_000);

    test('axe finds nothing on the billing screens', async ({ page }) => {
      for (const [path, , title] of SCREENS) {
        await page.goto(`${BASE}/${path}`);
        await expect(page.getByRole('heading', { level: 2, name: title, exact: true })).toBeVisible();
        await expectAccessible(page, path);
      }
    });
  });
}
