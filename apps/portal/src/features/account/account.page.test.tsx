import {
  changePassword,
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
  removePicture,
  savePicture,
  saveProfile,
} from '@steward/contract/account';
import { requestEmailChange } from '@steward/contract/account/email';
import { answerInvitation, leaveTeam, listOwnInvitations } from '@steward/contract/account/memberships';
import { getPreferences, savePreferences } from '@steward/contract/account/preferences';
import { getMe } from '@steward/contract/session';
import { listTeamMembers } from '@steward/contract/session/teams';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { answerAccount, emailsAre, findSection, ownSession } from '#testing/account.ts';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { OLIVIA, openPortal, openScreen, SOUTHWIND } from '#testing/open-screen.tsx';
import { answerUsers, findDialog } from '#testing/users.ts';
import '#testing/saved-files.ts';

const PATH = '/account';

beforeEach(answerAccount);

test('a new name is saved, and shown in the header', async () => {
  answerUsers();
  const { user } = openScreen(PATH);
  const profile = await findSection('Profile');
  const save = profile.getByRole('button', { name: 'Save name' });
  expect(save).toHaveAttribute('aria-disabled', 'true');
  const field = profile.getByRole('textbox', { name: 'First name' });
  await user.clear(field);
  await user.type(field, 'Olive');
  answer(saveProfile, { ...OLIVIA, first_name: 'Olive' });
  await user.click(save);
  await screen.findByText('Your name was saved');
  expect(save).toHaveAttribute('aria-disabled', 'true');
  expect(calls(saveProfile)[0]?.body).toMatchObject({ first_name: 'Olive', last_name: 'Owner' });
  await user.click(screen.getByRole('link', { name: 'Back to the admin portal' }));
  await screen.findByRole('button', { name: /Olive Owner.*account/ });
});

test('a picture is refused with a reason, before and after it is sent', async () => {
  const { user } = openScreen(PATH);
  const profile = await findSection('Profile');
  const choose = (type: string, size: number) =>
    fireEvent.change(profile.getByLabelText('Picture file'), {
      target: { files: [new File([new Uint8Array(size)], 'me', { type })] },
    });
  choose('image/svg+xml', 1);
  expect(await profile.findByRole('alert')).toHaveTextContent("This file can't be read as a picture.");
  choose('image/png', 5 * 1024 * 1024 + 1);
  await waitFor(() => expect(profile.getByRole('alert')).toHaveTextContent('This file is larger than 5 MB.'));
  choose('image/png', 5 * 1024 * 1024);
  fireEvent.error(await profile.findByAltText('Preview'));
  await waitFor(() => expect(profile.getByRole('alert')).toHaveTextContent("This file can't be read as a picture."));
  choose('image/png', 1);
  await profile.findByAltText('Preview');
  expect(profile.queryByRole('alert')).toBeNull();
  refuse(savePicture, 'picture.unreadable');
  await user.click(profile.getByRole('button', { name: 'Save picture' }));
  await profile.findByRole('alert');
  await user.click(profile.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(profile.queryByRole('alert')).toBeNull());
  expect(profile.getByRole('button', { name: 'Choose picture' })).toHaveFocus();
});

test('a picture is removed, and the focus moves to the button that chooses another', async () => {
  answer(getMe, { ...OLIVIA, last_picture_update: OLIVIA.create_at + 1 });
  const { user } = openScreen(PATH);
  const profile = await findSection('Profile');
  answer(removePicture, OLIVIA);
  await user.click(profile.getByRole('button', { name: 'Remove picture' }));
  await screen.findByText('Your picture was removed');
  expect(profile.queryByRole('button', { name: 'Remove picture' })).toBeNull();
  expect(profile.getByRole('button', { name: 'Choose picture' })).toHaveFocus();
});

test('a wrong address or password is reported beside its field, and the link is announced', async () => {
  const { user } = openScreen(PATH);
  const form = await findSection('Email');
  const [email, password] = [form.getByRole('textbox', { name: 'New email' }), form.getByLabelText('Your password')];
  fireEvent.change(email, { target: { value: 'not-an@address.test' } });
  await user.type(email, '{Enter}');
  await form.findByText('Enter your password.');
  expect(password).toHaveFocus();
  refuse(requestEmailChange, 'request.invalid', 'email: is not an email address');
  fireEvent.change(password, { target: { value: 'wrong' } });
  await user.type(password, '{Enter}');
  await form.findByText('This is not an email address');
  expect(email).toHaveFocus();
  await user.clear(email);
  fireEvent.change(email, { target: { value: 'new@example.test' } });
  refuse(requestEmailChange, 'password.wrong');
  await user.click(form.getByRole('button', { name: 'Send link' }));
  await form.findByText('The current password is wrong.');
  expect(password).toHaveFocus();
  answer(requestEmailChange, { status_code: 200 });
  await user.click(form.getByRole('button', { name: 'Send link' }));
  expect(await form.findByText(/^We sent a link to/)).toHaveTextContent('We sent a link to new@example.test.');
  expect(email).toHaveValue('');
});

