import type { Channel } from '@steward/contract/channels';
import {
  type ChannelJoin,
  type DefaultChannel,
  getChannelJoin,
  getDefaultChannels,
  listTeamChannels,
  previewDefaultChannels,
  saveDefaultChannels,
} from '@steward/contract/channels/defaults';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { answer, calls, disconnect, hold, refuse } from '#testing/fake-server.ts';
import { openScreen, TEAM } from '#testing/open-screen.tsx';
import { answerUsers, findDialog, toId } from '#testing/users.ts';

const PATH = '/dashboard/team_settings/default_channels';

function channel(name: string, type: 'O' | 'P' = 'O'): Channel {
  return {
    id: toId(name),
    create_at: 1,
    update_at: 1,
    delete_at: 0,
    team_id: TEAM.id,
    type,
    display_name: name,
    name,
    header: '',
    purpose: '',
    last_post_at: 0,
    creator_id: '',
  };
}

function chosen(channel_name: string, fields: Partial<DefaultChannel> = {}): DefaultChannel {
  return {
    channel_id: toId(channel_name),
    channel_name,
    type: 'O',
    state: 'active',
    general: false,
    ...fields,
  };
}

const GENERAL = chosen('General', { general: true });
const NEVER_RUN = { join: null };
const JOIN: ChannelJoin = {
  id: '0'.repeat(26),
  state: 'running',
  people_done: 1_200,
  people_total: 2_000,
  joined: 1_100,
  started_at: Date.now(),
  ended_at: null,
};

/** The last channel is private. */
function answerChannels(...names: string[]): void {
  const channels = names.map((name, at) => channel(name, at > 0 && at === names.length - 1 ? 'P' : 'O'));
  answer(listTeamChannels, ({ query: { search = '', page = 0, per_page = 100 } }) =>
    channels
      .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
      .slice(page * per_page, (page + 1) * per_page),
  );
}

const getField = () => screen.getByRole('combobox', { name: 'Channels' });
const getChips = () => within(screen.getByRole('list', { name: 'Channels, chosen' })).getAllByRole('listitem');
const chipsAre = (...names: (string | RegExp)[]) =>
  waitFor(() =>
    expect(getChips().map(({ textContent }) => textContent)).toEqual(
      names.map((name) => (typeof name === 'string' ? name : expect.stringMatching(name))),
    ),
  );
const findOption = (name: string | RegExp) => screen.findByRole('option', { name });
const save = () => screen.getByRole('button', { name: 'Save' });

async function openDefaults() {
  const opened = openScreen(PATH);
  await screen.findByRole('combobox', { name: 'Channels' });
  return opened;
}

beforeEach(() => {
  answer(getDefaultChannels, { default_channels: [GENERAL] });
  answer(getChannelJoin, NEVER_RUN);
  answer(previewDefaultChannels, ({ body }) => ({
    people: 2,
    of_people: 2,
    channels: body.default_channels
      .filter((id) => id !== GENERAL.channel_id)
      .map((channel_id) => ({ channel_id, type: 'O' as const, joining: 2 })),
  }));
  answer(saveDefaultChannels, { status_code: 200 });
  answerChannels('General', 'design', 'ops', 'board');
});

test('a new team has only general, which can’t be removed', async () => {
  answerChannels('General');
  const { user } = await openDefaults();
  expect(screen.getByText('New members of Northwind join these channels automatically.')).toBeInTheDocument();
  expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Default Channels');
  await chipsAre(/General/);
  expect(screen.queryByRole('button', { name: 'Remove General' })).toBeNull();
  expect(screen.getByRole('button', { name: /^General can’t be removed/ })).toBeInTheDocument();
  expect(save()).toHaveAttribute('aria-disabled', 'true');
  await user.click(getField());
  expect(await findOption(/General/)).toHaveAttribute('aria-selected', 'true');
  expect(screen.getByText('This team has no other channels yet.')).toBeInTheDocument();
});

