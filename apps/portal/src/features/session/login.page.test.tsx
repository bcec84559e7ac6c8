import { login } from '@steward/contract/session';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, hold, refuse } from '#testing/fake-server.ts';
import { answerTeams, OLIVIA, openPortal, SOUTHWIND, TEAM } from '#testing/open-screen.tsx';
import { answerUsers, findDialog } from '#testing/users.ts';

beforeEach(() => {
  answer(login, OLIVIA);
  answerTeams([TEAM]);
  answerUsers();
});

async function typePassword(user: UserEvent, password = 'correct horse battery') {
  fireEvent.change(await screen.findByRole('textbox', { name: 'Email' }), { target: { value: OLIVIA.email } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } });
  await user.type(screen.getByLabelText('Password'), '{Enter}');
}

test('a wrong password shows the returned error and the specified line, and keeps the email', async () => {
  refuse(login, 'session.bad_credentials');
  const { user, router } = openPortal('/login');
  await typePassword(user, 'wrong');
  expect(await screen.findByRole('alert')).toHaveTextContent('Sign-in failed. Your password is incorrect');
  expect(screen.getByRole('textbox', { name: 'Email' })).toHaveValue(OLIVIA.email);
  const field = screen.getByLabelText<HTMLInputElement>('Password');
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 5]);
  expect(router.state.location.pathname).toBe('/login');
});

test('the button shows that the request is running, and can’t be pressed twice', async () => {
  const release = hold(login, OLIVIA);
  const { user } = openPortal('/login');
  await typePassword(user);
  const button = await screen.findByRole('button', { name: 'Sign in' });
  await waitFor(() => expect(button).toBeDisabled());
  await user.click(button);
  release();
  await screen.findByRole('heading', { name: 'Manage Users' });
  expect(calls(login)).toHaveLength(1);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each([
  ['/users/users?search=olivia&member=1', '/users/users?search=olivia&member=1'],
  ['https://evil.example', '/users/users'],
])('from %s a sign-in leads to %s', async (from, path) => {
  const { user, router } = openPortal('/login', { from });
  await typePassword(user);
  await screen.findByRole('heading', { name: 'Manage Users' });
  expect(router.state.location.href).toBe(path);
});

test('an owner of several teams chooses one', async () => {
  answerTeams([TEAM, SOUTHWIND]);
  const { user, router } = openPortal('/login');
  await typePassword(user);
  const dialog = await findDialog('SWITCH TEAM');
  const names = within(dialog)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  expect(names).toEqual(['NorthwindOwner', 'SouthwindOwner']);
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.href).toBe(`/users/users?team=${TEAM.id}`);
});

test('a user who manages no team is refused and leaves nothing in the browser', async () => {
  answerTeams([TEAM], ['team_user']);
  const { user, router } = openPortal('/login');
  await typePassword(user);
  await screen.findByText(
    "You don't have sufficient permission to access Steward admin portal. Please consult with your team Owner",
  );
  expect(router.state.location.pathname).toBe('/permission_error');
  expect({ ...localStorage, ...sessionStorage }).toEqual({});
});

test('a deactivated user learns after the second factor why they can’t sign in, and gets back to the form', async () => {
  refuse(login, 'mfa.required');
  const { user } = openPortal('/login');
  await typePassword(user);
  const message = 'Your account is deactivated in the team Acme. Ask an owner to reactivate it: ada@example.test.';
  refuse(login, 'session.deactivated', message);
  fireEvent.change(await screen.findByRole('textbox', { name: 'Code' }), { target: { value: 'arecoverycode' } });
  await user.type(screen.getByRole('textbox', { name: 'Code' }), '{Enter}');
  await waitFor(() => expect(screen.getByRole('heading', { name: "You can't sign in at the moment" })).toHaveFocus());
  expect(screen.getByText(message)).toBeInTheDocument();
  expect(screen.queryByText(/password is incorrect/)).toBeNull();
  expect(calls(login).map(({ body }) => body.token)).toEqual([undefined, 'arecoverycode']);
  await user.tab();
  expect(screen.getByRole('button', { name: 'Back to sign in' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('textbox', { name: 'Email' })).toHaveValue(OLIVIA.email);
});

test('a deactivated user whom single sign-on refuses reads whom to ask, and nothing from the address', async () => {
  const address = '/login?error=sso.deactivated&message=Call%20Mallory';
  openPortal(address);
  await screen.findByText('Your account is deactivated in this team. Ask one of its owners to reactivate it.');
  expect(screen.queryByRole('alert')).toBeNull();
  cleanup();
  const message = 'Your account is deactivated in the team Acme. Ask an owner to reactivate it: ada@example.test.';
  // biome-ignore lint/suspicious/noDocumentCookie: the server sets it in the product
  document.cookie = `steward_refusal=${encodeURIComponent(message)}`;
  openPortal(address);
  await screen.findByText(message);
  expect(screen.queryByText(/Mallory/)).toBeNull();
  // biome-ignore lint/suspicious/noDocumentCookie: other tests have no refusal
  document.cookie = 'steward_refusal=; max-age=0';
});

test('the form links to a new team and to a forgotten password, which leads back', async () => {
  openPortal('/login');
  expect(await screen.findByRole('link', { name: 'Create a team' })).toHaveAttribute('href', '/signup');
  expect(screen.getByRole('link', { name: 'Forgot Password' })).toHaveAttribute('href', '/forgot_password');
  cleanup();
  const { user } = openPortal('/forgot_password');
  await user.click(await screen.findByRole('link', { name: 'Back to sign in' }));
  await screen.findByRole('heading', { name: 'Sign in' });
  expect(screen.getByRole('textbox', { name: 'Email' })).toHaveFocus();
});
