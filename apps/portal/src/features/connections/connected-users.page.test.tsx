import {
  askConnectedServer,
  type ConnectedUser,
  inviteConnectedUser,
  listConnectedUsers,
  unlinkConnectedUser,
} from '@steward/contract/connections';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answerConnections, connectedUser, connection } from '#testing/connections.ts';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { findDialog, toId } from '#testing/users.ts';

const PATH = '/users/connected_users';

const ADA = connectedUser('ada', 'Ada Lovelace');
const GRACE = connectedUser('grace', 'Grace Hopper', {
  actions: ['revoke_sessions', 'remove_from_team'],
  reason: 'This account owns bots, which would stop.',
});

const account = (fields: Partial<NonNullable<ConnectedUser['account']>> = {}) => ({
  user_id: toId('ada'),
  name: 'Ada Byron',
  email: 'ada@example.test',
  state: 'active' as const,
  ...fields,
});

const answerUsers = (...records: ConnectedUser[]) => answer(listConnectedUsers, { records, last_key: null });

beforeEach(() => {
  answerConnections(connection());
  answerUsers(ADA, GRACE);
});

test('without an accepted connection, the page leads back to Manage Users', async () => {
  answerConnections();
  openScreen(PATH);
  await screen.findByRole('heading', { name: 'This team governs no server' });
  expect(screen.queryByRole('combobox', { name: 'Lives on' })).toBeNull();
});

test('users are listed with their state, roles and the outcome of their last action', async () => {
  const last_work = { action: 'deactivate', remote: 'refused', detail: 'The server said no.', asked_at: 1 } as const;
  answerUsers(
    connectedUser('ada', 'Ada Lovelace', { deactivated_at: 1, last_work }),
    connectedUser('bot', '', { is_bot: true }),
  );
  openScreen(PATH);
  const ada = await screen.findByRole('row', { name: /Ada Lovelace/ });
  for (const part of ['ada@chat.test', 'Deactivated', 'team user', 'Refused', 'The server said no.'])
    expect(ada).toHaveTextContent(part);
  expect(screen.getByRole('row', { name: /bot@chat\.test/ })).toHaveTextContent('Bot');
  expect(screen.getByText('2 people')).toBeInTheDocument();
  expect(screen.getByRole('combobox', { name: 'Lives on' })).toHaveValue(toId('Chat'));
});

test('an action is chosen, explained and sent, and its outcome is shown', async () => {
  answer(askConnectedServer, { records: [{ user_id: 'ada', remote: 'waiting', detail: '' }] });
  const { user: person } = openScreen(PATH);
  await person.click(await screen.findByRole('button', { name: 'Actions for Ada Lovelace' }));
  const dialog = within(await findDialog('Ada Lovelace on Chat'));
  expect(dialog.getByRole('button', { name: 'Choose an action' })).toBeDisabled();
  expect(dialog.getByRole('radio', { name: 'Send password reset' })).toBeDisabled();
  await person.click(dialog.getByRole('radio', { name: 'Revoke all sessions' }));
  expect(dialog.getByText(/All sessions there end/)).toBeInTheDocument();
  const last_work = { action: 'revoke_sessions', remote: 'waiting', detail: '', asked_at: Date.now() } as const;
  answerUsers({ ...ADA, last_work }, GRACE);
  await person.click(dialog.getByRole('button', { name: 'Revoke all sessions' }));
  await screen.findByText('Revoke all sessions: asked for 1 person.');
  const row = within(await screen.findByRole('row', { name: /Ada Lovelace/ }));
  await row.findByText('Waiting');
  answerUsers({ ...ADA, last_work: { ...last_work, remote: 'done' } }, GRACE);
  await waitFor(() => expect(row.getByText('Done')).toBeInTheDocument(), { timeout: 10_000 });
  expect(calls(askConnectedServer)[0]?.body).toEqual({ action: 'revoke_sessions', user_ids: ['ada'] });
});

