import {
  addScimToken,
  listScimLog,
  listScimTokens,
  removeScimToken,
  type ScimLogEntry,
  type ScimToken,
} from '@steward/contract/scim';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls } from '#testing/fake-server.ts';
import { OLIVIA, openScreen } from '#testing/open-screen.tsx';
import { findDialog, toId } from '#testing/users.ts';

const PATH = '/dashboard/team_settings/provisioning';
const HEALTH = { last_call_at: 0, changes: 0, failures: 0, last_failure_at: 0, users: 0, groups: 0 };

const token = (name: string, fields: Partial<ScimToken> = {}): ScimToken => ({
  id: toId(name),
  name,
  created_by: OLIVIA.id,
  created_by_name: 'Olivia Owner',
  created_at: 1,
  stopped_at: 0,
  last_used_at: 0,
  ...fields,
});

const answerTokens = (records: ScimToken[], health: Partial<typeof HEALTH> = {}) =>
  answer(listScimTokens, { records, base_url: 'https://steward.test/scim/v2', health: { ...HEALTH, ...health } });

const call = (id: string, fields: Partial<ScimLogEntry> = {}): ScimLogEntry => ({
  id: toId(id),
  at: 1,
  method: 'POST',
  path: '/scim/v2/Users',
  request: '{"password":"[removed]"}',
  status: 201,
  effect: 'Invited grace@example.test.',
  request_id: 'request-1',
  ...fields,
});

beforeEach(() => {
  answerTokens([]);
  answer(listScimLog, { records: [], last_key: null });
});

test('a token needs a name, is shown once with the base URL, and can be copied', async () => {
  const { user } = openScreen(PATH);
  await screen.findByRole('heading', { name: 'No tokens yet' });
  expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Provisioning');
  await user.click(screen.getByRole('button', { name: 'Add Token' }));
  const form = within(await findDialog('Add Token'));
  await user.click(form.getByRole('button', { name: 'Add Token' }));
  await form.findByText('The name is required.');
  answer(addScimToken, { id: toId('Okta'), name: 'Okta', token: 'secret', base_url: 'https://steward.test/scim/v2' });
  answerTokens([token('Okta')]);
  await user.type(form.getByRole('textbox', { name: 'Name' }), 'Okta{Enter}');
  const dialog = await findDialog('Copy the token now');
  const shown = within(dialog);
  await user.keyboard('{Escape}');
  expect(dialog).toBeInTheDocument();
  await user.click(shown.getByRole('button', { name: 'Copy Token' }));
  await shown.findByText('Copied');
  expect(await navigator.clipboard.readText()).toBe('secret');
  expect(shown.getByRole('textbox', { name: 'Base URL' })).toHaveValue('https://steward.test/scim/v2');
  await user.click(shown.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Add Token' })).toHaveFocus());
  await screen.findByRole('heading', { name: 'Nothing was sent yet' });
  expect(screen.getByText('Waiting for the first call')).toBeInTheDocument();
});

test('removing a token says what stops; one of a former owner is marked', async () => {
  answerTokens([token('Okta'), token('Old', { created_by_name: 'Former Owner', stopped_at: 2 })]);
  const { user } = openScreen(PATH);
  expect(await screen.findByRole('row', { name: /Former Owner/ })).toHaveTextContent('Stopped');
  expect(screen.getByRole('row', { name: /Olivia Owner/ })).not.toHaveTextContent('Stopped');
  await user.click(screen.getByRole('button', { name: 'Remove Okta' }));
  const question = await findDialog('Remove Token');
  expect(question).toHaveTextContent('will stop working immediately');
  await waitFor(() => expect(within(question).getByRole('button', { name: 'Cancel' })).toHaveFocus());
  answer(removeScimToken, { status_code: 200 });
  answerTokens([]);
  await user.click(within(question).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove Okta' })).toBeNull());
  expect(calls(removeScimToken)[0]?.params.tokenId).toBe(toId('Okta'));
});

test('calls are listed with their result, can be narrowed to refused ones, and show what was sent', async () => {
  answerTokens([], { last_call_at: Date.now(), changes: 1, failures: 1 });
  const refused = call('2', { status: 409, effect: 'Refused: the user exists.' });
  answer(listScimLog, ({ query }) => ({
    records: query.failed !== undefined ? [refused] : [refused, call('1')],
    last_key: null,
  }));
  const { user } = openScreen(PATH);
  const table = within(await screen.findByRole('table', { name: 'Provisioning calls' }));
  const rowsAre = (count: number) => waitFor(() => expect(table.getAllByRole('row')).toHaveLength(count + 1));
  await rowsAre(2);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Show calls' }), 'Refused');
  await rowsAre(1);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Show calls' }), 'All');
  await rowsAre(2);
  await user.click(screen.getAllByRole('button', { name: 'Details of Add a user' })[1] as HTMLElement);
  const details = within(await findDialog('Add a user'));
  expect(details.getByText('Invited grace@example.test.')).toBeInTheDocument();
  expect(details.getByRole('region', { name: 'Body, without passwords' })).toHaveTextContent('"password": "[removed]"');
});

test.each([
  ['Some calls were refused', { last_call_at: Date.now(), failures: 1 }],
  ['No call for a day', { last_call_at: Date.now() - 25 * 3_600_000 }],
  ['Working', { last_call_at: Date.now() }],
])('the state of provisioning is: %s', async (word, health) => {
  answerTokens([token('Okta')], health);
  openScreen(PATH);
  expect(await screen.findByRole('region', { name: 'State of provisioning' })).toHaveTextContent(word);
});

test('an admin who isn’t an owner sees who can set it up', async () => {
  openScreen(PATH, ['team_admin', 'team_user']);
  await screen.findByRole('heading', { name: 'Only owners can set up provisioning' });
  expect(screen.queryByRole('button', { name: 'Add Token' })).toBeNull();
});
