import { type ListedUser, saveUser } from '@steward/contract/users';
import { deactivateUser, reactivateUser, removeUser, setOwner } from '@steward/contract/users/lifecycle';
import { getUser } from '@steward/contract/users/panel';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { answerUsers, chooseAction, details, findDialog, findRow, member } from '#testing/users.ts';

const ENDED = { status_code: 200 as const, revoked: 1, devices: [], links: 0, tokens: 0 };
const ADMIN = { roles: ['team_user', 'team_admin'], account_type: 1 } satisfies Partial<ListedUser>;
const max = member('Max', 'Member');

beforeEach(() => {
  answerUsers(max);
  answer(getUser, details(max, { sessions: 1, tokens: 2 }));
});

test('deactivating says what will end, removes the row from the list, and can be undone', async () => {
  const { user } = openScreen('/users/users');
  await chooseAction(user, 'Max Member', 'Deactivate');
  const dialog = await findDialog('Deactivate user');
  await waitFor(() => expect(dialog).toHaveTextContent('1 session, 2 service tokens will end.'));
  expect(dialog).toHaveTextContent(`Max Member (${max.email}) will lose access to Northwind at once.`);
  answer(deactivateUser, ENDED);
  answerUsers();
  await user.click(within(dialog).getByRole('button', { name: 'Deactivate' }));
  await screen.findByText('Max Member was deactivated');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Actions for Max Member' })).toBeNull());
  answer(reactivateUser, { status_code: 200 });
  answerUsers(max);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText('Max Member was reactivated');
  await findRow('Max Member');
  expect(calls(deactivateUser)[0]?.params.userId).toBe(max.id);
  expect(calls(deactivateUser)[0]?.idempotencyKey).not.toBe(calls(reactivateUser)[0]?.idempotencyKey);
});

test('a deactivated user can be reactivated or removed', async () => {
  const gone = member('Max', 'Member', {
    state: 'deactivated',
    delete_at: 1,
    abilities: ['view_sign_ins', 'reactivate', 'remove'],
    refusals: { edit: 'users.deactivated' },
  });
  answerUsers(gone);
  const { user } = openScreen('/users/users?deactivated_accounts=1');
  await user.click(await screen.findByRole('button', { name: 'Actions for Max Member' }));
  const items = await screen.findAllByRole('menuitem');
  const offered = items.filter((item) => !item.hasAttribute('aria-disabled'));
  expect(offered.map(({ textContent }) => textContent)).toEqual(['Sign-ins', 'Reactivate', 'Remove from team']);
  answer(reactivateUser, { status_code: 200 });
  answerUsers(max);
  await user.click(screen.getByRole('menuitem', { name: 'Reactivate' }));
  await user.click(within(await findDialog('Reactivate user')).getByRole('button', { name: 'Reactivate' }));
  await waitFor(async () => expect(await findRow('Max Member')).toHaveTextContent('Active'));
  await chooseAction(user, 'Max Member', 'Remove from team');
  const dialog = await findDialog('Remove from team');
  expect(dialog).toHaveTextContent('they have to be invited again');
  answer(removeUser, ENDED);
  answerUsers();
  await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
  await screen.findByText('Max Member was removed from the team');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Actions for Max Member' })).toBeNull());
});

test('reactivating asks for a new end date in place of one that has passed', async () => {
  const gone = { state: 'deactivated', delete_at: 1, abilities: ['reactivate'] } as const;
  answerUsers(member('Max', 'Member', { ...gone, abilities: [...gone.abilities], ends_on: '2020-03-31' }));
  answer(reactivateUser, { status_code: 200 });
  const { user } = openScreen('/users/users?deactivated_accounts=1');
  expect(await findRow('Max Member')).toHaveTextContent('Ended Mar 31, 2020');
  await chooseAction(user, 'Max Member', 'Reactivate');
  const dialog = within(await findDialog('Reactivate user'));
  const field = dialog.getByLabelText('End date');
  expect(field).toHaveValue('');
  fireEvent.change(field, { target: { value: '2036-03-31' } });
  answerUsers(member('Max', 'Member', { ends_on: '2036-03-31' }));
  await user.click(dialog.getByRole('button', { name: 'Reactivate' }));
  await waitFor(async () => expect(await findRow('Max Member')).toHaveTextContent('Until Mar 31, 2036'));
  expect(calls(reactivateUser)[0]?.body).toEqual({ ends_on: '2036-03-31' });
});

test('admin rights and ownership are granted and removed by keyboard alone', async () => {
  answer(saveUser, { status_code: 200 });
  answer(setOwner, { status_code: 200 });
  const { user } = openScreen('/users/users');
  await findRow('Max Member');
  for (const [action, changed, kind] of [
    ['Make admin', { ...ADMIN, abilities: ['make_owner'] }, 'Team Admin'],
    [
      'Make owner',
      { ...ADMIN, roles: ['team_user', 'team_admin', 'team_owner'], abilities: ['remove_owner'] },
      'Team Owner',
    ],
    ['Remove as owner', { ...ADMIN, abilities: ['make_user'] }, 'Team Admin'],
    ['Make user', {}, 'Team User'],
  ] as const) {
    screen.getByRole('button', { name: 'Actions for Max Member' }).focus();
    await user.keyboard('{Enter}');
    (await screen.findByRole('menuitem', { name: action })).focus();
    await user.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog'));
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus());
    answerUsers(member('Max', 'Member', changed as Partial<ListedUser>));
    await user.keyboard('{Tab}');
    await waitFor(() => expect(dialog.getByRole('button', { name: action })).toHaveFocus());
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Actions for Max Member' })).toHaveFocus());
    await waitFor(async () => expect(await findRow('Max Member')).toHaveTextContent(kind));
  }
  expect(calls(saveUser).map(({ body }) => body.account_type)).toEqual([1, 2]);
  expect(calls(setOwner).map(({ body }) => body.owner)).toEqual([true, false]);
});

test('a refusal is shown, and the row stays', async () => {
  refuse(removeUser, 'users.owner_is_locked');
  const { user } = openScreen('/users/users');
  await chooseAction(user, 'Max Member', 'Remove from team');
  await user.click(within(await findDialog('Remove from team')).getByRole('button', { name: 'Remove' }));
  expect(await screen.findByRole('alert')).toHaveTextContent("A team owner can't be changed here.");
  await findRow('Max Member');
});