test('for a selection, the dialog names those for whom the action is refused, and asks for the others', async () => {
  answer(askConnectedServer, { records: [{ user_id: 'ada', remote: 'waiting', detail: '' }] });
  const { user: person } = openScreen(PATH);
  await person.click(await screen.findByRole('checkbox', { name: 'Select all loaded' }));
  await person.click(screen.getByRole('button', { name: 'Actions' }));
  const dialog = within(await findDialog('2 people on Chat'));
  await person.click(dialog.getByRole('radio', { name: 'Deactivate' }));
  expect(dialog.getByText(/^For 1 of 2 people/)).toBeInTheDocument();
  expect(dialog.getByText(/: This account owns bots, which would stop\.$/)).toHaveTextContent('Grace Hopper');
  await person.click(dialog.getByRole('button', { name: 'Deactivate' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull());
  expect(calls(askConnectedServer)[0]?.body.user_ids).toEqual(['ada']);
});

test('a user is invited from their row, at the address that is shown', async () => {
  answer(inviteConnectedUser, { status_code: 200 });
  const { user: person } = openScreen(PATH);
  await person.click(await screen.findByRole('button', { name: 'Invite Ada Lovelace' }));
  const dialog = within(await findDialog('Invite to Steward'));
  expect(dialog.getByText(/^The invitation goes to/)).toHaveTextContent('ada@chat.test');
  expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  answerUsers({ ...ADA, can_invite: false, account: account({ state: 'invited' }) }, GRACE);
  await person.click(dialog.getByRole('button', { name: 'Send invitation' }));
  await screen.findByText('Ada Lovelace was invited.');
  await within(screen.getByRole('row', { name: /Ada Lovelace/ })).findByText('Invited');
  expect(screen.queryByRole('button', { name: 'Invite Ada Lovelace' })).toBeNull();
  expect(calls(inviteConnectedUser)[0]).toMatchObject({
    params: { remoteUserId: 'ada' },
    body: { email: 'ada@chat.test' },
  });
});

test('a refused invitation is explained', async () => {
  refuse(inviteConnectedUser, 'connections.address_in_team');
  const { user: person } = openScreen(PATH);
  await person.click(await screen.findByRole('button', { name: 'Invite Ada Lovelace' }));
  await person.click(within(await findDialog('Invite to Steward')).getByRole('button', { name: 'Send invitation' }));
  await screen.findByText(/^This team already has a member or an invitation with this address/);
});

test('a linked account leads to Manage Users, and can be unlinked', async () => {
  answer(unlinkConnectedUser, { status_code: 200 });
  answerUsers(
    connectedUser('ada', 'Ada Lovelace', { account: account(), can_invite: false }),
    connectedUser('left', 'Lee Left', { account: account({ user_id: '', name: '', email: '', state: 'left' }) }),
    connectedUser('bot', '', { is_bot: true, can_invite: false }),
  );
  const { user: person } = openScreen(PATH);
  const link = await screen.findByRole('link', { name: 'Ada Byron' });
  expect(link).toHaveAttribute('href', expect.stringContaining(`/users/users/${toId('ada')}`));
  expect(screen.getByRole('row', { name: /Lee Left/ })).toHaveTextContent('Left the team');
  expect(screen.getByRole('button', { name: 'Invite Lee Left' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /Invite bot/ })).toBeNull();
  await person.click(screen.getByRole('button', { name: 'Unlink the account of Ada Lovelace' }));
  const dialog = within(await findDialog('Unlink account'));
  expect(dialog.getByText('The account stays in the team.')).toBeInTheDocument();
  await person.click(dialog.getByRole('button', { name: 'Unlink' }));
  await screen.findByText('The account of Ada Lovelace was unlinked.');
  expect(calls(unlinkConnectedUser)[0]?.params.remoteUserId).toBe('ada');
});

test('the search is part of the address', async () => {
  openScreen(`${PATH}?search=grace`);
  expect(await screen.findByRole('searchbox', { name: 'Search people' })).toHaveValue('grace');
  await waitFor(() => expect(calls(listConnectedUsers)[0]?.query.search).toBe('grace'));
});

test('the filter of Home is part of the address, stays while searching, and can be taken off', async () => {
  answerUsers();
  const { user: person } = openScreen(`${PATH}?ended=1&search=ada`);
  const filter = await screen.findByRole('checkbox', { name: 'Only people whose access here ended' });
  expect(filter).toBeChecked();
  await screen.findByRole('heading', { name: 'No users found' });
  expect(calls(listConnectedUsers)[0]?.query).toMatchObject({ ended: '1', search: 'ada' });
  await person.click(filter);
  await waitFor(() => expect(calls(listConnectedUsers).at(-1)?.query).toEqual({ search: 'ada' }));
});
