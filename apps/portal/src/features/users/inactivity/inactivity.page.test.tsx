import { listUsers } from '@steward/contract/users';
import {
  confirmInactivityNight,
  getInactivity,
  type Inactivity,
  type InactivityNight,
  previewInactivity,
  removeInactivityException,
  saveInactivity,
  saveInactivityException,
  undoInactivityNight,
} from '@steward/contract/users/inactivity';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { findDialog, member, toId } from '#testing/users.ts';

const PATH = '/users/inactivity';

const RULE: Inactivity['rule'] = {
  is_on: false,
  source: 'reports',
  days: 90,
  skips_held: true,
  skips_provisioned: true,
};

const SOURCE: Inactivity['sources'][number] = {
  kind: 'reports',
  is_on: true,
  is_silent: false,
  began_at: 1,
  heard_at: 2,
};

const NOBODY = { count: 0, users: [] };
const ADA = { id: toId('ada'), name: 'Ada Lovelace' };

const NIGHT: InactivityNight = {
  night: '2027-03-10',
  state: 'done',
  members: 40,
  asked: NOBODY,
  undone_at: null,
  warned: NOBODY,
  reminded: NOBODY,
  deactivated: { count: 5, users: [ADA] },
  confirmed_by_name: '',
  undone_by_name: '',
};

const STORED: Inactivity = {
  rule: RULE,
  on_since: null,
  sources: [SOURCE],
  exceptions: [],
  warned: 0,
  undelivered: [],
  nights: [],
};

beforeEach(() => {
  answer(getInactivity, STORED);
  answer(previewInactivity, {
    members: 40,
    warned: 1,
    deactivated: 1,
    nights: [
      { night: '2027-03-11', warned: { count: 1, users: [ADA] }, reminded: NOBODY, deactivated: NOBODY, asks: true },
    ],
  });
});

const findSwitch = () => screen.findByRole('switch', { name: /Deactivate members without activity/ });
const save = () => screen.getByRole('button', { name: 'Save' });

test('the rule is saved after the dialog said whom it touches; Cancel has the focus', async () => {
  answer(saveInactivity, { ...STORED, rule: { ...RULE, is_on: true, days: 120 } });
  const { user } = openScreen(PATH);
  await user.click(await findSwitch());
  const days = screen.getByRole('textbox', { name: 'Days without activity' });
  await user.clear(days);
  await user.type(days, '120');
  await user.click(save());
  const dialog = within(await findDialog('Inactivity Rule'));
  expect(await dialog.findByText(/Of 40 members/)).toHaveTextContent('warn 1 and deactivate 1');
  const row = dialog.getByRole('row', { name: /Ada Lovelace/ });
  expect(row).toHaveTextContent('Asks an owner first');
  expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  expect(calls(saveInactivity)).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved Successfully');
  expect(calls(saveInactivity)[0]?.body).toEqual({ ...RULE, is_on: true, days: 120 });
  await waitFor(() => expect(screen.queryByText('Unsaved changes')).toBeNull());
});

test('nothing is saved if the effect can’t be found', async () => {
  refuse(previewInactivity, 'server.error');
  const { user } = openScreen(PATH);
  await user.click(await findSwitch());
  await user.click(save());
  const dialog = within(await findDialog('Inactivity Rule'));
  expect(await dialog.findByRole('alert')).toHaveTextContent('Nothing was saved.');
  expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
});

test('switching the rule off needs no preview, and says what happens', async () => {
  answer(getInactivity, { ...STORED, rule: { ...RULE, is_on: true } });
  answer(saveInactivity, STORED);
  const { user } = openScreen(PATH);
  await user.click(await findSwitch());
  await user.click(save());
  const dialog = within(await findDialog('Inactivity Rule'));
  dialog.getByText(/Warnings that were sent are withdrawn/);
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved Successfully');
  expect(calls(previewInactivity)).toEqual([]);
});

test('wrong days and a source without activity are refused beside the fields', async () => {
  answer(getInactivity, { ...STORED, sources: [] });
  const { user } = openScreen(PATH);
  await user.click(await findSwitch());
  const days = screen.getByRole('textbox', { name: 'Days without activity' });
  await user.clear(days);
  await user.type(days, '29');
  await user.click(save());
  await screen.findByText('Enter a whole number from 30 to 730.');
  screen.getByText(/has not reported any activity yet/);
  expect(days).toHaveFocus();
  expect(screen.getAllByText(/Nothing was reported yet/)).toHaveLength(2);
});