test('channels are added and removed with the mouse, and saved together', async () => {
  const { user } = await openDefaults();
  await user.click(getField());
  for (const name of [/ops/, /board/, /design/]) await user.click(await findOption(name));
  await user.click(await findOption(/design/));
  expect(await findOption(/design/)).toHaveAttribute('aria-selected', 'false');
  await chipsAre(/General/, 'ops', /board.*Private/);
  expect(screen.getByText('Unsaved changes')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Remove ops' }));
  expect(getField()).toHaveFocus();
  await user.click(save());
  await screen.findByText('Saved Successfully');
  await waitFor(() => expect(save()).toHaveAttribute('aria-disabled', 'true'));
  expect(calls(saveDefaultChannels)[0]?.body).toEqual({ default_channels: [GENERAL.channel_id, toId('board')] });
});

test('archived channels are marked and kept, missing ones are removed by the next save', async () => {
  const old = chosen('old-project', { state: 'archived' });
  answer(getDefaultChannels, { default_channels: [GENERAL, old, chosen('ghost', { state: 'missing', type: null })] });
  const { user } = await openDefaults();
  await chipsAre(/General/, /old-project.*Archived – new members won’t join/, /ghost.*No longer exists/);
  expect(screen.getByText('1 channel no longer exists and will be removed when you save.')).toBeInTheDocument();
  expect(screen.queryByText('Unsaved changes')).toBeNull();
  answer(getDefaultChannels, { default_channels: [GENERAL, old] });
  await user.click(save());
  await screen.findByText('Saved Successfully');
  await chipsAre(/General/, /old-project/);
  expect(calls(saveDefaultChannels)[0]?.body.default_channels).toEqual([GENERAL.channel_id, old.channel_id]);
});

test('a refused save says why and keeps the selection', async () => {
  refuse(saveDefaultChannels, 'channels.not_of_team');
  const { user } = await openDefaults();
  await user.click(getField());
  await user.click(await findOption(/ops/));
  await user.keyboard('{Escape}');
  await user.click(save());
  const form = within(screen.getByRole('form'));
  await form.findByText("One of these channels can't be used in this team.");
  expect(screen.getByText('An Error Occurred!').closest('[role="alert"]')).toHaveTextContent(
    "can't be used in this team",
  );
  await chipsAre(/General/, 'ops');
  await user.click(screen.getByRole('button', { name: 'Reset' }));
  await chipsAre(/General/);
  expect(save()).toHaveFocus();
});

test('leaving with unsaved changes asks first', async () => {
  answerUsers();
  const { user, router } = await openDefaults();
  await user.click(getField());
  await user.click(await findOption(/ops/));
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('link', { name: 'Manage Users' }));
  const question = await findDialog('Discard changes');
  expect(question).toHaveTextContent('Leave without saving?');
  await waitFor(() => expect(within(question).getByRole('button', { name: 'Cancel' })).toHaveFocus());
  await user.keyboard('{Escape}');
  await chipsAre(/General/, 'ops');
  await user.click(screen.getByRole('link', { name: 'Manage Users' }));
  await user.click(within(await findDialog('Discard changes')).getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(router.state.location.href).toBe('/users/users'));
});

test('a failure to load channels is shown, with Retry', async () => {
  disconnect(getDefaultChannels);
  const { user } = openScreen(PATH);
  await screen.findByRole('heading', { name: 'An Error Occurred!' });
  answer(getDefaultChannels, { default_channels: [GENERAL] });
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('combobox', { name: 'Channels' });
});

test('adding current members is confirmed with numbers, and Cancel changes nothing', async () => {
  const { user } = await openDefaults();
  await user.click(getField());
  await user.click(await findOption(/ops/));
  await user.keyboard('{Escape}');
  const box = await screen.findByRole('checkbox', { name: 'Also add the 2 current members' });
  await user.click(box);
  await user.click(save());
  const question = await findDialog('Add members');
  await waitFor(() => expect(question).toHaveTextContent('Add 2 of 2 members to these channels?'));
  expect(within(question).getByRole('row', { name: /ops/ })).toHaveTextContent('2 members');
  await waitFor(() => expect(within(question).getByRole('button', { name: 'Cancel' })).toHaveFocus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(save()).toHaveFocus());
  expect(calls(saveDefaultChannels)).toEqual([]);
  expect(box).toBeChecked();
});

