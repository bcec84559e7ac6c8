import { revokeSessions } from '@steward/contract/users';
import { listSessions, revokeSession, type Session } from '@steward/contract/users/sessions';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { answer, calls, disconnect, hold, refuse } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { answerUsers, chooseAction, findDialog, member, toId } from '#testing/users.ts';

const MINUTE_MS = 60_000;
const NOW = Date.now();
const max = member('Max', 'Member');

function session(device: string, address: string, fields: Partial<Session> = {}): Session {
  return { id: toId(device), device, address, created_at: 1, last_seen_at: NOW, is_current: false, ...fields };
}

const PHONE = session('Safari on iOS', '2001:db8::7');
const LAPTOP = session('Firefox on Windows', '192.0.2.7', { last_seen_at: NOW - 12 * MINUTE_MS });

beforeEach(() => {
  // The texts tell how long ago a session was used, however long the tests before took.
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  answerUsers(max);
  answer(listSessions, { records: [PHONE, LAPTOP] });
});

async function openRevoke(user: UserEvent) {
  await chooseAction(user, 'Max Member', 'Revoke all sessions');
  return within(await findDialog('Revoke all sessions'));
}

const texts = (elements: HTMLElement[]) => elements.map(({ textContent }) => textContent);

test('the dialog lists the active sessions and when each was last used', async () => {
  const { user } = openScreen('/users/users');
  const dialog = await openRevoke(user);
  await dialog.findByRole('heading', { name: '2 active sessions' });
  expect(texts(dialog.getAllByRole('listitem'))).toEqual([
    expect.stringMatching(/^Safari on iOS2001:db8::7.*Last active just now/),
    expect.stringMatching(/^Firefox on Windows192\.0\.2\.7.*Last active 12 minutes ago/),
  ]);
  expect(dialog.getByText('12 minutes ago')).toHaveAttribute('title', expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/));
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus());
});

test('one session is signed out, and the focus moves to the next button', async () => {
  const { user } = openScreen('/users/users');
  const dialog = await openRevoke(user);
  answer(revokeSession, { status_code: 200, revoked: 1, devices: [] });
  await user.click(await dialog.findByRole('button', { name: 'Sign out Firefox on Windows, 192.0.2.7' }));
  await dialog.findByRole('heading', { name: '1 active session' });
  expect(calls(revokeSession)[0]).toMatchObject({ params: { userId: max.id }, body: { session_id: LAPTOP.id } });
  expect(dialog.getAllByRole('listitem')[1]).toHaveTextContent('Signed out');
  expect(dialog.getByRole('status')).toHaveTextContent(/^Firefox on Windows, .+: signed out\.$/);
  await waitFor(() => expect(dialog.getByRole('button', { name: /^Sign out Safari on iOS/ })).toHaveFocus());
});

test('revoking all shows a receipt that lists each, also those that were ended before', async () => {
  const { user } = openScreen('/users/users');
  const dialog = await openRevoke(user);
  answer(revokeSession, { status_code: 200, revoked: 1, devices: [] });
  await user.click(await dialog.findByRole('button', { name: /^Sign out Firefox/ }));
  await dialog.findByText('Signed out');
  answer(revokeSessions, { status_code: 200, revoked: 1, devices: [PHONE] });
  await user.click(dialog.getByRole('button', { name: 'Revoke all sessions' }));
  await screen.findByText('All sessions of User revoked successfully');
  expect(await findDialog('Revoke all sessions')).toHaveTextContent(
    `Max Member (${max.email}) was signed out of 2 devices:`,
  );
  const list = within(screen.getByRole('list', { name: 'Revoked sessions' }));
  expect(texts(list.getAllByRole('listitem'))).toEqual([
    expect.stringMatching(/^Safari on iOS2001:db8::7.*Signed out$/),
    expect.stringMatching(/^Firefox on Windows192\.0\.2\.7.*Signed out$/),
  ]);
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Close' })).toHaveFocus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(screen.getByRole('button', { name: 'Actions for Max Member' })).toHaveFocus());
  answer(listSessions, { records: [] });
  await (await openRevoke(user)).findByRole('heading', { name: 'No active sessions' });
});

test('a session that someone else has ended is shown as ended, and a refusal is explained', async () => {
  const { user } = openScreen('/users/users');
  const dialog = await openRevoke(user);
  refuse(revokeSession, 'server.unavailable', 'Please try again.');
  await user.click(await dialog.findByRole('button', { name: /^Sign out Safari/ }));
  await dialog.findByText("Couldn't sign out this session: Please try again.");
  expect(dialog.getByRole('button', { name: /^Sign out Safari/ })).toBeEnabled();
  refuse(revokeSession, 'record.not_found');
  await user.click(dialog.getByRole('button', { name: /^Sign out Safari/ }));
  await waitFor(() => expect(dialog.getAllByRole('listitem')[0]).toHaveTextContent('Signed out'));
});

test('a list that fails to load can be retried, and an older list is never shown instead', async () => {
  const { user } = openScreen('/users/users');
  disconnect(listSessions);
  const dialog = await openRevoke(user);
  await dialog.findByText("Couldn't load active sessions: API error");
  expect(dialog.getByRole('button', { name: 'Revoke all sessions' })).toBeEnabled();
  answer(listSessions, { records: [PHONE, LAPTOP] });
  await user.click(dialog.getByRole('button', { name: 'Retry' }));
  expect(await dialog.findAllByRole('listitem')).toHaveLength(2);
  await user.keyboard('{Escape}');
  const release = hold(listSessions, { records: [LAPTOP] });
  const again = await openRevoke(user);
  expect(again.queryAllByRole('listitem')).toEqual([]);
  act(release);
  expect(await again.findAllByRole('listitem')).toHaveLength(1);
});

test('one’s own sessions have their own dialog: the current one is marked and can’t be signed out', async () => {
  answer(listSessions, { records: [{ ...PHONE, is_current: true }, LAPTOP] });
  answer(revokeSession, { status_code: 200, revoked: 1, devices: [] });
  const { user } = openScreen('/users/users');
  await chooseAction(user, 'Olivia Owner', 'Your sessions');
  const dialog = within(await findDialog('Your sessions'));
  const [own] = await dialog.findAllByRole('listitem');
  expect(dialog.queryByText(/Are you sure/)).toBeNull();
  expect(own).toHaveTextContent('This device');
  expect(within(own as HTMLElement).queryByRole('button')).toBeNull();
  await user.click(dialog.getByRole('button', { name: /^Sign out / }));
  await dialog.findByText('Signed out');
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Close' })).toHaveFocus());
});