test('a night that asks is confirmed in a dialog that says how many members it touches', async () => {
  const night: InactivityNight = { ...NIGHT, state: 'asks', asked: { count: 9, users: [ADA] }, deactivated: NOBODY };
  answer(getInactivity, { ...STORED, rule: { ...RULE, is_on: true }, nights: [night] });
  answer(confirmInactivityNight, { status_code: 200 });
  const { user } = openScreen(PATH);
  await screen.findByText('The last night would touch 9 members');
  await user.click(screen.getByRole('button', { name: 'Confirm Night' }));
  const dialog = within(await findDialog('Confirm Night'));
  expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  dialog.getByText('Ada Lovelace and 8 more');
  await user.click(dialog.getByRole('button', { name: 'Confirm' }));
  await screen.findByText('Night confirmed');
  expect(calls(confirmInactivityNight)[0]?.params).toMatchObject({ night: '2027-03-10' });
});

test('a silent source and undelivered warnings are told', async () => {
  const undelivered = [{ ...ADA, email: 'ada@example.test', error: '550 no such user' }];
  const rule = { ...RULE, is_on: true };
  answer(getInactivity, { ...STORED, rule, undelivered, warned: 3, nights: [{ ...NIGHT, state: 'paused' }] });
  openScreen(PATH);
  await screen.findByText('The rule is paused');
  screen.getByText('3 members were warned and can still answer.');
  expect(screen.getByText(/550 no such user/)).toHaveTextContent('Ada Lovelace (ada@example.test): 550 no such user');
});

test('a night is undone, unless it deactivated nobody or was undone', async () => {
  const nights = [
    NIGHT,
    { ...NIGHT, night: '2027-03-09', undone_at: 1, undone_by_name: 'Olivia Owner' },
    { ...NIGHT, night: '2027-03-08', deactivated: NOBODY, warned: { count: 1, users: [ADA] } },
  ];
  answer(getInactivity, { ...STORED, nights });
  answer(undoInactivityNight, { status_code: 200, restored: 5 });
  const { user } = openScreen(PATH);
  const table = within(await screen.findByRole('table', { name: 'Last nights' }));
  expect(table.getByRole('row', { name: /Undone/ })).toHaveTextContent('By Olivia Owner');
  const [undo, ...others] = table.getAllByRole('button', { name: /^Undo/ });
  expect(others).toEqual([]);
  expect(table.getAllByText('Ada Lovelace and 4 more')).toHaveLength(2);
  await user.click(undo as HTMLElement);
  const dialog = within(await findDialog('Undo Night'));
  dialog.getByText('Restore 5 members?');
  await user.click(dialog.getByRole('button', { name: 'Restore' }));
  await screen.findByText('5 members restored');
});

test('an exception is added with a reason, listed and ended', async () => {
  const exception: Inactivity['exceptions'][number] = {
    user_id: toId('bob'),
    name: 'Bob Stone',
    email: 'bob@example.test',
    reason: 'Parental leave',
    until: '2027-12-31',
    added_by_name: 'Olivia Owner',
    added_at: 1,
  };
  answer(getInactivity, { ...STORED, exceptions: [exception] });
  answer(listUsers, { records: [member('Ada', 'Lovelace')], last_key: null });
  answer(saveInactivityException, STORED);
  answer(removeInactivityException, { status_code: 200 });
  const { user } = openScreen(PATH);
  expect(await screen.findByRole('row', { name: /Bob Stone/ })).toHaveTextContent('Parental leave');
  await user.click(screen.getByRole('button', { name: 'Add Exception' }));
  const form = within(await findDialog('Add Exception'));
  await user.click(form.getByRole('button', { name: 'Add Exception' }));
  form.getByText('Choose a member.');
  form.getByText('Enter a reason.');
  await user.click(form.getByRole('combobox', { name: 'Member' }));
  await user.click(await form.findByRole('option', { name: /Ada Lovelace/ }));
  fireEvent.change(form.getByRole('textbox', { name: 'Reason' }), { target: { value: 'Sabbatical' } });
  await user.click(form.getByRole('button', { name: 'Add Exception' }));
  await screen.findByText('Added Successfully');
  expect(calls(saveInactivityException)[0]?.body).toEqual({
    user_id: toId('AdaLovelace'),
    reason: 'Sabbatical',
    until: null,
  });
  await user.click(screen.getByRole('button', { name: 'End the exception of Bob Stone' }));
  const dialog = within(await findDialog('End Exception'));
  await user.click(dialog.getByRole('button', { name: 'End Exception' }));
  await screen.findByText('Exception ended');
  expect(calls(removeInactivityException)[0]?.params).toMatchObject({ userId: toId('bob') });
});

test('admins who aren’t owners learn who can do this', async () => {
  openScreen(PATH, ['team_admin', 'team_user']);
  await screen.findByRole('heading', { name: 'Only owners can change the inactivity rule' });
  expect(calls(getInactivity)).toEqual([]);
});

test('a page that can’t be loaded says so and can be tried again', async () => {
  refuse(getInactivity, 'server.error');
  const { user } = openScreen(PATH);
  const retry = await screen.findByRole('button', { name: 'Retry' });
  answer(getInactivity, STORED);
  await user.click(retry);
  await findSwitch();
});
