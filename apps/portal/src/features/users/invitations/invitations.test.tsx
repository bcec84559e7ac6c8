import {
  cancelInvitation,
  getInvitation,
  type Invitation,
  listFailedInvitations,
  resendInvitation,
} from '@steward/contract/users/invitations';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { answerUsers, chooseAction, findDialog, findRow, invitee, member } from '#testing/users.ts';

const HOUR_MS = 3_600_000;
const pia = invitee('Pia', 'Pending');
const SENT: Invitation = { sent_at: Date.now() - 3 * HOUR_MS, expires_at: null, mail: 'sent', error: '' };

beforeEach(() => {
  answerUsers(pia);
  answer(getInvitation, SENT);
});

test('an invitation can be resent from a dialog that shows its status', async () => {
  const { user } = openScreen('/users/users');
  await user.click(await screen.findByRole('button', { name: 'Actions for Pia Pending' }));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    ...['Edit', 'Resend invitation', 'Cancel invitation'],
    ...[expect.stringMatching(/^Revoke all sessions/), expect.stringMatching(/^Send password reset/)],
  ]);
  await user.click(screen.getByRole('menuitem', { name: 'Resend invitation' }));
  const dialog = await findDialog('Resend invitation');
  await waitFor(() => expect(dialog).toHaveTextContent(/The last invitation was sent on \w+ \d+/));
  expect(dialog).toHaveTextContent("There's no valid invitation link.");
  expect(dialog).toHaveTextContent(`We'll email Pia Pending (${pia.email}) a new link, valid for 48 hours.`);
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus());
  expect(calls(resendInvitation)).toEqual([]);
  answer(resendInvitation, { status_code: 200 });
  await user.click(within(dialog).getByRole('button', { name: 'Send again' }));
  await screen.findByText('Invitation sent again');
  expect(calls(resendInvitation)[0]?.params.userId).toBe(pia.id);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Actions for Pia Pending' })).toHaveFocus());
  answer(getInvitation, { ...SENT, expires_at: Date.now() + HOUR_MS });
  await chooseAction(user, 'Pia Pending', 'Resend invitation');
  await waitFor(async () =>
    expect(await findDialog('Resend invitation')).toHaveTextContent(/The link expires on \w+ \d+/),
  );
});

test('the mail server’s error is shown as plain text', async () => {
  answer(getInvitation, { ...SENT, mail: 'failed', error: '550 <b>no such user</b>' });
  const { user } = openScreen('/users/users');
  await chooseAction(user, 'Pia Pending', 'Resend invitation');
  const dialog = await findDialog('Resend invitation');
  await waitFor(() =>
    expect(dialog).toHaveTextContent("couldn't be delivered. The mail server said: “550 <b>no such user</b>”"),
  );
});

test('canceling an invitation asks first, then removes the row', async () => {
  const { user } = openScreen('/users/users');
  await chooseAction(user, 'Pia Pending', 'Cancel invitation');
  const dialog = await findDialog('Cancel invitation');
  expect(dialog).toHaveTextContent('Cancel this invitation?');
  expect(dialog).toHaveTextContent(`Pia Pending (${pia.email}) will be removed from the list`);
  expect(dialog).toHaveTextContent('You can invite them again later.');
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Keep invitation' })).toHaveFocus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await chooseAction(user, 'Pia Pending', 'Cancel invitation');
  answer(cancelInvitation, { status_code: 200 });
  answerUsers();
  await user.click(within(await findDialog('Cancel invitation')).getByRole('button', { name: 'Cancel invitation' }));
  await screen.findByText('Invitation canceled');
  expect(screen.queryByText(pia.email)).toBeNull();
  expect(calls(cancelInvitation)).toHaveLength(1);
});

test.each(['Resend invitation', 'Cancel invitation'])(
  '%s: a user who has accepted since then isn’t touched, and the list is updated',
  async (action) => {
    refuse(resendInvitation, 'record.not_found');
    refuse(cancelInvitation, 'record.not_found');
    const { user } = openScreen('/users/users');
    await chooseAction(user, 'Pia Pending', action);
    const dialog = within(await findDialog(action));
    answerUsers({ ...member('Pia', 'Accepted'), id: pia.id });
    await user.click(await dialog.findByRole('button', { name: /Send again|^Cancel invitation/ }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This invitation was already accepted or canceled.');
    expect(await findRow('Pia Accepted')).toHaveTextContent('Team User');
  },
);

test('an invitation canceled by someone else leaves the list when its dialog opens', async () => {
  refuse(getInvitation, 'record.not_found');
  const { user } = openScreen('/users/users');
  await chooseAction(user, 'Pia Pending', 'Resend invitation');
  answerUsers();
  const dialog = await findDialog('Resend invitation');
  await waitFor(() => expect(dialog).toHaveTextContent('This invitation was already accepted or canceled.'));
  expect(
    within(dialog)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['Close']);
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByText(pia.email)).toBeNull());
});

test('undelivered invitations are reported above the list, and each can be resent or canceled', async () => {
  const max = invitee('Max', 'Mute');
  const failed = [max, pia].map(({ id, email }) => ({
    user_id: id,
    email,
    failed_at: Date.now(),
    error: '550 no such user here',
  }));
  answerUsers(max, pia);
  answer(listFailedInvitations, { records: failed, last_key: null });
  const { user } = openScreen('/users/users');
  await screen.findByText("2 invitations couldn't be delivered.");
  await user.click(screen.getByRole('button', { name: 'Show undelivered invitations' }));
  const list = within(await findDialog('Undelivered invitations'));
  expect(list.getAllByRole('listitem')[0]).toHaveTextContent(max.email);
  expect(list.getAllByRole('listitem')[0]).toHaveTextContent('“550 no such user here”');
  answer(resendInvitation, { status_code: 200 });
  answer(listFailedInvitations, { records: failed.slice(0, 1), last_key: null });
  await user.click(list.getByRole('button', { name: `Resend invitation to ${pia.email}` }));
  await user.click(await within(await findDialog('Resend invitation')).findByRole('button', { name: 'Send again' }));
  await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1));
  await waitFor(() => expect(list.getByRole('button', { name: 'Close' })).toHaveFocus());
  answer(cancelInvitation, { status_code: 200 });
  answer(listFailedInvitations, { records: [], last_key: null });
  await user.click(list.getByRole('button', { name: `Cancel invitation to ${max.email}` }));
  await user.click(within(await findDialog('Cancel invitation')).getByRole('button', { name: 'Cancel invitation' }));
  await list.findByText('All invitations have been delivered.');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // The notice stays, so that the rows don't move when its last invitation is gone.
  expect(screen.getByText('All invitations have been delivered.')).toBeInTheDocument();
});
