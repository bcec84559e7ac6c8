import {
  type ConnectedPreview,
  getConnectedRules,
  listOrderRows,
  listOrders,
  previewConnectedRules,
  saveConnectedRules,
} from '@steward/contract/connections';
import { CONNECTED_KINDS } from '@steward/contract/connections/fields';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answerConnections, connection, order } from '#testing/connections.ts';
import { answer, calls } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { answerRetention, days } from '#testing/retention.ts';
import { takeSavedFiles } from '#testing/saved-files.ts';
import { findDialog, toId } from '#testing/users.ts';

const PATH = '/dashboard/team_settings/connected_retention';
const KEEP = { value: 0 } as const;
const RULES = { public_channels: KEEP, private_channels: KEEP };

const preview = (fields: Partial<ConnectedPreview> = {}): ConnectedPreview => ({
  threads: 56,
  rows: 1_234,
  files: 12,
  bytes: 3_400_000,
  held: 36,
  in_threads: 14,
  arrived: 7,
  oldest: 1,
  newest: 2,
  cutoff: Date.UTC(2026, 0, 1),
  deletes_more: true,
  effective_at: Date.UTC(2100, 0, 1),
  first_run_at: Date.UTC(2100, 0, 2),
  seconds: 185,
  ...fields,
});

beforeEach(() => {
  answerRetention();
  answerConnections(connection());
  answer(getConnectedRules, RULES);
  answer(listOrders, { records: [], last_key: null });
  answer(previewConnectedRules, ({ body }) =>
    Object.fromEntries(CONNECTED_KINDS.filter((kind) => body[kind] !== undefined).map((kind) => [kind, preview()])),
  );
});

const getSetting = async (title: string) => within(await screen.findByRole('region', { name: title }));

test('without an accepted connection, the page leads to Connected Server', async () => {
  answerConnections(connection({ accepted_at: 0, health: 'waiting' }));
  openScreen(PATH);
  await screen.findByRole('heading', { name: 'This team governs no server' });
  expect(screen.getByRole('link', { name: 'Open Connected Server' })).toBeInTheDocument();
});

test('the choices are those of message retention, without marking, and without direct messages of others', async () => {
  openScreen(PATH);
  const setting = await getSetting('Public channels');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Retention on Chat');
  expect(setting.getByRole('radio', { name: 'Keep all messages forever' })).toBeChecked();
  expect(setting.getByRole('radio', { name: 'Keep all messages, but only for a set duration' })).not.toBeChecked();
  expect(setting.getByText('All messages in public channels are kept.')).toBeInTheDocument();
  expect(screen.queryByRole('region', { name: 'Direct messages' })).toBeNull();
  expect(screen.getByText(/This team doesn't govern them/)).toBeInTheDocument();
  await screen.findByRole('heading', { name: 'No orders yet' });
});

test('the team that governs direct messages has a rule for them, which offers no marking', async () => {
  answerConnections(connection({ direct_messages: true }));
  answer(getConnectedRules, { ...RULES, direct_messages: KEEP });
  openScreen(PATH);
  expect((await getSetting('Direct messages')).getAllByRole('radio')).toHaveLength(2);
  expect(screen.queryByText(/This team doesn't govern them/)).toBeNull();
});

test('a stricter rule is counted beside the form and in the question, and takes effect after a day', async () => {
  const { user } = openScreen(PATH);
  const setting = await getSetting('Public channels');
  await user.click(setting.getByRole('radio', { name: /only for a set duration$/ }));
  fireEvent.change(setting.getByRole('textbox', { name: 'Count' }), { target: { value: '90' } });
  await setting.findByText(/^If saved, 1,234 messages in 56 threads would be deleted/);
  for (const fact of ['12', '3.4 MB', 'About 3 min 5 s', '36', '14', '7, which wait for a day'])
    expect(setting.getByText(fact)).toBeInTheDocument();
  answer(saveConnectedRules, {
    ...RULES,
    public_channels: { ...days(90), effective_at: Date.UTC(2100, 0, 1), in_force: KEEP },
  });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = await findDialog('Save the rule');
  await waitFor(() => expect(dialog).toHaveTextContent('1,234 messages in 56 threads'));
  expect(dialog).toHaveTextContent("What it deletes there can't be restored.");
  expect(dialog).toHaveTextContent('24 hours from now');
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus());
  await user.click(within(dialog).getByRole('button', { name: 'Save the rule' }));
  await setting.findByRole('button', { name: 'Cancel this change: Public channels' });
  expect(calls(saveConnectedRules)[0]?.body).toEqual({ public_channels: days(90), private_channels: KEEP });
});

test('an admin who is not an owner can only read the rules', async () => {
  openScreen(PATH, ['team_admin', 'team_user']);
  await screen.findByText('Only an owner of the team can change these rules.');
  for (const choice of screen.getAllByRole('radio')) expect(choice).toBeDisabled();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

test('rules can be saved only once everything was listed', async () => {
  answerConnections(connection({ health: 'filling', channels_filled: 3, listed_at: 0 }));
  openScreen(PATH);
  await screen.findByText(/once all messages were listed.*3 of 4 channels listed/);
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

test('orders are listed with their outcomes, and the kept messages can be narrowed and downloaded', async () => {
  const done = order({ state: 'done', gone: 4_950, closed_at: 2, proof: 'f'.repeat(64) });
  const refused = order({ id: toId('refused'), state: 'refused', rows: 0, threads: 0, gone: 0, kept: 0, kept_by: {} });
  answer(listOrders, { records: [done, { ...refused, reason: 'Too many messages.' }], last_key: null });
  const row = { thread_id: 'root', channel_id: 'c1', channel_name: 'general', created_at: 1, outcome: 'kept' } as const;
  answer(listOrderRows, ({ query }) => ({
    records: [
      ...(query.reason === 'thread' ? [] : [{ ...row, id: 'held1', reason: 'held' as const }]),
      { ...row, id: 'thread1', reason: 'thread' as const },
    ],
    last_key: null,
  }));
  const { user } = openScreen(PATH);
  const table = within(await screen.findByRole('table', { name: 'Orders' }));
  expect(table.getByText('Kept for their thread: 14')).toBeInTheDocument();
  expect(table.getByText('Too many messages.')).toBeInTheDocument();
  await user.click(table.getAllByRole('button', { name: /^Details/ })[0] as HTMLElement);
  const dialog = within(await findDialog('Order'));
  await dialog.findByText('held1');
  expect(dialog.getByText('f'.repeat(64))).toBeInTheDocument();
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Reason' }), 'Kept for their thread: 14');
  await waitFor(() => expect(dialog.queryByText('held1')).toBeNull());
  expect(calls(listOrderRows).at(-1)?.query).toMatchObject({ kept: '1', reason: 'thread' });
  await user.click(dialog.getByRole('button', { name: 'Download CSV' }));
  const [file] = await waitFor(() => {
    const files = takeSavedFiles();
    expect(files).toHaveLength(1);
    return files;
  });
  expect(file?.name).toBe('steward-kept-messages.csv');
  expect((await file?.lines)?.at(-1)).toBe('thread1,root,c1,general,1970-01-01T00:00:00.001Z,thread');
});
