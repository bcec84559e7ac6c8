import { type AuditRecord, listAuditEvents } from '@steward/contract/audit';
import { listUsers } from '@steward/contract/users';
import { undoInactivityNight } from '@steward/contract/users/inactivity';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { auditRecord } from '#testing/audit.ts';
import { answer, calls, disconnect } from '#testing/fake-server.ts';
import { OLIVIA, openScreen } from '#testing/open-screen.tsx';
import { getRows, rowsAre } from '#testing/rows.ts';
import { takeSavedFiles } from '#testing/saved-files.ts';
import { answerUsers, findDialog, member } from '#testing/users.ts';

const PATH = '/dashboard/audit_log';
const ada = member('Ada', 'Admin');
const ENTRY = 'e'.repeat(26);

function edited(id: string, fields: Partial<AuditRecord> = {}): AuditRecord {
  const entry = { sms: '', email: '', phone_number: '030 1' };
  return auditRecord(id, 'directory.edited', {
    target: ENTRY,
    target_name: 'Front desk',
    details: { before: { ...entry, name: 'Reception' }, after: { ...entry, name: 'Front desk' } },
    ...fields,
  });
}

const LOG = [
  edited('1'),
  edited('2', {
    actor: { id: ada.id, name: 'Ada Admin', email: ada.email },
    target: 'f'.repeat(26),
    target_name: 'Canteen',
  }),
  auditRecord('3', 'tokens.added', { at: Date.UTC(2026, 2, 29, 12) }),
];

beforeEach(() => {
  answerUsers(ada);
  answer(listAuditEvents, ({ query: { actor, action, target, from } }) => ({
    records: LOG.filter(
      (record) =>
        (actor === undefined || record.actor?.id === actor) &&
        (action === undefined || record.action.startsWith(action)) &&
        (target === undefined || record.target === target) &&
        (from === undefined || record.at >= Number(from)),
    ),
    last_key: null,
  }));
});

test('an empty log says what will appear in it', async () => {
  answer(listAuditEvents, { records: [], last_key: null });
  openScreen(PATH);
  await screen.findByRole('heading', { name: 'No activity yet' });
  expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Audit Log');
});

test('a change is listed with who, what, target and from where, and shows before and after', async () => {
  const { user } = openScreen(PATH);
  await rowsAre(3);
  const [row] = getRows();
  for (const text of ['Olivia Owner', OLIVIA.email, 'Edited the directory', 'Front desk', '192.0.2.44'])
    expect(row).toHaveTextContent(text);
  expect(row?.querySelector('time')).toHaveAttribute('title', expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/));
  await user.click(screen.getByRole('button', { name: 'Details of Edited the directory, Front desk' }));
  const dialog = within(await findDialog('Edited the directory'));
  const name = dialog.getByRole('row', { name: /^Name/ });
  expect(name.querySelector('del')).toHaveTextContent('Reception');
  expect(name.querySelector('ins')).toHaveTextContent('Front desk');
  const phone = within(dialog.getByRole('row', { name: /^Phone number/ }));
  expect(phone.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['030 1', '030 1']);
  expect(dialog.getByText('request-1')).toBeInTheDocument();
  await user.click(dialog.getByText('Raw data'));
  await user.click(dialog.getByRole('button', { name: 'Copy' }));
  await dialog.findByText('Copied');
  const copied: unknown = JSON.parse(await navigator.clipboard.readText());
  expect(copied).toMatchObject({ action: 'directory.edited', target: ENTRY, details: LOG[0]?.details });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Details of Edited the directory, Front desk' })).toHaveFocus(),
  );
});

test('each filter applies immediately, is part of the address, and Reset removes all of them', async () => {
  const { user, router } = openScreen(PATH);
  const path = () => router.state.location.href;
  await rowsAre(3);
  await user.click(screen.getByRole('button', { name: 'Who: Anyone' }));
  await user.type(await screen.findByRole('textbox', { name: 'Search people' }), 'ada');
  await screen.findByRole('option', { name: /^Ada Admin/ });
  await user.click(screen.getByRole('option', { name: /^Ada Admin/ }));
  await rowsAre(1);
  expect(path()).toBe(`${PATH}?actor=${ada.id}`);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Who: Ada Admin' })).toHaveFocus());
  await user.selectOptions(screen.getByRole('combobox', { name: 'Action' }), 'Edited the directory');
  await waitFor(() => expect(path()).toBe(`${PATH}?actor=${ada.id}&action=directory.edited`));
  fireEvent.change(screen.getByLabelText('From date'), { target: { value: '2100-01-01' } });
  await screen.findByRole('heading', { name: 'Nothing found' });
  await user.click(screen.getByRole('button', { name: 'Reset' }));
  await rowsAre(3);
  expect(path()).toBe(PATH);
  expect(screen.getByLabelText('From date')).toHaveValue('');
});

