import {
  disableIntegration,
  getIntegration,
  type IntegrationDetail,
  saveIntegration,
} from '@steward/contract/integrations';
import { listUsers } from '@steward/contract/users';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { answerIntegration } from '#testing/integrations.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { answerUsers, findDialog } from '#testing/users.ts';

const PATH = '/dashboard/triggers';
const box = (name: string) => screen.getByRole('checkbox', { name });
const findBox = (name: string) => screen.findByRole('checkbox', { name });

beforeEach(() => answerIntegration({}));

test('without an event or a channel nothing is sent, and the form says what to do', async () => {
  const { user } = openScreen(PATH);
  expect(await screen.findByRole('heading', { name: 'Create Triggers' })).toBeInTheDocument();
  expect(box('Ticket Updated')).not.toBeChecked();
  expect(screen.getByText('No deliveries yet')).toBeInTheDocument();
  await user.click(box('Ticket Created'));
  await user.click(screen.getByRole('button', { name: 'SAVE' }));
  const form = within(screen.getByRole('form'));
  await form.findByText('Please select atleast one action.');
  expect(screen.getByText('An Error Occurred!').closest('[role="alert"]')).toHaveTextContent(
    'Please select atleast one action.',
  );
  await user.click(box('Ticket Updated'));
  expect(form.queryByText('Please select atleast one action.')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'SAVE' }));
  await form.findByText(/^Choose at least one open channel/);
  expect(calls(saveIntegration)).toEqual([]);
});

test('a disable that fails shows why, and changes nothing', async () => {
  refuse(disableIntegration, 'helpdesk.busy');
  const { user } = openScreen(PATH);
  await user.click(await screen.findByRole('button', { name: 'DISABLE' }));
  const question = await findDialog('Disable Zendesk');
  expect(question).toHaveTextContent('acme.zendesk.com');
  await user.click(within(question).getByRole('button', { name: 'Disable' }));
  const title = await screen.findByText('An Error Occurred!');
  expect(title.closest('[role="alert"]')).toHaveTextContent(
    'Someone else is changing this integration right now. Try again in a minute.',
  );
  expect(box('Ticket Created')).toBeInTheDocument();
});

test('an archived channel is marked and removed by the next save', async () => {
  const toChannel = (name: string): IntegrationDetail['channel_details'][number] => ({
    channel_id: name.padEnd(26, '0'),
    channel_name: name,
    state: name === 'old' ? 'archived' : 'active',
  });
  answerIntegration({ message: 'e30=', channel_details: [toChannel('ops'), toChannel('old')] });
  const { user } = openScreen(PATH);
  const chosen = within(await screen.findByRole('list', { name: 'Channels, chosen' }));
  expect(chosen.getByText(/^old/).closest('li')).toHaveTextContent("Archived – messages aren't posted");
  screen.getByText("1 channel can't receive messages and will be removed when you save.");
  answer(saveIntegration, { status_code: 200, warnings: [] });
  answerIntegration({ message: 'e30=', channel_details: [toChannel('ops')] });
  await user.click(box('Ticket Updated'));
  await user.click(screen.getByRole('button', { name: 'SAVE' }));
  await screen.findByText('Updated Successfully');
  expect(calls(saveIntegration)[0]?.body.channel_details?.map(({ channel_id }) => channel_id)).toEqual([
    toChannel('ops').channel_id,
  ]);
  await waitFor(() => expect(chosen.getAllByRole('listitem')).toHaveLength(1));
});

test('a disable is confirmed, where a stray Escape does nothing, and leads to connecting again', async () => {
  answer(disableIntegration, { status_code: 200, warnings: [] });
  const { user } = openScreen(PATH);
  await user.click(await screen.findByRole('button', { name: 'DISABLE' }));
  const question = await findDialog('Disable Zendesk');
  await waitFor(() => expect(within(question).getByRole('button', { name: 'Cancel' })).toHaveFocus());
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls(disableIntegration)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'DISABLE' }));
  answerIntegration();
  await user.click(within(await findDialog('Disable Zendesk')).getByRole('button', { name: 'Disable' }));
  await screen.findByText('Disable Successfully');
  await screen.findByRole('heading', { name: 'Zendesk is not connected' });
});

test('settings that can’t be fetched are ignored: the form shows the defaults', async () => {
  refuse(getIntegration, 'server.error');
  openScreen(PATH);
  expect(await findBox('Ticket Created')).toBeChecked();
  expect(
    screen
      .queryAllByRole('alert')
      .map(({ textContent }) => textContent)
      .join(''),
  ).toBe('');
  expect(screen.getByRole('textbox', { name: 'JSON body' })).toHaveValue('');
});

test('leaving asks first with unsaved changes, and Reset discards them', async () => {
  answerUsers();
  const { user, router } = openScreen(PATH);
  await user.click(await findBox('Ticket Updated'));
  await user.click(screen.getByRole('link', { name: 'Manage Users' }));
  expect(await findDialog('Discard changes')).toHaveTextContent('Leave without saving?');
  await user.keyboard('{Escape}');
  expect(box('Ticket Updated')).toBeChecked();
  await user.click(screen.getByRole('button', { name: 'Reset' }));
  expect(box('Ticket Updated')).not.toBeChecked();
  await user.click(screen.getByRole('link', { name: 'Manage Users' }));
  await waitFor(() => expect(router.state.location.href).toBe('/users/users'));
  expect(calls(listUsers).length).toBeGreaterThan(0);
});

test('a team without a connection gets a link to connect', async () => {
  answerIntegration();
  openScreen(PATH);
  await screen.findByRole('heading', { name: 'Zendesk is not connected' });
  expect(screen.getByRole('link', { name: 'Connect Zendesk' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'DISABLE' })).toBeNull();
});
