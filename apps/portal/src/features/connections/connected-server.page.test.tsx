import {
  acceptConnection,
  type ConnectionHealth,
  leaveConnection,
  pauseConnection,
  stopOrder,
} from '@steward/contract/connections';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerConnections, connection, order } from '#testing/connections.ts';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { findDialog, toId } from '#testing/users.ts';

const PATH = '/dashboard/team_settings/connected_server';
const ADMIN = ['team_admin', 'team_user'] as const;
const WAITING = {
  accepted_at: 0,
  accepted_by_name: '',
  health: 'waiting',
  reason: 'An owner has to accept it.',
} as const;

const findSection = async (name = 'Chat') => within(await screen.findByRole('region', { name }));

test('without a connection, the page says what it is and who connects a server', async () => {
  answerConnections();
  openScreen(PATH);
  await screen.findByRole('heading', { name: 'No server is connected' });
  expect(screen.getByText('npm run workspace -- connect')).toBeInTheDocument();
  expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Connected Server');
  expect(screen.getByRole('link', { name: 'History' }).getAttribute('href')).toMatch(/action=connections/);
});

test('an owner accepts after reading what it means', async () => {
  answerConnections(connection({ ...WAITING, direct_messages: true }));
  answer(acceptConnection, { status_code: 200 });
  const { user } = openScreen(PATH);
  const section = await findSection();
  expect(section.getByText('Waiting')).toBeInTheDocument();
  expect(section.getByText(/text of\s+messages never leaves the server/)).toBeInTheDocument();
  expect(section.getByText(/direct and group messages of the whole server/)).toBeInTheDocument();
  expect(section.queryByRole('button', { name: /Pause/ })).toBeNull();
  await user.click(section.getByRole('button', { name: 'Accept' }));
  const question = within(await findDialog('Accept Chat'));
  await waitFor(() => expect(question.getByRole('button', { name: 'Cancel' })).toHaveFocus());
  answerConnections(connection());
  await user.click(question.getByRole('button', { name: 'Accept' }));
  await section.findByText('Working');
  expect(calls(acceptConnection)[0]?.params.connectionId).toBe(toId('Chat'));
});

test('an admin who is not an owner can neither accept nor stop governing, but pause', async () => {
  answerConnections(connection(WAITING), connection({ name: 'Forum' }));
  openScreen(PATH, ADMIN);
  const waiting = await findSection();
  expect(waiting.getByText('Only an owner of the team can accept.')).toBeInTheDocument();
  expect(waiting.queryByRole('button', { name: 'Accept' })).toBeNull();
  const accepted = await findSection('Forum');
  expect(accepted.getByRole('button', { name: 'Pause deletion on Forum' })).toBeInTheDocument();
  expect(accepted.queryByRole('button', { name: /Stop governing/ })).toBeNull();
});

test.each<[ConnectionHealth, string]>([
  ['silent', 'Silent'],
  ['problem', 'Problem'],
  ['paused', 'Paused'],
  ['filling', 'Listing'],
])('the state %s is one word with its reason', async (health, word) => {
  answerConnections(connection({ health, reason: 'A sentence.' }));
  openScreen(PATH);
  const section = await findSection();
  expect(section.getByText(word)).toBeInTheDocument();
  expect(section.getByText('A sentence.')).toBeInTheDocument();
});

test('the first list shows how many channels are listed', async () => {
  answerConnections(connection({ health: 'filling', channels: 40, channels_filled: 12, listed_at: 0 }));
  openScreen(PATH);
  const section = await findSection();
  expect(section.getByRole('progressbar', { name: 'First list of Chat' })).toHaveAttribute('max', '40');
  expect(section.getByText('12 of 40 channels listed, 1,234 messages so far')).toBeInTheDocument();
  expect(section.getByText('Not yet')).toBeInTheDocument();
});

test.each([
  [90, 'about 2 minutes left'],
  [5_401, 'about 2 hours left'],
])('the first list shows the time that it still takes: %i seconds', async (seconds_left, text) => {
  answerConnections(connection({ health: 'filling', channels: 40, channels_filled: 12, listed_at: 0, seconds_left }));
  openScreen(PATH);
  const section = await findSection();
  expect(section.getByText(`12 of 40 channels listed, 1,234 messages so far, ${text}`)).toBeInTheDocument();
});

test('channels that are only read are named with their number and the reason', async () => {
  answerConnections(connection({ channels_read_only: 1 }), connection({ name: 'Forum', channels_read_only: 3 }));
  openScreen(PATH);
  const chat = await findSection();
  expect(chat.getByText(/^1 channel is only read: .* over an hour or is refused/)).toBeInTheDocument();
  expect((await findSection('Forum')).getByText(/^3 channels are only read: /)).toBeInTheDocument();
});

test('a failed check is open with its reason, passed ones are closed', async () => {
  const checks = [
    { name: 'Version', passed: true, detail: '' },
    { name: 'Permanent deletion', passed: false, detail: 'The setting is off.' },
  ];
  answerConnections(connection({ checks }));
  openScreen(PATH);
  const section = await findSection();
  const failed = section.getByText('1 of 2 checks failed').closest('details');
  expect(failed).toHaveAttribute('open');
  expect(failed).toHaveTextContent('Failed: Permanent deletionThe setting is off.');
  expect(section.getByText('1 step passed').closest('details')).not.toHaveAttribute('open');
});

test('an open order shows its progress and can be stopped', async () => {
  answerConnections(connection({ open_order: order() }));
  answer(stopOrder, order({ state: 'stopped' }));
  const { user } = openScreen(PATH);
  const section = await findSection();
  expect(section.getByRole('progressbar', { name: 'Order to Chat' })).toHaveAttribute('value', '1200');
  expect(section.getByText('1,200 of 5,000 messages handled: 1,150 deleted, 50 kept')).toBeInTheDocument();
  await user.click(section.getByRole('button', { name: 'Stop the order to Chat' }));
  const dialog = await findDialog('Stop the order');
  expect(dialog).toHaveTextContent('3,800 messages of 5,000 are left.');
  answerConnections(connection());
  await user.click(within(dialog).getByRole('button', { name: 'Stop the order' }));
  await section.findByText('Nothing is being deleted');
  expect(calls(stopOrder)[0]?.params.orderId).toBe(order().id);
});

test('deletion is paused and resumed', async () => {
  answerConnections(connection());
  answer(pauseConnection, { status_code: 200 });
  const { user } = openScreen(PATH);
  const section = await findSection();
  answerConnections(connection({ paused: true, health: 'paused' }));
  await user.click(section.getByRole('button', { name: 'Pause deletion on Chat' }));
  await user.click(await section.findByRole('button', { name: 'Resume deletion on Chat' }));
  await waitFor(() => expect(calls(pauseConnection).map(({ body }) => body.paused)).toEqual([true, false]));
});

test('the question before the team stops governing names what is removed here', async () => {
  answerConnections(connection({ open_order: order() }));
  refuse(leaveConnection, 'record.not_found');
  const { user } = openScreen(PATH);
  await user.click(await screen.findByRole('button', { name: 'Stop governing Chat' }));
  const dialog = await findDialog('Stop governing');
  for (const part of ['12 users, 4 channels', '1,234 messages', 'Nothing is changed at the server', 'open order stops'])
    expect(dialog).toHaveTextContent(part);
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus());
  await user.click(within(dialog).getByRole('button', { name: 'Stop governing' }));
  await screen.findByRole('alert');
  expect(calls(leaveConnection)).toHaveLength(1);
});
