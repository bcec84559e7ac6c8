import { listTeamChannels } from '@steward/contract/channels/defaults';
import { listConnectedChannels, listConnectedUsers } from '@steward/contract/connections';
import { addHold, exportHold, type Hold, listHolds, releaseHold, saveHold } from '@steward/contract/retention/holds';
import { listUsers } from '@steward/contract/users';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answerConnections, connectedUser, connection } from '#testing/connections.ts';
import { answer, calls } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { answerUsers, findDialog, member, toId } from '#testing/users.ts';

const PATH = '/dashboard/team_settings/holds';
const max = member('Max', 'Member');

function legalHold(name: string, fields: Partial<Hold> = {}): Hold {
  return {
    id: toId(name),
    name,
    reason: 'Claim of March 2',
    user_ids: [],
    channel_ids: [],
    settings: [],
    from: null,
    to: null,
    user_names: [],
    channel_names: [],
    held: { count: 1, bytes: 9 },
    created_at: 1,
    created_by: '',
    created_by_name: 'Olivia Owner',
    automatic: false,
    run_id: '',
    release_at: null,
    released_at: null,
    export: null,
    connected_user_ids: [],
    connected_channel_ids: [],
    begun: 0,
    connected_user_names: [],
    connected_channel_names: [],
    ...fields,
  };
}

const AUDIT = legalHold('Audit 2026', { user_ids: [max.id], user_names: ['Max Member'], settings: ['files'] });

beforeEach(() => {
  answerUsers(max);
  answer(listTeamChannels, []);
  answer(listHolds, { records: [AUDIT] });
});

const findHold = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }));
const getCreate = () => within(screen.getByRole('main')).getByRole('button', { name: 'Create Hold' });

test('a hold needs a name and a reason, and the team’s name if it covers everything', async () => {
  answer(listHolds, { records: [] });
  const { user } = openScreen(PATH);
  await screen.findByRole('heading', { name: 'No legal holds' });
  expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Legal Holds');
  await user.click(getCreate());
  const form = within(await findDialog('Create Legal Hold'));
  await user.click(form.getByRole('button', { name: 'Create Hold' }));
  for (const text of ['The name is required.', 'The reason is required.', 'Type Northwind to confirm.'])
    expect(form.getAllByText(text).length).toBeGreaterThan(0);
  fireEvent.change(form.getByRole('textbox', { name: 'Name' }), { target: { value: 'Northwind v. Contoso' } });
  fireEvent.change(form.getByLabelText(/^Reason/), { target: { value: 'Claim of March 2' } });
  await user.type(form.getByRole('combobox', { name: 'Users' }), 'max');
  await user.click(await screen.findByRole('option', { name: /Max Member/ }));
  expect(form.queryByLabelText(/^Team name/)).toBeNull();
  answer(addHold, legalHold('Northwind v. Contoso'));
  answer(listHolds, {
    records: [legalHold('Northwind v. Contoso', { user_ids: [max.id], user_names: ['Max Member'] })],
  });
  await user.click(form.getByRole('button', { name: 'Create Hold' }));
  await screen.findByText('Added Successfully');
  expect(calls(addHold)[0]?.body).toMatchObject({ name: 'Northwind v. Contoso', user_ids: [max.id], channel_ids: [] });
  await waitFor(() => expect(getCreate()).toHaveFocus());
  const cells = (await findHold('Northwind v. Contoso')).getAllByRole('cell');
  const row = cells.map(({ textContent }) => textContent).join('|');
  expect(row).toMatch(/\|Max Member\|19 bytes\|.*\|Active\|/);
});

test('a hold covers users of a connected server, and says what was already being deleted there', async () => {
  const chat = connection();
  answerConnections(chat);
  const held = { connected_user_ids: [`${chat.id}/ada`], connected_user_names: ['Ada Lovelace'] };
  answer(listConnectedUsers, { records: [connectedUser('ada', 'Ada Lovelace')], last_key: null });
  answer(listConnectedChannels, { records: [], last_key: null });
  const { user } = openScreen(PATH);
  await findHold('Audit 2026');
  await user.click(getCreate());
  const form = within(await findDialog('Create Legal Hold'));
  fireEvent.change(form.getByRole('textbox', { name: 'Name' }), { target: { value: 'Chat case' } });
  fireEvent.change(form.getByLabelText(/^Reason/), { target: { value: 'Claim of March 2' } });
  await user.type(await form.findByRole('combobox', { name: 'Users on Chat' }), 'ada');
  await user.click(await screen.findByRole('option', { name: 'Ada Lovelace' }));
  expect(form.queryByLabelText(/^Team name/)).toBeNull();
  answer(addHold, legalHold('Chat case', { ...held, begun: 3 }));
  answer(listHolds, { records: [legalHold('Chat case', held)] });
  await user.click(form.getByRole('button', { name: 'Create Hold' }));
  const notice = await findDialog('The hold is in effect');
  expect(notice).toHaveTextContent('3 messages were already being deleted');
  expect(calls(addHold)[0]?.body).toMatchObject({ user_ids: [], connected_user_ids: [`${chat.id}/ada`] });
  expect(calls(listConnectedUsers)[0]?.query.former).toBe('1');
  await user.click(within(notice).getByRole('button', { name: 'Close' }));
  expect((await findHold('Chat case')).getByText('Connected: Ada Lovelace')).toBeInTheDocument();
});