test('a wrong current password is reported beside its field, and nothing is lost', async () => {
  const { user } = openScreen(PATH);
  const form = await findSection('Password');
  const [current, next] = [form.getByLabelText('Current password'), form.getByLabelText('New password')];
  expect(form.getByDisplayValue(OLIVIA.email)).toHaveAttribute('autocomplete', 'username');
  fireEvent.change(current, { target: { value: 'wrong' } });
  fireEvent.change(next, { target: { value: 'a quite different password' } });
  fireEvent.change(form.getByLabelText('Confirm new password'), { target: { value: 'another one' } });
  await user.type(form.getByLabelText('Confirm new password'), '{Enter}');
  await form.findByText('Passwords must be matching.');
  await user.clear(form.getByLabelText('Confirm new password'));
  refuse(changePassword, 'password.wrong');
  fireEvent.change(form.getByLabelText('Confirm new password'), { target: { value: 'a quite different password' } });
  await user.type(form.getByLabelText('Confirm new password'), '{Enter}');
  await form.findByText('The current password is wrong.');
  expect(current).toHaveFocus();
  expect(next).toHaveValue('a quite different password');
  answer(changePassword, { status_code: 200, revoked: 1 });
  await user.click(form.getByRole('button', { name: 'Change password' }));
  await screen.findByText('Your password was changed');
  expect(current).toHaveValue('');
  await waitFor(() => expect(calls(listOwnSessions)).toHaveLength(2));
});

test('other sessions end one by one or all together', async () => {
  const [own, phone, tablet] = [
    ownSession('Firefox on Linux', { is_current: true }),
    ownSession('Safari on iOS'),
    ownSession('Chrome on Android'),
  ];
  answer(listOwnSessions, { records: [own, phone, tablet] });
  const { user } = openScreen(PATH);
  const sessions = await findSection('Sessions');
  const [first] = await sessions.findAllByRole('listitem');
  expect(first).toHaveTextContent('This device');
  expect(within(first as HTMLElement).queryByRole('button')).toBeNull();
  answer(endOwnSession, { status_code: 200 });
  answer(listOwnSessions, { records: [own, tablet] });
  await user.click(sessions.getByRole('button', { name: 'Sign out Safari on iOS, 192.0.2.7' }));
  await waitFor(() => expect(sessions.getAllByRole('listitem')).toHaveLength(2));
  expect(calls(endOwnSession)[0]?.params).toEqual({ sessionId: phone.id });
  answer(endOtherSessions, { status_code: 200, revoked: 1 });
  answer(listOwnSessions, { records: [own] });
  await user.click(sessions.getByRole('button', { name: 'Sign out all other devices' }));
  await screen.findByText('Signed out of all other devices');
  await waitFor(() => expect(sessions.queryByRole('button')).toBeNull());
});

test('an email is switched off immediately, and on again if that fails', async () => {
  const { user } = openScreen(PATH);
  const runs = await (await findSection('Email notifications')).findByRole('switch', {
    name: /^Failed retention runs/,
  });
  expect(runs).toBeChecked();
  answer(savePreferences, { emails: { ...emailsAre(true), run_failed: false }, locked: [] });
  answer(getPreferences, { emails: { ...emailsAre(true), run_failed: false }, locked: [] });
  await user.click(runs);
  expect(runs).not.toBeChecked();
  await waitFor(() => expect(calls(savePreferences)[0]?.body).toEqual({ emails: { run_failed: false } }));
  await waitFor(() => expect(calls(getPreferences)).toHaveLength(2));
  expect(runs).not.toBeChecked();
  refuse(savePreferences, 'server.unavailable', 'Please try again.');
  await user.click(screen.getByRole('switch', { name: /^New admins/ }));
  await screen.findByText('Please try again.');
  await waitFor(() => expect(screen.getByRole('switch', { name: /^New admins/ })).toBeChecked());
});

test('a user without admin rights gets no such emails, and no switches', async () => {
  answer(getMe, { ...OLIVIA, roles: ['team_user'] });
  openScreen(PATH);
  await findSection('Sessions');
  expect(screen.queryByRole('region', { name: 'Email notifications' })).toBeNull();
});

test('an invitation says who sent it, and can be accepted and declined', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const invitation = { team_name: 'Southwind', invited_by: 'Max Member', invited_at: Date.now() };
  answer(listOwnInvitations, { records: [{ ...invitation, team_id: SOUTHWIND.id, account_type: 2 }] });
  const { user } = openScreen(PATH);
  const section = await findSection('Invitations');
  expect(section.getByRole('listitem')).toHaveTextContent('SouthwindInvited by Max Member just now as Team User');
  expect(section.getByText(/admins of the team can see where you are signed in/)).toBeInTheDocument();
  refuse(answerInvitation, 'record.not_found');
  await user.click(section.getByRole('button', { name: 'Accept the invitation to Southwind' }));
  await screen.findByText('This invitation was canceled.');
  answer(answerInvitation, { status_code: 200 });
  answer(listOwnInvitations, { records: [] });
  await user.click(section.getByRole('button', { name: 'Decline the invitation to Southwind' }));
  await screen.findByText('You declined Southwind');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Invitations' })).toBeNull());
  expect(calls(answerInvitation).map(({ body }) => body.accept)).toEqual([true, false]);
});

test('the last owner can’t leave, and someone who leaves the last team has none', async () => {
  const { user } = openScreen(PATH);
  const teams = await findSection('Teams');
  const leave = async () => {
    await user.click(await teams.findByRole('button', { name: 'Leave Northwind' }));
    await user.click(within(await findDialog('Leave team')).getByRole('button', { name: 'Leave' }));
  };
  refuse(leaveTeam, 'users.last_owner');
  await leave();
  expect(await screen.findByRole('alert')).toHaveTextContent('A team needs at least one owner.');
  expect(teams.getByRole('listitem')).toHaveTextContent('NorthwindTeam Owner');
  answer(leaveTeam, { status_code: 200 });
  answer(listTeamMembers, []);
  await leave();
  await screen.findByText('You left Northwind');
  await teams.findByText(/^You don't belong to a team/);
});

test('without a session, the sign-in leads back to the account', async () => {
  const { router } = openPortal(PATH);
  await screen.findByRole('heading', { name: 'Sign in' });
  expect(router.state.location.state.from).toBe(PATH);
});
