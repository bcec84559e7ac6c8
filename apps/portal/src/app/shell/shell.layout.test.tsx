import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answerHome } from '#testing/home.ts';
import { openPortal, openScreen } from '#testing/open-screen.tsx';
import { answerUsers, findDialog } from '#testing/users.ts';

beforeEach(() => answerUsers());

test('the header shows the portal, the team and the user', async () => {
  answerHome();
  openScreen('/');
  await screen.findByRole('heading', { name: 'Steward Admin Portal' });
  expect(screen.getByRole('link', { name: 'Welcome to Admin' })).toHaveAttribute('href', '/');
  expect(screen.getByRole('link', { name: /^Northwind/ })).toHaveAttribute('href', '/switchTeam');
  expect(screen.getByRole('button', { name: /Olivia Owner, account$/ })).toBeInTheDocument();
});

test('the sidebar has the specified groups in their order, and one active item', async () => {
  openScreen('/users/users');
  const main = within(await screen.findByRole('navigation', { name: 'Main' }));
  expect(main.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
    ...['Users', 'Team Settings', 'Sms', 'Integrations', 'Workspace', 'Security'],
  ]);
  expect(main.getByRole('link', { current: 'page' })).toHaveTextContent('Manage Users');
  expect(main.getByRole('link', { name: 'Manage Sms' })).toHaveAttribute('href', '/sms/manage_sms');
});

const UNKNOWN = ['/sms/manage_sms', '/dashboard/billing', '/dashboard/no_such_screen', '/no/such/place'];

test.each(UNKNOWN)('%s shows the fallback inside the shell, and keeps its address', async (path) => {
  const { router } = openScreen(path);
  await screen.findByRole('heading', { name: 'Page not found' });
  expect(screen.getByRole('banner')).toHaveTextContent('Northwind');
  expect(router.state.location.href).toBe(path);
});

test.each([...UNKNOWN, '/users/no_such_screen', '/users'])('%s shows the fallback to visitors', async (path) => {
  const { router } = openPortal(path);
  await screen.findByRole('heading', { name: 'Page not found' });
  expect(screen.getByRole('link', { name: 'Go to sign in' })).toBeInTheDocument();
  expect(router.state.location.href).toBe(path);
});

test('? lists the shortcuts, except while text is typed', async () => {
  const { user } = openScreen('/users/users');
  const search = await screen.findByRole('searchbox');
  await user.type(search, 'who?');
  expect(search).toHaveValue('who?');
  expect(screen.queryByRole('dialog')).toBeNull();
  const guide = screen.getByRole('link', { name: 'Guide' });
  guide.focus();
  await user.keyboard('?');
  expect(await findDialog('Keyboard shortcuts')).toHaveTextContent('Search the list on this screen');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(guide).toHaveFocus());
});