test('a hold is widened by keyboard', async () => {
  const nora = member('Nora', 'Novak');
  answer(listUsers, { records: [nora], last_key: null });
  const { user } = openScreen(PATH);
  await user.click((await findHold('Audit 2026')).getByRole('button', { name: 'Edit Audit 2026' }));
  const edit = within(await findDialog('Edit Legal Hold'));
  await user.type(edit.getByRole('combobox', { name: 'Add users' }), 'nora');
  await screen.findByRole('option', { name: /Nora Novak/ });
  await user.keyboard('{ArrowDown}{Enter}');
  await user.click(edit.getByRole('combobox', { name: 'Add content' }));
  await user.click(await screen.findByRole('option', { name: 'Voicemails' }));
  await user.keyboard('{Escape}');
  answer(saveHold, AUDIT);
  await user.click(edit.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(calls(saveHold)).toHaveLength(1));
  expect(calls(saveHold)[0]?.body.user_ids?.toSorted()).toEqual([max.id, nora.id].toSorted());
  expect(calls(saveHold)[0]?.body.settings?.toSorted()).toEqual(['files', 'voicemails']);
});

test('a hold is exported and released with a reason, and kept again', async () => {
  const { user } = openScreen(PATH);
  await user.click((await findHold('Audit 2026')).getByRole('button', { name: 'Export Audit 2026' }));
  const exporting = within(await findDialog('Export Legal Hold'));
  const done = { id: 'e'.repeat(26), state: 'done' as const, url: '/files/hold.zip', sha256: 'x', size: 9 };
  answer(exportHold, { id: done.id });
  answer(listHolds, { records: [{ ...AUDIT, export: { ...done, requested_at: 1, expires_at: 2 } }] });
  fireEvent.change(exporting.getByLabelText(/^Reason/), { target: { value: 'Request of the court' } });
  await user.click(exporting.getByRole('button', { name: 'Start export' }));
  expect(await screen.findByRole('link', { name: 'Download the export of Audit 2026' })).toHaveAttribute(
    'href',
    '/files/hold.zip',
  );
  expect(calls(exportHold)[0]?.body).toEqual({ reason: 'Request of the court' });
  await user.click((await findHold('Audit 2026')).getByRole('button', { name: 'Release Audit 2026' }));
  const release = await findDialog('Release Legal Hold');
  expect(release).toHaveTextContent('Audit 2026 ends in 24 hours');
  const leaving = { ...AUDIT, release_at: Date.UTC(2100, 0, 1) };
  answer(releaseHold, leaving);
  answer(listHolds, { records: [leaving] });
  fireEvent.change(within(release).getByLabelText(/^Reason/), { target: { value: 'Settled' } });
  await user.click(within(release).getByRole('button', { name: 'Release' }));
  await screen.findByText('Ends soon');
  expect(calls(releaseHold)[0]?.body).toEqual({ reason: 'Settled' });
  await user.click((await findHold('Audit 2026')).getByRole('button', { name: 'Keep Audit 2026' }));
  const edit = await findDialog('Edit Legal Hold');
  expect(edit).toHaveTextContent('Covers now: Max Member · Files.');
  answer(saveHold, AUDIT);
  answer(listHolds, { records: [AUDIT] });
  await user.click(within(edit).getByRole('button', { name: 'Save and Keep' }));
  await screen.findByText('Active');
});

test('an admin who isn’t an owner can create and widen a hold, and nothing else', async () => {
  openScreen(PATH, ['team_admin', 'team_user']);
  const buttons = (await findHold('Audit 2026')).getAllByRole('button');
  expect(buttons.map(({ textContent }) => textContent)).toEqual(['Edit']);
  expect(getCreate()).toBeInTheDocument();
});