test('dates are whole days in the viewer’s time zone, including the last one', async () => {
  // The viewer is in Berlin, where summer began on March 29, 2026.
  openScreen(`${PATH}?from=2026-03-29&to=2026-03-29`);
  await rowsAre(3);
  const { from, to } = calls(listAuditEvents)[0]?.query ?? {};
  expect([from, to].map((at) => new Date(Number(at)).toISOString())).toEqual([
    ...['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ]);
});

test('an address can name a target, and details link to all changes of their target', async () => {
  const { user, router } = openScreen(`${PATH}?target=${ENTRY}`);
  await rowsAre(1);
  await user.click(screen.getByRole('button', { name: 'Remove the target filter' }));
  await rowsAre(3);
  await user.click(screen.getByRole('button', { name: /Canteen$/ }));
  await user.click(await screen.findByRole('button', { name: 'View all changes to this item' }));
  await rowsAre(1);
  expect(router.state.location.href).toBe(`${PATH}?target=${'f'.repeat(26)}`);
});

test('invalid filters in the address are ignored', async () => {
  openScreen(`${PATH}?actor=me&action=nothing.such&target=1&from=2026-02-31&to=yesterday`);
  await rowsAre(3);
  expect(screen.queryByRole('button', { name: 'Reset' })).toBeNull();
});

test('the CSV has every row of the current filters, with formulas neutralized', async () => {
  const formula = '=HYPERLINK("x")';
  answer(listAuditEvents, ({ query: { last_key } }) => ({
    records: [
      edited(last_key ?? '1', {
        target_name: formula,
        details: { before: { name: 'Reception' }, after: { name: formula } },
      }),
    ],
    last_key: last_key === undefined ? '2' : null,
  }));
  const { user } = openScreen(`${PATH}?action=directory`);
  await rowsAre(2);
  await user.click(screen.getByRole('button', { name: 'Download CSV' }));
  const [file] = await waitFor(() => {
    const files = takeSavedFiles();
    expect(files).toHaveLength(1);
    return files;
  });
  expect(file?.name).toBe('steward-audit.csv');
  const [header, line, ...more] = (await file?.lines) ?? [];
  expect(header).toMatch(
    /^\uFEFF?When,Who,Email,What,Target,Target type,Changes,From,Action,Actor id,Target id,Request id$/,
  );
  expect(more).toHaveLength(1);
  expect(line).toContain(`,Olivia Owner,${OLIVIA.email},Edited the directory,"'=HYPERLINK(""x"")",Directory entry,`);
  expect(line).toContain('Name: Reception → =HYPERLINK');
  expect(line).toContain(',192.0.2.44,directory.edited,');
});

test('a log that fails to load shows the cause, and Retry loads it', async () => {
  disconnect(listAuditEvents);
  const { user } = openScreen(PATH);
  await screen.findByRole('heading', { name: 'An Error Occurred!' });
  answer(listAuditEvents, { records: LOG, last_key: null });
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await rowsAre(3);
});

test('a user is found with the keyboard alone', async () => {
  answer(listUsers, { records: [ada], last_key: null });
  const { user } = openScreen(PATH);
  await rowsAre(3);
  screen.getByRole('button', { name: 'Who: Anyone' }).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Search people' })).toHaveFocus());
  await user.keyboard('ada');
  await waitFor(() => expect(screen.getAllByRole('option')[0]).toHaveTextContent(/^.*Ada Admin/));
  await user.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Who: Ada Admin' })).toHaveFocus());
});

test('an owner undoes a night of the inactivity rule', async () => {
  const details = { night: '2027-03-10', warned_users: [], reminded_users: [], deactivated_users: [ada.id] };
  const night = auditRecord('4', 'users.inactivity_night', { at: Date.now(), details });
  answer(listAuditEvents, { records: [night], last_key: null });
  answer(undoInactivityNight, { status_code: 200, restored: 1 });
  const { user } = openScreen(PATH);
  await user.click(await screen.findByRole('button', { name: /^Details of Warned or deactivated/ }));
  const dialog = within(await findDialog('Warned or deactivated inactive users'));
  await user.click(dialog.getByRole('button', { name: 'Undo this night' }));
  await screen.findByText('1 user restored');
  expect(calls(undoInactivityNight)[0]?.params).toMatchObject({ night: '2027-03-10' });
});

test('admins who aren’t owners can’t undo a night', async () => {
  const details = { night: '2027-03-10', warned_users: [], reminded_users: [], deactivated_users: [ada.id] };
  const night = auditRecord('4', 'users.inactivity_night', { at: Date.now(), details });
  answer(listAuditEvents, { records: [night], last_key: null });
  const { user } = openScreen(PATH, ['team_admin', 'team_user']);
  await user.click(await screen.findByRole('button', { name: /^Details of Warned or deactivated/ }));
  const dialog = within(await findDialog('Warned or deactivated inactive users'));
  expect(dialog.queryByRole('button', { name: 'Undo this night' })).toBeNull();
});
