import { listAuditEvents } from '@steward/contract/audit';
import { saveUser } from '@steward/contract/users';
import { cancelInvitation, getInvitation, resendInvitation } from '@steward/contract/users/invitations';
import { getUser } from '@steward/contract/users/panel';
import { listSessions } from '@steward/contract/users/sessions';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { auditRecord } from '#testing/audit.ts';
import { answer, refuse } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { answerUsers, details, findDialog, invitee, member } from '#testing/users.ts';

const marie = member('Marie', 'Curie', {
  abilities: ['edit', 'view_sessions', 'revoke_sessions', 'view_sign_ins', 'deactivate'],
});
const PATH = `/users/users/${marie.id}`;

beforeEach(() => {
  answerUsers(marie);
  answer(getUser, details(marie, { directory_entry_id: 'd'.repeat(26), sessions: 1 }));
  answer(listAuditEvents, { records: [], last_key: null });
  const session = { device: 'Firefox on Linux', address: '192.0.2.7', is_current: false };
  answer(listSessions, {
    records: [{ ...session, id: 's'.repeat(26), created_at: 1, last_seen_at: Date.now() }],
  });
});

const getNameLink = () => screen.getByRole('link', { name: 'Marie Curie' });
const panelIsGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

test('a click opens the panel of a user; Escape and Back close it and return the focus', async () => {
  const { user, router } = openScreen('/users/users?member=1');
  const path = () => router.state.location.href;
  await user.click(await screen.findByRole('link', { name: 'Marie Curie' }));
  expect(await findDialog('Marie Curie')).toHaveTextContent(marie.email);
  expect(path()).toBe(`${PATH}?member=1`);
  expect(document.title).toMatch(/^Marie Curie · Manage Users/);
  await user.keyboard('{Escape}');
  await panelIsGone();
  await waitFor(() => expect(path()).toBe('/users/users?member=1'));
  await waitFor(() => expect(getNameLink()).toHaveFocus());
  await user.keyboard('{Enter}');
  await findDialog('Marie Curie');
  act(() => router.history.back());
  await panelIsGone();
  await waitFor(() => expect(getNameLink()).toHaveFocus());
  act(() => router.history.forward());
  await findDialog('Marie Curie');
  await user.click(screen.getByRole('button', { name: 'Close panel' }));
  await panelIsGone();
  await waitFor(() => expect(path()).toBe('/users/users?member=1'));
});

test('a link opens the panel over the list, and an unknown user is explained', async () => {
  const { user, router } = openScreen(PATH);
  await findDialog('Marie Curie');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(router.state.location.href).toBe('/users/users'));
  await waitFor(() => expect(getNameLink()).toHaveFocus());
  refuse(getUser, 'record.not_found');
  await act(() => router.navigate({ to: '/users/users/$userId', params: { userId: 'a'.repeat(26) } }));
  await screen.findByRole('heading', { name: 'User not found' });
  await user.click(screen.getByRole('button', { name: 'Close panel' }));
  await panelIsGone();
});

test('the panel shows sessions, sign-ins, history and the directory entry', async () => {
  openScreen(PATH);
  const panel = within(await findDialog('Marie Curie'));
  expect(await panel.findByRole('region', { name: '1 active session' })).toHaveTextContent('Firefox on Linux');
  expect(panel.getByRole('region', { name: 'Sign-ins' })).toHaveTextContent('No sign-ins recorded.');
  await waitFor(() => expect(panel.getByRole('region', { name: 'History' })).toHaveTextContent('No changes recorded.'));
  expect(panel.getByRole('link', { name: 'Show directory entry' })).toHaveAttribute(
    'href',
    `/users/company_directory?search=${encodeURIComponent(marie.email)}`,
  );
});

test('the panel names the invitation link by which a user joined', async () => {
  answer(getUser, details(marie, { invitation_link: { id: 'l'.repeat(26), name: 'Job fair' } }));
  openScreen(PATH);
  const link = await within(await findDialog('Marie Curie')).findByRole('link', { name: 'Job fair' });
  expect(link).toHaveAttribute('href', '/users/invitation_links');
  expect(link.closest('div')).toHaveTextContent('Joined with');
});

test('an edit in the panel is shown in it and in the history, and Escape closes only the dialog', async () => {
  const { user } = openScreen(PATH);
  const panel = await findDialog('Marie Curie');
  await user.click(await within(panel).findByRole('button', { name: 'Edit' }));
  await findDialog('Edit User');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit User' })).toBeNull());
  expect(panel).toBeInTheDocument();
  await user.click(within(panel).getByRole('button', { name: 'Edit' }));
  const dialog = within(await findDialog('Edit User'));
  answer(saveUser, { status_code: 200 });
  answer(getUser, details({ ...marie, roles: ['team_user', 'team_admin'] }));
  answer(listAuditEvents, { records: [auditRecord('1', 'users.edited')], last_key: null });
  await user.click(dialog.getByRole('radio', { name: /^Team Admin/ }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(panel).toHaveTextContent('Team Admin'));
  await waitFor(() => expect(panel).toHaveTextContent(/Edited a user.* by Olivia Owner/));
});

test('an invitation is resent and canceled in the panel', async () => {
  const pia = invitee('Pia', 'Pending');
  answerUsers(pia);
  answer(getUser, details(pia));
  answer(getInvitation, { sent_at: null, expires_at: null, mail: 'sent', error: '' });
  const { user } = openScreen(`/users/users/${pia.id}`);
  const panel = within(await findDialog('Pia Pending'));
  expect(await panel.findByRole('region', { name: 'Invitation' })).toHaveTextContent('Sent');
  expect(panel.queryByRole('region', { name: 'Sign-ins' })).toBeNull();
  answer(resendInvitation, { status_code: 200 });
  answer(listAuditEvents, { records: [auditRecord('1', 'users.invitation_resent')], last_key: null });
  await user.click(panel.getByRole('button', { name: 'Resend invitation' }));
  await user.click(await screen.findByRole('button', { name: 'Send again' }));
  await waitFor(() => expect(panel.getByRole('region', { name: 'History' })).toHaveTextContent('Resent an invitation'));
  answer(cancelInvitation, { status_code: 200 });
  refuse(getUser, 'record.not_found');
  await user.click(panel.getByRole('button', { name: 'Cancel invitation' }));
  await user.click(within(await findDialog('Cancel invitation')).getByRole('button', { name: 'Cancel invitation' }));
  await screen.findByRole('heading', { name: 'User not found' });
});

test('the address is copied', async () => {
  const { user } = openScreen(PATH);
  await user.click(await screen.findByRole('button', { name: 'Copy email address' }));
  await screen.findByText('Email address copied');
  expect(await navigator.clipboard.readText()).toBe(marie.email);
});
