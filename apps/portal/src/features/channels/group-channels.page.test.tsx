import type { Channel } from '@steward/contract/channels';
import { listTeamChannels } from '@steward/contract/channels/defaults';
import {
  type ChannelGroup,
  listChannelGroups,
  previewChannelGroup,
  saveChannelGroup,
} from '@steward/contract/channels/groups';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { openScreen, TEAM } from '#testing/open-screen.tsx';
import { findDialog, toId } from '#testing/users.ts';

const PATH = '/dashboard/team_settings/group_channels';

function channel(name: string): Channel {
  return {
    ...{
      id: toId(name),
      create_at: 1,
      update_at: 1,
      delete_at: 0,
      team_id: TEAM.id,
      type: 'O',
      display_name: name,
      name,
    },
    header: '',
    purpose: '',
    last_post_at: 0,
    creator_id: '',
  };
}

const mapped = (channel_name: string, archived = false) => ({
  channel_id: toId(channel_name),
  channel_name,
  archived,
  type: 'O' as const,
});

function group(name: string, ...channels: ChannelGroup['channels']): ChannelGroup {
  return { id: toId(name), name, external_id: '', members: 3, channels };
}

const ENGINEERING = group('Engineering', mapped('deploys'), mapped('old', true));
const NOT_RUNNING = { last_key: null, run: null };

beforeEach(() => {
  answer(listChannelGroups, { records: [ENGINEERING, group('Sales')], ...NOT_RUNNING });
  answer(listTeamChannels, ['General', 'deploys', 'design'].map(channel));
  answer(previewChannelGroup, {
    channels: [
      { channel_id: toId('deploys'), channel_name: 'deploys', joining: 0, leaving: 0 },
      { channel_id: toId('design'), channel_name: 'design', joining: 1_200, leaving: 0 },
      { channel_id: toId('old'), channel_name: 'old', joining: 0, leaving: 4 },
    ],
  });
  answer(saveChannelGroup, ENGINEERING);
});

const edit = (name: string) => screen.findByRole('button', { name: `Choose channels of ${name}` });

async function openEngineering() {
  const opened = openScreen(PATH);
  await opened.user.click(await edit('Engineering'));
  return opened;
}

test('the list shows the members and channels of each group', async () => {
  openScreen(PATH);
  const row = await screen.findByRole('row', { name: /^Engineering/ });
  expect(row).toHaveTextContent('3');
  expect(row).toHaveTextContent('deploys, old (archived)');
  expect(await screen.findByRole('row', { name: /^Sales/ })).toHaveTextContent('None');
  expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Group Channels');
});

test('without groups, it says where they come from; other admins learn that owners do this', async () => {
  answer(listChannelGroups, { records: [], ...NOT_RUNNING });
  openScreen(PATH);
  await screen.findByRole('heading', { name: 'No groups' });
});

test('admins who aren’t owners learn who can do this', async () => {
  openScreen(PATH, ['team_admin', 'team_user']);
  await screen.findByRole('heading', { name: 'Only owners can map groups to channels' });
  expect(calls(listChannelGroups)).toEqual([]);
});

test('a list that can’t be loaded says so and can be tried again', async () => {
  refuse(listChannelGroups, 'server.error');
  const { user } = openScreen(PATH);
  const retry = await screen.findByRole('button', { name: 'Retry' });
  answer(listChannelGroups, { records: [ENGINEERING], ...NOT_RUNNING });
  await user.click(retry);
  await edit('Engineering');
});

test('channels are chosen, and saved after their effect was shown; Cancel has the focus', async () => {
  const { user } = await openEngineering();
  const save = screen.getByRole('button', { name: 'Review and Save' });
  expect(save).toBeDisabled();
  await user.click(screen.getByRole('combobox', { name: 'Channels of Engineering' }));
  await user.click(await screen.findByRole('option', { name: /design/ }));
  await user.click(screen.getByRole('button', { name: 'Remove old' }));
  await user.click(save);
  const dialog = within(await findDialog('Channels of Engineering'));
  const table = await dialog.findByRole('table', { name: 'Who joins and leaves' });
  expect(
    within(table)
      .getAllByRole('row')
      .map(({ textContent }) => textContent),
  ).toEqual(['ChannelJoinLeave', 'design1,2000', 'old04']);
  expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved Successfully');
  const [sent] = calls(saveChannelGroup);
  expect(sent?.body).toEqual({ group_id: ENGINEERING.id, channel_ids: [toId('deploys'), toId('design')] });
  await waitFor(async () => expect(await edit('Engineering')).toHaveFocus());
});

test('General can’t be chosen, because everyone belongs to it', async () => {
  const { user } = await openEngineering();
  await user.click(screen.getByRole('combobox', { name: 'Channels of Engineering' }));
  await user.click(await screen.findByRole('option', { name: /General/ }));
  expect(screen.getByRole('button', { name: 'Review and Save' })).toBeDisabled();
});

test('nothing is saved if the effect can’t be counted, or the change is refused', async () => {
  refuse(previewChannelGroup, 'server.error');
  const { user } = await openEngineering();
  await user.click(screen.getByRole('button', { name: 'Remove old' }));
  await user.click(screen.getByRole('button', { name: 'Review and Save' }));
  const failed = within(await findDialog('Channels of Engineering'));
  expect(await failed.findByRole('alert')).toHaveTextContent('Nothing was saved.');
  expect(failed.getByRole('button', { name: 'Save' })).toBeDisabled();
  await user.click(failed.getByRole('button', { name: 'Cancel' }));
  answer(previewChannelGroup, { channels: [] });
  refuse(saveChannelGroup, 'channels.not_of_team');
  await user.click(screen.getByRole('button', { name: 'Review and Save' }));
  const dialog = within(await findDialog('Channels of Engineering'));
  await dialog.findByText('This doesn’t change who is in a channel now.');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText(/can't be used in this team/);
  expect(calls(saveChannelGroup)).toHaveLength(1);
});

test('a running job shows its progress', async () => {
  const run = {
    id: toId('run'),
    state: 'running' as const,
    people_done: 500,
    people_total: 2_000,
    joined: 10,
    removed: 1,
  };
  answer(listChannelGroups, {
    records: [ENGINEERING],
    last_key: null,
    run: { ...run, started_at: Date.now(), ended_at: null },
  });
  openScreen(PATH);
  await screen.findByText('Adding and removing members: 500 of 2,000');
});

test('a job that has not counted its members yet shows no numbers', async () => {
  answer(listChannelGroups, {
    records: [ENGINEERING],
    last_key: null,
    run: {
      id: toId('run'),
      state: 'running',
      people_done: 0,
      people_total: 0,
      joined: 0,
      removed: 0,
      started_at: Date.now(),
      ended_at: null,
    },
  });
  openScreen(PATH);
  await screen.findByText('Adding and removing members…');
});
