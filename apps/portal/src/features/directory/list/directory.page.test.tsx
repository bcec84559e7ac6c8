import { listAuditEvents } from '@steward/contract/audit';
import {
  addEntries,
  type Entry,
  getImport,
  type Import,
  listEntries,
  listImports,
  removeEntry,
  restoreEntry,
  saveEntries,
  undoImport,
} from '@steward/contract/directory';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, disconnect, hold, refuse } from '#testing/fake-server.ts';
import { OLIVIA, openScreen, TEAM } from '#testing/open-screen.tsx';
import { getRows, rowsAre } from '#testing/rows.ts';
import { findDialog, toId } from '#testing/users.ts';

const PATH = '/users/company_directory';

function entry(name: string, fields: Partial<Entry> = {}): Entry {
  return {
    id: toId(name),
    name,
    phone_number: '',
    sms: '',
    email: '',
    user_id: '',
    last_picture_update: 0,
    ...fields,
  };
}

const ann = entry('Ann Lee', { phone_number: '5551234567', sms: '555-123-4567', email: 'ann+desk@example.com' });
const eve = entry('Eve Fox');

const answerEntries = (...records: Entry[]) => answer(listEntries, { records, last_key: null });
const getNames = () => getRows().map((row) => row.querySelector('bdi')?.textContent);
const getCell = (row: number, header: string) => getRows()[row]?.querySelector(`[data-label="${header}"]`);
const field = (name: string) => screen.getByRole('textbox', { name });
const fill = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const inDialog = (name: string) => within(screen.getByRole('dialog')).getByRole('button', { name });

async function openAdd(user: UserEvent): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'Add Entry' }));
  await findDialog('Add Entry');
  await waitFor(() => expect(field('Name')).toHaveFocus());
}

async function openDialog(user: UserEvent, action: 'Edit' | 'Delete', name: string): Promise<HTMLElement> {
  await user.click(await screen.findByRole('button', { name: `${action} ${name}` }));
  return findDialog(`${action} Entry`);
}

/** From now on only what the screen changes in place is visible. */
const holdList = () => void hold(listEntries, { records: [], last_key: null });

const focusIsOn = (name: string) => waitFor(() => expect(screen.getByRole('button', { name })).toHaveFocus());

beforeEach(() => answerEntries(ann, eve));

test('the sidebar leads to the directory, which has the specified columns and a link to its history', async () => {
  const { user, router } = openScreen(PATH);
  await rowsAre(2);
  expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Company Directory');
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    ...['Name', 'Phone Number', 'SMS Number', 'Email Address', 'ACTIONS'],
  ]);
  expect(screen.getByText('2 entries')).toBeInTheDocument();
  answer(listAuditEvents, { records: [], last_key: null });
  await user.click(screen.getAllByRole('link', { name: 'History' })[0] as HTMLElement);
  await waitFor(() => expect(router.state.location.href).toBe('/dashboard/audit_log?action=directory'));
});

test('ten digits are shown as (NNN) NNN-NNNN, valid numbers and addresses are links, and members have a picture', async () => {
  const numbers = { phone_number: '+49 30 1234, ext. 12', sms: '+49 30 1234' };
  answerEntries(ann, entry('Bob Ray', numbers), entry('Max at work', { user_id: OLIVIA.id, last_picture_update: 7 }));
  openScreen(PATH);
  await rowsAre(3);
  const link = (row: number, header: string) => getCell(row, header)?.querySelector('a');
  expect(link(0, 'Phone Number')).toHaveTextContent('(555) 123-4567');
  expect(link(0, 'Phone Number')).toHaveAttribute('href', 'tel:5551234567');
  expect(link(0, 'SMS Number')).toHaveTextContent('555-123-4567');
  expect(link(0, 'SMS Number')).toHaveAttribute('href', 'sms:5551234567');
  expect(link(0, 'Email Address')).toHaveAttribute('href', 'mailto:ann%2Bdesk@example.com');
  expect(getCell(1, 'Phone Number')).toHaveTextContent('+49 30 1234, ext. 12');
  expect(link(1, 'Phone Number')).toBeNull();
  expect(link(1, 'SMS Number')).toHaveAttribute('href', 'sms:+49301234');
  expect(getCell(1, 'Email Address')).toHaveTextContent('–none');
  expect(getRows().map((row) => row.querySelector('img')?.getAttribute('src'))).toEqual([
    ...[undefined, undefined, `/api/v4/users/${OLIVIA.id}/image?_=7`],
  ]);
});

