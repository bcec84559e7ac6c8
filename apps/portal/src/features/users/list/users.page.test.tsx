import { listUsers } from '@steward/contract/users';
import { listFailedInvitations } from '@steward/contract/users/invitations';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { answer, calls, disconnect, refuse } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { answerUsers, findRow, invitee, member } from '#testing/users.ts';

const DAY_MS = 86_400_000;
const marie = member('Marie', 'Curie', { last_active_at: Date.now() - 3 * DAY_MS - 1_000 });

beforeEach(() => answerUsers(marie));

const getHeader = (name: string) => screen.getByRole('columnheader', { name: new RegExp(`${name}$`) });
const getSearchBox = () => screen.getByRole('searchbox', { name: 'Search people' });
const queries = () => calls(listUsers).map(({ query }) => query);

test('the columns show in words which users are active, invited or gone', async () => {
  answerUsers(
    marie,
    member('Cleo', 'Person'),
    member('Dora', 'Person', { state: 'deactivated', delete_at: 1 }),
    invitee('Emil', 'Person', { invitation: 'limited' }),
    invitee('Flo', 'Person'),
    member('Ada', 'Admin', { roles: ['team_user', 'team_admin'], account_type: 1 }),
    member('Zoe', 'Desk', { roles: ['zendesk'], abilities: [] }),
  );
  openScreen('/users/users?deactivated_accounts=1');
  for (const [name, ...cells] of [
    ['Marie Curie', 'Team User', 'Active', '3 days ago'],
    ['Cleo Person', 'Team User', 'Active', 'Never'],
    ['Dora Person', 'Team User', 'Deactivated', 'Never'],
    ['Emil Person', 'Pending Invitee', 'Not sent: limit reached', '–'],
    ['Flo Person', 'Pending Invitee', 'Invited', '–'],
    ['Ada Admin', 'Team Admin', 'Active', 'Never'],
    ['Zoe Desk', 'Zendesk', 'Active', 'Never'],
    ['Olivia Owner', 'Team Owner', 'Active', 'Never'],
  ] as const) {
    const shown = within(await findRow(name)).getAllByRole('cell');
    expect(shown.slice(1, 4).map(({ textContent }) => textContent)).toEqual(cells);
  }
  const time = within(await findRow('Marie Curie')).getByText('3 days ago');
  expect(time).toHaveAttribute('title', expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/));
  expect(calls(listFailedInvitations)).toHaveLength(1);
  expect(screen.queryByText('All invitations have been delivered.')).toBeNull();
});

test('on a phone, a card has name, status and menu, and the list is sorted in Filters', async () => {
  window.innerWidth = 390;
  const { user, router } = openScreen('/users/users');
  expect(within(await findRow('Marie Curie')).getAllByRole('cell')).toHaveLength(3);
  expect(within(getHeader('Name')).queryByRole('button')).toBeNull();
  await user.click(screen.getByRole('button', { name: /^Filters/ }));
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Sort by' }), 'Name, Z to A');
  expect(router.state.location.href).toBe('/users/users?order=desc');
});

test('headers sort by mouse and keyboard, and the address keeps the order', async () => {
  const { user, router } = openScreen('/users/users?search=person&member=1');
  await findRow('Marie Curie');
  expect(getHeader('Name')).toHaveAttribute('aria-sort', 'ascending');
  await user.click(within(getHeader('Name')).getByRole('button'));
  expect(router.state.location.href).toBe('/users/users?search=person&member=1&order=desc');
  within(getHeader('Last active')).getByRole('button').focus();
  await user.keyboard('{Enter}');
  expect(getHeader('Last active')).toHaveAttribute('aria-sort', 'descending');
  expect(getHeader('Name')).toHaveAttribute('aria-sort', 'none');
  await user.keyboard('{Enter}');
  expect(getHeader('Last active')).toHaveAttribute('aria-sort', 'ascending');
  expect(queries().map(({ sort, order }) => [sort, order])).toEqual([
    [undefined, undefined],
    [undefined, 'desc'],
    ['last_active', 'desc'],
    ['last_active', undefined],
  ]);
});

test('a search runs one second after the last key and says that it is pending', async () => {
  const { user, router } = openScreen('/users/users');
  await findRow('Marie Curie');
  vi.useFakeTimers();
  await user.type(getSearchBox(), 'mari');
  act(() => vi.advanceTimersByTime(900));
  await user.type(getSearchBox(), 'e');
  expect(screen.getByText('Search starts in a moment')).toBeInTheDocument();
  act(() => vi.advanceTimersByTime(999));
  expect(queries()).toHaveLength(1);
  act(() => vi.advanceTimersByTime(1));
  await waitFor(() => expect(queries().map(({ search }) => search)).toEqual([undefined, 'marie']));
  expect(router.state.location.href).toBe('/users/users?search=marie');
});

test('Enter searches immediately, and the clear icon shows all users again', async () => {
  const { user, router } = openScreen('/users/users');
  await findRow('Marie Curie');
  await user.keyboard('/');
  await waitFor(() => expect(getSearchBox()).toHaveFocus());
  await user.keyboard('CURIE{Enter}');
  expect(queries().at(-1)?.search).toBe('CURIE');
  await user.click(await screen.findByRole('button', { name: 'Clear search' }));
  expect(getSearchBox()).toHaveValue('');
  await waitFor(() => expect(getSearchBox()).toHaveFocus());
  expect(router.state.location.href).toBe('/users/users');
});

