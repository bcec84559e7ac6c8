import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openScreen } from '#testing/open-screen.tsx';

// A call without an answer fails each of these tests, so they also show that the screens make no calls.

const BASE = '/dashboard/billing';
const SCREENS = [
  ['settings', 'Settings', 'Settings'],
  ['activity_log', 'Activity Log', 'Activity Log'],
  ['history', 'History', 'History'],
  ['payment_method', 'Payment Method', 'Payment Method'],
  ['change_steward_plan', 'Plan', 'Plan'],
  ['steward_plans', 'Plan', 'All Plans'],
] as const;

test.each(SCREENS)('%s has its tab and title, and makes no calls', async (path, tab, title) => {
  openScreen(`${BASE}/${path}`);
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Billing');
  expect(screen.getByRole('heading', { level: 2, name: title })).toBeInTheDocument();
  expect(document.title).toBe(`${title} · Billing · Steward`);
  const current = (name: string) =>
    within(screen.getByRole('navigation', { name }))
      .getAllByRole('link')
      .filter((link) => link.ariaCurrent !== null);
  expect(current('Billing').map(({ textContent }) => textContent)).toEqual([tab]);
  expect(current('Main').map(({ textContent }) => textContent)).toEqual(['Billing']);
  expect(screen.getByRole('note')).toHaveTextContent('Billing isn’t connected');
});

test('the tabs switch between the screens', async () => {
  const { user, router } = openScreen(`${BASE}/steward_plans`);
  await screen.findByRole('heading', { level: 2, name: 'All Plans' });
  for (const [path, tab] of SCREENS.slice(0, 5)) {
    const tabs = within(screen.getByRole('navigation', { name: 'Billing' }));
    await user.click(tabs.getByRole('link', { name: tab }));
    await waitFor(() => expect(router.state.location.href).toBe(`${BASE}/${path}`));
  }
});

test('the settings have every field, accept any number of emails, and can’t be saved', async () => {
  const { user, router } = openScreen(`${BASE}/settings`);
  const form = within(await screen.findByRole('form', { name: 'Billing settings' }));
  for (const label of ['Company name', 'Street', 'Suite', 'City', 'State', 'Postal code', 'Additional note'])
    await user.type(form.getByRole('textbox', { name: label }), '1');
  await user.selectOptions(form.getByRole('combobox', { name: 'Country' }), 'New Zealand');
  const email = (nth: number) => form.getByRole('textbox', { name: `Billing email ${nth}` });
  await user.type(email(1), 'one@example.com');
  await user.click(form.getByRole('button', { name: 'Add another email' }));
  await waitFor(() => expect(email(2)).toHaveFocus());
  await user.keyboard('two@example.com');
  await user.click(form.getByRole('button', { name: 'Remove billing email 1' }));
  expect(email(1)).toHaveValue('two@example.com');
  await waitFor(() => expect(email(1)).toHaveFocus());
  expect(form.queryByRole('button', { name: /^Remove/ })).toBeNull();
  const save = form.getByRole('button', { name: 'Save' });
  expect(save).toHaveAttribute('aria-disabled', 'true');
  expect(save).toHaveAccessibleDescription('Billing isn’t connected, so nothing can be saved.');
  await user.type(form.getByRole('textbox', { name: 'City' }), '{Enter}');
  expect(form.getByRole('textbox', { name: 'City' })).toHaveValue('1');
  expect(router.state.location.href).toBe(`${BASE}/settings`);
});

test('the card fields accept only valid characters', async () => {
  const { user } = openScreen(`${BASE}/payment_method`);
  const form = within(await screen.findByRole('form', { name: 'Payment method' }));
  const field = (name: string) => form.getByRole('textbox', { name });
  await user.type(field('Number'), '4242 4242 4242 4242 abc');
  expect(field('Number')).toHaveValue('4242 4242 4242 4242 ');
  await user.type(field('Expiry'), '1328');
  expect(field('Expiry')).toHaveValue('13/28');
  await user.type(field('Security code'), '12345');
  expect(field('Security code')).toHaveValue('123');
  expect(form.getByText('Enter a month from 01 to 12.')).toBeInTheDocument();
  await user.clear(field('Expiry'));
  await user.type(field('Expiry'), '12/28');
  await user.type(field('ZIP'), '12345');
  expect(form.queryByText('Enter a month from 01 to 12.')).toBeNull();
  expect(form.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
});

test.each([
  ['activity_log', 'Billing activity, sample data'],
  ['history', 'Invoices, sample data'],
])('the rows of %s are labeled as sample data', async (path, table) => {
  openScreen(`${BASE}/${path}`);
  await screen.findByText('Sample data');
  expect(within(screen.getByRole('table', { name: table })).getAllByRole('row').length).toBeGreaterThan(3);
});

test('the plan shows the price, names the workspace owner, and links to all plans', async () => {
  const { user, router } = openScreen(`${BASE}/change_steward_plan`);
  const showsPrice = () =>
    waitFor(() => expect(screen.getByRole('main')).toHaveTextContent(/\$8\s*per user per month/));
  await screen.findByRole('heading', { level: 2, name: 'Plan' });
  await showsPrice();
  expect(screen.getByText(/Only a workspace owner can change it\./)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Change plan' })).toHaveAttribute('aria-disabled', 'true');
  await user.click(screen.getByRole('link', { name: 'See all plans' }));
  await waitFor(() => expect(router.state.location.href).toBe(`${BASE}/steward_plans`));
  await showsPrice();
  await user.click(await screen.findByRole('link', { name: 'Back to your plan' }));
  await waitFor(() => expect(router.state.location.href).toBe(`${BASE}/change_steward_plan`));
});

test.each(['change_other_plan', 'other_plans', 'change__plan', 'change_steward_plans', 'nothing'])(
  'the fallback screen is shown for %s',
  async (path) => {
    openScreen(`${BASE}/${path}`);
    await screen.findByRole('heading', { name: 'Page not found' });
  },
);
