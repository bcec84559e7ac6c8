import { listUsers } from '@steward/contract/users';
import {
  eraseUser,
  exportUser,
  listErasedUsers,
  listFormerUsers,
  listUserExports,
} from '@steward/contract/users/privacy';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { answerUsers, chooseAction, findDialog, member } from '#testing/users.ts';

const PATH = '/users/privacy_requests';
const max = member('Max', 'Member', { abilities: ['export', 'remove'] });
const former = { id: max.id, name: 'Max Member', email: max.email, left_at: 1 };

beforeEach(() => {
  answerUsers(max);
  answer(listUserExports, { records: [] });
  answer(listFormerUsers, { records: [former] });
  answer(listErasedUsers, { records: [] });
});

test('an export needs a reason, and its alert leads to the list of exports', async () => {
  const { user, router } = openScreen('/users/users');
  await chooseAction(user, 'Max Member', 'Export data');
  const dialog = within(await findDialog('Export data'));
  await user.click(dialog.getByRole('button', { name: 'Start export' }));
  await dialog.findByText('The reason is required.');
  const id = 'e'.repeat(26);
  answer(exportUser, { status_code: 200, id });
  fireEvent.change(dialog.getByLabelText(/^Reason/), { target: { value: 'Request of the user' } });
  await user.click(dialog.getByRole('button', { name: 'Start export' }));
  const times = { requested_at: 1, expires_at: Date.now() };
  answer(listUserExports, {
    records: [
      { id, state: 'done', url: '/files/export.zip', size: 900, user_id: max.id, name: 'Max Member', ...times },
    ],
  });
  await user.click(await screen.findByRole('button', { name: 'Privacy Requests' }));
  await waitFor(() => expect(router.state.location.href).toBe(PATH));
  expect(await screen.findByRole('link', { name: 'Download the export of Max Member' })).toHaveAttribute(
    'href',
    '/files/export.zip',
  );
  expect(calls(exportUser)[0]).toMatchObject({ params: { userId: max.id }, body: { reason: 'Request of the user' } });
});

test('a former member is erased only with their address, and listed under the pseudonym', async () => {
  const { user } = openScreen(PATH);
  await user.click(await screen.findByRole('button', { name: 'Erase Max Member' }));
  const dialog = within(await findDialog('Erase user'));
  const field = dialog.getByLabelText(/^Email address/);
  await waitFor(() => expect(field).toHaveFocus());
  fireEvent.change(field, { target: { value: 'max@example.test' } });
  await user.type(field, '{Enter}');
  expect(dialog.getAllByText(`Type ${max.email} to confirm.`).at(-1)).toBeInTheDocument();
  expect(calls(eraseUser)).toEqual([]);
  answer(eraseUser, { status_code: 200, state: 'done', name: 'Deleted user 7F3A', account: 'deleted' });
  answer(listFormerUsers, { records: [] });
  const erased = { id: max.id, name: 'Deleted user 7F3A', account: 'deleted', started_at: 1, ended_at: 2 } as const;
  answer(listErasedUsers, { records: [{ ...erased, state: 'done' }] });
  await user.clear(field);
  fireEvent.change(field, { target: { value: max.email.toUpperCase() } });
  await user.click(dialog.getByRole('button', { name: 'Erase for good' }));
  await screen.findByText(/The user was erased and is now called Deleted user 7F3A/);
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Former users' })).toHaveFocus());
  expect(screen.getByText(/^Users who leave the team or are removed are listed here/)).toBeInTheDocument();
  expect(await screen.findByRole('row', { name: /Deleted user 7F3A/ })).toHaveTextContent('Complete');
});

test('a deactivated user is erased from their row', async () => {
  answerUsers({ ...max, state: 'deactivated', delete_at: 1, abilities: ['erase'] });
  const { user } = openScreen('/users/users?deactivated_accounts=1');
  await chooseAction(user, 'Max Member', 'Erase');
  const dialog = within(await findDialog('Erase user'));
  answer(eraseUser, { status_code: 200, state: 'running', name: 'Deleted user 7F3A', account: 'kept' });
  answerUsers();
  fireEvent.change(dialog.getByLabelText(/^Email address/), { target: { value: max.email } });
  await user.click(dialog.getByRole('button', { name: 'Erase for good' }));
  await screen.findByText(/is now called Deleted user 7F3A/);
  await waitFor(() => expect(screen.queryByText('Max Member')).toBeNull());
  expect(calls(listUsers).length).toBeGreaterThan(1);
});

test('an admin who is not an owner sees the purpose of the page', async () => {
  openScreen(PATH, ['team_admin', 'team_user']);
  await screen.findByRole('heading', { name: 'Only owners can answer privacy requests' });
  expect(screen.queryByRole('table')).toBeNull();
});