test('each filter applies immediately and is part of the address, and Reset closes the panel', async () => {
  const { user, router } = openScreen('/users/users?sort=last_active');
  await user.click(await screen.findByRole('button', { name: 'Filters' }));
  for (const [name, filter] of [
    ['Workspace Admin', 'workspace_admin'],
    ['Primary Owner', 'primary_owner'],
    ['Member', 'member'],
    ['Pending Invitee', 'pending'],
    ['Show deactivated accounts', 'deactivated_accounts'],
    ['Never signed in', 'never_active'],
    ['No second factor', 'without_second_factor'],
  ] as const) {
    await user.click(await screen.findByRole('checkbox', { name }));
    await waitFor(() => expect(screen.getByRole('checkbox', { name })).toBeChecked());
    expect(router.state.location.href).toContain(`${filter}=1`);
    expect(queries().at(-1)).toMatchObject({ [filter]: '1' });
  }
  await user.selectOptions(screen.getByRole('combobox', { name: 'Inactive for' }), '90 days');
  await waitFor(() => expect(queries().at(-1)).toMatchObject({ inactive_days: 90 }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Active within' }), '7 days');
  await waitFor(() => expect(queries().at(-1)).toMatchObject({ active_days: 7 }));
  await user.click(screen.getByRole('checkbox', { name: 'Old invitations' }));
  await waitFor(() => expect(queries().at(-1)).toMatchObject({ invited_days: 14 }));
  await waitFor(() => expect(screen.getByRole('button', { name: /^Filters/ })).toHaveTextContent('10 active'));
  await user.click(screen.getByRole('button', { name: 'Reset' }));
  expect(screen.queryByRole('dialog', { name: 'Filters' })).toBeNull();
  await waitFor(() => expect(router.state.location.href).toBe('/users/users?sort=last_active'));
});

test('a view keeps filters and order but no search, and is shown again and deleted', async () => {
  const { user, router } = openScreen('/users/users?inactive_days=90&sort=last_active&search=bert');
  await user.click(await screen.findByRole('button', { name: /^Filters/ }));
  await user.type(await screen.findByRole('textbox', { name: 'Name of this view' }), 'Gone quiet{Enter}');
  const view = screen.getByRole('button', { name: 'Gone quiet' });
  expect(view).toHaveAttribute('aria-pressed', 'true');
  const kept = JSON.stringify({ ...localStorage });
  expect(kept).toContain('Gone quiet');
  expect(kept).not.toContain('bert');
  await act(() => router.navigate({ to: '/users/users', search: {} }));
  await waitFor(() => expect(view).toHaveAttribute('aria-pressed', 'false'));
  await user.click(view);
  expect(router.state.location.href).toBe('/users/users?inactive_days=90&sort=last_active');
  await user.click(screen.getByRole('button', { name: 'Delete view Gone quiet' }));
  expect(screen.queryByRole('button', { name: 'Gone quiet' })).toBeNull();
  expect(JSON.stringify({ ...localStorage })).not.toContain('Gone quiet');
});

test('an empty result is explained, with a button that shows all users', async () => {
  answer(listUsers, { records: [], last_key: null, total: 0 });
  const { user } = openScreen('/users/users?search=no-such-user');
  await screen.findByRole('heading', { name: 'No users found' });
  answerUsers();
  await user.click(screen.getByRole('button', { name: 'Show all users' }));
  await findRow('Olivia Owner');
});

test('a list that fails to load says why and can be retried', async () => {
  for (const [fail, text] of [
    [() => disconnect(listUsers), 'API error'],
    [() => refuse(listUsers, 'rate.limited', 'Too many requests.'), 'Too many requests.'],
  ] as const) {
    fail();
    const { user } = openScreen(`/users/users?search=${text}`);
    await screen.findByRole('heading', { name: 'An Error Occurred!' });
    expect(screen.getByRole('alert')).toHaveTextContent(text);
    answerUsers();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await findRow('Olivia Owner');
    cleanup();
  }
});

test('the number of all users is shown before they are loaded', async () => {
  answer(listUsers, { records: [marie], last_key: 'next', total: 1_868 });
  openScreen('/users/users');
  await screen.findByText('1 of 1,868 people');
});

test('a failure to load undelivered invitations is silent, and they are not fetched again', async () => {
  refuse(listFailedInvitations, 'server.unavailable', 'Too much.');
  openScreen('/users/users');
  await findRow('Marie Curie');
  const fetched = calls(listFailedInvitations).length;
  vi.useFakeTimers();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(calls(listFailedInvitations)).toHaveLength(fetched);
  expect(screen.queryByText('Too much.')).toBeNull();
  expect(screen.queryByText('All invitations have been delivered.')).toBeNull();
});

test('a download shows its progress, can be canceled, and reports a failure', async () => {
  const { user } = openScreen('/users/users');
  await findRow('Marie Curie');
  answer(listUsers, ({ query: { last_key } }) =>
    last_key === undefined
      ? { records: Array.from({ length: 2_000 }, () => marie), last_key: 'next' }
      : Promise.withResolvers<never>().promise,
  );
  await user.click(screen.getByRole('button', { name: 'Download CSV' }));
  await screen.findByRole('button', { name: '2,000 people' });
  await user.click(screen.getByRole('button', { name: 'Cancel download' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Download CSV' })).toHaveFocus());
  refuse(listUsers, 'server.error', 'Something went wrong on our side.');
  await user.click(screen.getByRole('button', { name: 'Download CSV' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong on our side.');
  expect(screen.getByRole('button', { name: 'Download CSV' })).toBeInTheDocument();
});