test('adding current members shows progress and result', async () => {
  const { user } = await openDefaults();
  await user.click(screen.getByRole('checkbox'));
  await user.click(save());
  answer(getChannelJoin, { join: JOIN });
  await user.click(await screen.findByRole('button', { name: 'Save and add members' }));
  await screen.findByText('Adding members: 1,200 of 2,000');
  expect(screen.getByRole('progressbar', { name: 'Adding members' })).toHaveAttribute('value', '1200');
  expect(screen.getByRole('checkbox')).not.toBeChecked();
  expect(screen.getByRole('checkbox')).toBeDisabled();
  expect(calls(saveDefaultChannels)[0]?.body.add_existing).toBe(true);
  answer(getChannelJoin, { join: { ...JOIN, state: 'done', joined: 2, ended_at: Date.now() } });
  const result = await screen.findByText(/Added 2 memberships/);
  expect(result).toHaveTextContent(/Added 2 memberships, \w+ \d+, \d{4}/);
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(screen.getByRole('checkbox')).toBeEnabled();
});

test('adding current members is possible without other changes, and refused while an earlier save still adds', async () => {
  answer(previewDefaultChannels, { people: 0, of_people: 1, channels: [] });
  refuse(saveDefaultChannels, 'channels.join_running');
  const { user } = await openDefaults();
  await user.click(await screen.findByRole('checkbox', { name: 'Also add the 1 current member' }));
  await user.click(save());
  const question = await findDialog('Add members');
  await waitFor(() => expect(question).toHaveTextContent('No one will be added.'));
  await user.click(within(question).getByRole('button', { name: 'Save' }));
  const title = await screen.findByText('An Error Occurred!');
  expect(title.closest('[role="alert"]')).toHaveTextContent('Members are still being added to channels');
  expect(screen.getByRole('checkbox')).toBeChecked();
});

test('a key held down to clear the text does not remove chips', async () => {
  const { user } = await openDefaults();
  await user.click(getField());
  await user.click(await findOption(/design/));
  await user.clear(getField());
  await user.keyboard('x{Backspace}');
  for (let times = 0; times < 5; times += 1) fireEvent.keyDown(getField(), { key: 'Backspace', repeat: true });
  expect(getField()).toHaveValue('');
  await chipsAre(/General/, 'design');
  await user.keyboard('{Backspace}');
  await chipsAre(/General/);
});

test('Enter selects nothing while a search is loading, and never saves', async () => {
  const { user } = await openDefaults();
  await user.click(getField());
  await findOption(/ops/);
  // The arrow keys have moved to design when another search starts.
  await user.keyboard('{ArrowDown}{ArrowDown}');
  const release = hold(listTeamChannels, [channel('ops')]);
  await user.keyboard('ops{Enter}');
  await chipsAre(/General/);
  release();
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
  await user.keyboard('{Enter}');
  await chipsAre(/General/, 'ops');
  await user.keyboard('{Escape}{Enter}');
  await user.click(screen.getByRole('button', { name: 'Reset' }));
  await chipsAre(/General/);
  expect(calls(saveDefaultChannels)).toEqual([]);
});

test('typing searches on the server after a pause, and marks selected channels', async () => {
  const { user } = await openDefaults();
  await user.click(getField());
  await findOption(/ops/);
  vi.useFakeTimers();
  await user.keyboard('DES');
  await act(() => vi.advanceTimersByTimeAsync(299));
  expect(calls(listTeamChannels)).toHaveLength(1);
  act(() => vi.advanceTimersByTime(1));
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
  vi.useRealTimers();
  expect(calls(listTeamChannels).map(({ query }) => query.search)).toEqual([undefined, 'DES']);
  await user.click(await findOption(/design/));
  expect(await findOption(/design/)).toHaveAttribute('aria-selected', 'true');
  await user.paste('nothing');
  await screen.findByText('nothing');
  expect(screen.getByText(/^No channels match/)).toHaveTextContent('No channels match “nothing”.');
});

test('pages that can’t be loaded say so, and load with Retry or the arrow key', async () => {
  const names = Array.from({ length: 130 }, (_, at) => `team${1_000 + at}`);
  refuse(listTeamChannels, 'server.error', 'Too much.');
  const { user } = await openDefaults();
  await user.click(getField());
  await screen.findByText('Couldn’t load channels: Too much.');
  let isBroken = true;
  answer(listTeamChannels, ({ query: { page } }) => {
    if (page === 1 && isBroken) throw new TypeError('fetch failed');
    return names.slice(page === 1 ? 100 : 0, page === 1 ? 130 : 100).map((name) => channel(name));
  });
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('Couldn’t load more channels: API error');
  expect(screen.getAllByRole('option')).toHaveLength(100);
  isBroken = false;
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(130));
});
