import { disableIntegration, getIntegration, saveIntegration } from '@steward/contract/integrations';
import { listUsers } from '@steward/contract/users';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { calls, refuse } from '#testing/fake-server.ts';
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