test('a search is part of the URL, says when nothing was found, and can be cleared', async () => {
  answer(listEntries, ({ query: { search } }) => ({
    records: [ann, eve].filter(({ name }) => search === undefined || name.toLowerCase().includes(search)),
    last_key: null,
  }));
  const { user, router } = openScreen(`${PATH}?search=zzz`);
  await screen.findByRole('heading', { name: 'Nothing found' });
  expect(screen.getByText('zzz').closest('p, div')).toHaveTextContent('No entries match “zzz”.');
  await user.click(screen.getByRole('button', { name: 'Show all entries' }));
  await rowsAre(2);
  const box = screen.getByRole('searchbox', { name: 'Search directory' });
  expect(box).toHaveValue('');
  await user.type(box, 'eve{Enter}');
  await rowsAre(1);
  expect(router.state.location.href).toBe(`${PATH}?search=eve`);
  await user.click(screen.getByRole('button', { name: 'Clear search' }));
  await rowsAre(2);
  expect(router.state.location.href).toBe(PATH);
});

test('an empty directory offers both ways to add entries, and the first entry takes its place', async () => {
  answerEntries();
  answer(listImports, { records: [], last_key: null });
  answer(addEntries, { status_code: 200, records: [ann] });
  const { user } = openScreen(PATH);
  await screen.findByRole('heading', { name: 'The directory is empty' });
  expect(screen.getByText('0 entries')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Upload a CSV file' }));
  await findDialog('Upload CSV');
  await screen.findByText('No imports in the last 30 days.');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Add your first entry' }));
  await findDialog('Add Entry');
  fill('Name', 'Ann Lee');
  holdList();
  await user.click(inDialog('Add Entry'));
  await rowsAre(1);
});

test('a directory that can’t be loaded says why, and Retry loads it', async () => {
  refuse(listEntries, 'server.error');
  const { user } = openScreen(PATH);
  await screen.findByRole('heading', { name: 'An Error Occurred!' });
  expect(screen.getByRole('alert')).toHaveTextContent('Something went wrong on our side.');
  answerEntries(ann);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await rowsAre(1);
});

test('a name is required and an email address is validated before anything is sent', async () => {
  const { user } = openScreen(PATH);
  await rowsAre(2);
  await openAdd(user);
  fill('Email Address', 'ann');
  await user.click(inDialog('Add Entry'));
  expect(screen.getByText('Name is required.')).toBeInTheDocument();
  expect(field('Name')).toHaveFocus();
  expect(screen.getByText('The email address has no @.')).toBeInTheDocument();
  fill('Name', 'Ann Lee');
  fill('Email Address', 'ann@example.museum');
  await user.click(inDialog('Add Entry'));
  await screen.findByText('The email address must end in a dot and 2 to 4 letters, such as .com.');
  expect(field('Email Address')).toHaveFocus();
  expect(calls(addEntries)).toEqual([]);
});

test('an added entry is listed in order of its name, and in a search only if it matches', async () => {
  answer(addEntries, ({ body }) => ({ status_code: 200 as const, records: body.map(({ name }) => entry(name)) }));
  answerEntries(ann, entry('Anna Ray'));
  const { user } = openScreen(`${PATH}?search=ann`);
  await rowsAre(2);
  holdList();
  for (const name of [' bob ray ', 'Annabel Fox']) {
    await openAdd(user);
    fill('Name', name);
    await user.click(inDialog('Add Entry'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
  await rowsAre(3);
  expect(getNames()).toEqual(['Ann Lee', 'Anna Ray', 'Annabel Fox']);
  expect(screen.getByRole('searchbox', { name: 'Search directory' })).toHaveValue('ann');
  expect(screen.getAllByText('Added Successfully').length).toBeGreaterThan(0);
  await focusIsOn('Add Entry');
  expect(calls(addEntries)[0]?.body).toEqual([{ name: 'bob ray', phone_number: '', sms: '', email: '' }]);
});

test('editing saves only if something changed, and shows the stored entry', async () => {
  answer(saveEntries, { status_code: 200, records: [{ ...ann, name: 'Zoe Lee', phone_number: '' }] });
  const { user } = openScreen(PATH);
  await openDialog(user, 'Edit', 'Ann Lee');
  holdList();
  expect(field('Name')).toHaveValue('Ann Lee');
  expect(inDialog('Save')).toBeDisabled();
  fill('SMS Number', '5550000000');
  expect(inDialog('Save')).toBeEnabled();
  fill('SMS Number', ann.sms);
  expect(inDialog('Save')).toBeDisabled();
  fill('Name', 'Zoe Lee');
  fill('Phone Number', '');
  await user.click(inDialog('Save'));
  await screen.findByText('Saved Successfully');
  expect(getNames()).toEqual(['Eve Fox', 'Zoe Lee']);
  expect(getCell(1, 'Phone Number')).toHaveTextContent('–none');
  expect(calls(saveEntries)[0]?.body[0]).toMatchObject({ id: ann.id, name: 'Zoe Lee', phone_number: '' });
});

test('a deleted entry is named and removed, and the next row has the focus', async () => {
  answer(removeEntry, { status_code: 200 });
  answerEntries(ann, entry('Bob Ray'), eve);
  const { user } = openScreen(PATH);
  const dialog = await openDialog(user, 'Delete', 'Bob Ray');
  holdList();
  await waitFor(() => expect(inDialog('Cancel')).toHaveFocus());
  expect(dialog).toHaveTextContent('Are you sure you want to delete this record?');
  expect(dialog).toHaveTextContent('Bob Ray will be deleted');
  expect(dialog).toHaveTextContent('You can restore it from the audit log for 30 days.');
  await user.click(inDialog('Cancel'));
  await focusIsOn('Delete Bob Ray');
  for (const [name, next] of Object.entries({ 'Bob Ray': 'Delete Eve Fox', 'Eve Fox': 'Delete Ann Lee' })) {
    await openDialog(user, 'Delete', name);
    await user.click(inDialog('Delete'));
    await screen.findAllByText('Deleted Successfully');
    await waitFor(() => expect(getNames()).not.toContain(name));
    await focusIsOn(next);
  }
  await openDialog(user, 'Delete', 'Ann Lee');
  await user.click(inDialog('Delete'));
  await screen.findByRole('heading', { name: 'The directory is empty' });
  await focusIsOn('Add Entry');
});

test('a deletion is undone from its toast', async () => {
  answer(removeEntry, { status_code: 200 });
  const { user } = openScreen(PATH);
  await openDialog(user, 'Delete', 'Ann Lee');
  holdList();
  await user.click(inDialog('Delete'));
  await rowsAre(1);
  refuse(restoreEntry, 'server.error');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  answer(restoreEntry, { status_code: 200, records: [ann] });
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await screen.findByText('Ann Lee was restored.');
  expect(getNames()).toEqual(['Ann Lee', 'Eve Fox']);
  const [first, second] = calls(restoreEntry);
  expect(second?.idempotencyKey).toBe(first?.idempotencyKey);
});

test('deleting an entry that was deleted elsewhere says so and removes it', async () => {
  refuse(removeEntry, 'record.not_found');
  const { user } = openScreen(PATH);
  await openDialog(user, 'Delete', 'Ann Lee');
  holdList();
  await user.click(inDialog('Delete'));
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('An Error Occurred!');
  expect(alert).toHaveTextContent('This entry was already deleted by someone else.');
  await rowsAre(1);
  await focusIsOn('Delete Eve Fox');
});

test('editing an entry that was deleted elsewhere says so and keeps the input', async () => {
  refuse(saveEntries, 'record.not_found');
  const { user } = openScreen(PATH);
  const dialog = await openDialog(user, 'Edit', 'Ann Lee');
  fill('SMS Number', '5550000000');
  holdList();
  await user.click(inDialog('Save'));
  await within(dialog).findByText(/^This entry was deleted by someone else./);
  expect(screen.getByText('An Error Occurred!')).toBeInTheDocument();
  expect(field('SMS Number')).toHaveValue('5550000000');
  await rowsAre(1);
  await user.keyboard('{Escape}');
  await findDialog('Discard changes');
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  await focusIsOn('Edit Eve Fox');
});

test('an error of the server is shown at its field, and the input is kept', async () => {
  refuse(addEntries, 'request.invalid', '0.name: is required; 0.sms: must have at most 100 characters');
  const { user } = openScreen(PATH);
  await rowsAre(2);
  await openAdd(user);
  fill('Name', 'Ann Lee');
  await user.click(inDialog('Add Entry'));
  await screen.findByText('An Error Occurred!');
  expect(screen.getByText('Name is required.')).toBeInTheDocument();
  expect(screen.getByText('The SMS number must have at most 100 characters.')).toBeInTheDocument();
  expect(field('Name')).toHaveValue('Ann Lee');
});

test('a second attempt after a lost response has the same key', async () => {
  disconnect(addEntries);
  const { user } = openScreen(PATH);
  await rowsAre(2);
  await openAdd(user);
  fill('Name', 'Bob Ray');
  await user.click(inDialog('Add Entry'));
  await within(screen.getByRole('dialog')).findByText('API error');
  answer(addEntries, { status_code: 200, records: [entry('Bob Ray')] });
  await user.click(inDialog('Add Entry'));
  await screen.findByText('Added Successfully');
  const keys = calls(addEntries).map(({ idempotencyKey }) => idempotencyKey);
  expect(keys[0]).toMatch(/^\w{16,}$/);
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('closing with unsaved input asks for confirmation', async () => {
  const { user } = openScreen(PATH);
  await rowsAre(2);
  await openAdd(user);
  fill('Email Address', 'ann@example.com');
  await user.keyboard('{Escape}');
  await user.click(within(await findDialog('Discard changes')).getByRole('button', { name: 'Cancel' }));
  expect(field('Email Address')).toHaveValue('ann@example.com');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Discard changes' })).toBeNull());
  await user.keyboard('{Escape}');
  await user.click(within(await findDialog('Discard changes')).getByRole('button', { name: 'Discard' }));
  await focusIsOn('Add Entry');
  expect(screen.queryByRole('dialog')).toBeNull();
});

const IMPORT: Import = {
  id: toId('import'),
  file_name: 'people.csv',
  state: 'finished',
  started_by: OLIVIA.id,
  started_by_name: 'Olivia Owner',
  started_at: Date.now(),
  ended_at: Date.now(),
  undo: null,
  created: 2,
  changed: 0,
  unchanged: 0,
  failed: 1,
  undo_until: Date.UTC(2100, 0, 1),
};

/** Opens the recent imports and asks to undo the first one. */
async function askToUndo(user: UserEvent): Promise<HTMLElement> {
  await user.click(await screen.findByRole('button', { name: 'Upload CSV' }));
  await user.click(await screen.findByRole('button', { name: 'Undo this import: people.csv' }));
  return findDialog('Undo this import');
}

test('undoing an import that was undone elsewhere says so', async () => {
  answer(listImports, { records: [IMPORT], last_key: null });
  refuse(undoImport, 'directory.import_cannot_be_undone', 'This import was undone already.');
  const { user } = openScreen(PATH);
  const question = await askToUndo(user);
  const row = within(screen.getByRole('region', { name: 'Recent imports' })).getByRole('listitem');
  for (const text of ['people.csv', 'Finished', '2 new · 1 error', 'Olivia Owner']) expect(row).toHaveTextContent(text);
  expect(row.querySelector('time')).toHaveAttribute('title', expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/));
  expect(question).toHaveTextContent('people.csv: 2 added entries will be removed.');
  await user.click(within(question).getByRole('button', { name: 'Undo this import' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This import was undone already.');
});

test('a long undo shows its progress, and the list is updated at its end', async () => {
  const undo = { removed: 1, restored: 0, kept: 0, ended_at: 0 };
  const undoing = { ...IMPORT, state: 'undoing', undo, undo_until: 0 } as const;
  answer(listImports, { records: [IMPORT], last_key: null });
  answer(undoImport, undoing);
  answer(getImport, undoing);
  const { user } = openScreen(PATH);
  const question = await askToUndo(user);
  await user.click(within(question).getByRole('button', { name: 'Undo this import' }));
  await waitFor(async () => expect(await screen.findByRole('heading', { name: 'Undoing this import' })).toHaveFocus());
  const progress = screen.getByRole('progressbar', { name: 'Undoing the import' });
  expect(progress).toHaveAttribute('aria-valuetext', '1 of 2 entries');
  answerEntries(eve);
  answer(getImport, { ...undoing, state: 'undone', undo: { ...undo, removed: 2, ended_at: Date.now() } });
  await waitFor(async () => expect(await screen.findByRole('heading', { name: 'Import undone' })).toHaveFocus());
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['2', '0', '0']);
  await rowsAre(1);
  expect(calls(getImport)[0]?.params).toEqual({ teamId: TEAM.id, importId: IMPORT.id });
});
