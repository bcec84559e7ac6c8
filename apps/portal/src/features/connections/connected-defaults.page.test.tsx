import { type ConnectedChannel, listConnectedChannels, saveConnectedDefaults } from '@steward/contract/connections';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answerConnections, connection } from '#testing/connections.ts';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { toId } from '#testing/users.ts';

const PATH = '/dashboard/team_settings/connected_defaults';

const channel = (name: string, fields: Partial<ConnectedChannel> = {}): ConnectedChannel => ({
  id: name,
  type: 'O',
  name,
  archived: false,
  messages: 0,
  listed_at: 1,
  read_only: '',
  is_default: false,
  ...fields,
});

/** The server's channels; it does the searching. */
function answerChannels(...channels: ConnectedChannel[]): void {
  answer(listConnectedChannels, ({ query: { search = '', defaults, open } }) => ({
    records: channels
      .filter(({ name }) => name.includes(search))
      .filter(({ is_default }) => defaults !== '1' || is_default)
      .filter(({ type, archived }) => open !== '1' || (type === 'O' && !archived)),
    last_key: null,
  }));
}

const findField = () => screen.findByRole('combobox', { name: 'Channels' });
const getSave = () => screen.getByRole('button', { name: 'Save' });

beforeEach(() => {
  answerConnections(connection());
  answer(saveConnectedDefaults, { status_code: 200 });
  answerChannels(
    channel('design'),
    channel('town_square', { is_default: true }),
    channel('board', { type: 'P' }),
    channel('old', { archived: true }),
  );
});

test('without an accepted connection, the page leads to Connected Server', async () => {
  answerConnections(connection({ accepted_at: 0, health: 'waiting' }));
  openScreen(PATH);
  await screen.findByRole('heading', { name: 'This team governs no server' });
  expect(screen.getByRole('link', { name: 'Open Connected Server' })).toBeInTheDocument();
});

test('before channels were listed, none can be chosen', async () => {
  answerConnections(connection({ channels: 0 }));
  answerChannels();
  openScreen(PATH);
  await screen.findByRole('heading', { name: 'No channels yet' });
});

test('channels that cannot be loaded can be requested again', async () => {
  refuse(listConnectedChannels, 'server.error');
  const { user: person } = openScreen(PATH);
  await screen.findByText(/^Something went wrong on our side/);
  answerChannels(channel('town_square', { is_default: true }));
  await person.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('town_square');
});

test('Enter selects nothing that was found for an earlier text', async () => {
  answerChannels(channel('design'), channel('operations'));
  const { user: person } = openScreen(PATH);
  await person.click(await findField());
  await screen.findByRole('option', { name: 'design' });
  await person.keyboard('oper{Enter}');
  await screen.findByRole('option', { name: 'operations' });
  await person.keyboard('{Enter}');
  await screen.findByText('Unsaved changes');
  await person.click(getSave());
  await screen.findByText('Saved Successfully');
  expect(calls(saveConnectedDefaults).at(-1)?.body).toEqual({ channel_ids: ['operations'] });
});

test('a channel is found and chosen with the keyboard, and saved with those that were chosen before', async () => {
  const { user: person } = openScreen(PATH);
  const field = await findField();
  expect(screen.getByText('town_square')).toBeInTheDocument();
  expect(getSave()).toHaveAttribute('aria-disabled', 'true');
  await person.type(field, 'des');
  await screen.findByRole('option', { name: 'design' });
  await person.keyboard('{Enter}');
  await screen.findByText('Unsaved changes');
  answerChannels(channel('design', { is_default: true }), channel('town_square', { is_default: true }));
  await person.click(getSave());
  await screen.findByText('Saved Successfully');
  await waitFor(() => expect(screen.queryByText('Unsaved changes')).toBeNull());
  expect(calls(saveConnectedDefaults)[0]).toMatchObject({
    params: { connectionId: toId('Chat') },
    body: { channel_ids: ['town_square', 'design'] },
  });
});

test('private and archived channels are not offered', async () => {
  const { user: person } = openScreen(PATH);
  await person.click(await findField());
  await screen.findByRole('option', { name: 'design' });
  for (const name of ['board', 'old']) expect(screen.queryByRole('option', { name })).toBeNull();
  await person.type(await findField(), 'board');
  await screen.findByText('Nothing found');
});

test('a channel that became private is removed by saving', async () => {
  answerChannels(channel('design', { is_default: true }), channel('', { id: 'board', type: 'P', is_default: true }));
  const { user: person } = openScreen(PATH);
  await screen.findByText(/^1 channel is private or archived now/);
  await person.click(getSave());
  await waitFor(() => expect(calls(saveConnectedDefaults)[0]?.body.channel_ids).toEqual(['design']));
});

test('a refused change stays in the form, with the reason', async () => {
  refuse(saveConnectedDefaults, 'connections.not_accepted');
  const { user: person } = openScreen(PATH);
  await person.click(await findField());
  await person.click(await screen.findByRole('option', { name: 'design' }));
  await person.click(getSave());
  await screen.findByText(/^An owner of this team has to accept the connection first/);
  expect(screen.getByText('Unsaved changes')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Reset' }));
  expect(screen.queryByText('Unsaved changes')).toBeNull();
});
