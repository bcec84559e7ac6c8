import { checkResetLink, resetPassword, sendPasswordReset } from '@steward/contract/session';
import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { OLIVIA, openPortal } from '#testing/open-screen.tsx';

const PATH = '/reset_password?token=secret';
const PASSWORD = 'quiet river under stones';

beforeEach(() => answer(checkResetLink, { email: OLIVIA.email, signed_in_as: null }));

async function choosePassword(user: UserEvent, password: string, again = password): Promise<void> {
  const field = await screen.findByLabelText('New password');
  await user.clear(field);
  await user.type(field, password);
  await user.clear(screen.getByLabelText('Confirm new password'));
  await user.type(screen.getByLabelText('Confirm new password'), again);
  await user.click(screen.getByRole('button', { name: 'Save password' }));
}

test('a link is requested for an address, and the answer doesn’t say if it has an account', async () => {
  answer(sendPasswordReset, { status_code: 200 });
  const { user } = openPortal('/forgot_password');
  await user.type(await screen.findByRole('textbox', { name: 'Email' }), `${OLIVIA.email}{Enter}`);
  await screen.findByRole('heading', { name: 'Check your email' });
  expect(screen.getByRole('main')).toHaveTextContent(`If ${OLIVIA.email} has an account, we've sent`);
  expect(calls(sendPasswordReset)[0]?.body).toEqual({ email: OLIVIA.email });
});

test('a password that is short or typed differently is refused before anything is sent', async () => {
  const { user } = openPortal(PATH);
  await choosePassword(user, 'seven77');
  expect(screen.getByRole('alert')).toHaveTextContent('The password must have at least 8 characters.');
  await choosePassword(user, PASSWORD, 'another password');
  expect(screen.getByRole('alert')).toHaveTextContent('Passwords must be matching.');
  expect(calls(resetPassword)).toEqual([]);
});

test('the link names its account, also to password managers, and is forgotten once it is used', async () => {
  answer(resetPassword, { status_code: 200 });
  const { user, router } = openPortal(PATH);
  await screen.findByLabelText('New password');
  expect(screen.getByRole('main')).toHaveTextContent(`For the account ${OLIVIA.email}.`);
  expect(document.querySelector('form [autocomplete="username"]')).toHaveValue(OLIVIA.email);
  expect(Object.values(sessionStorage)).toEqual(['secret']);
  expect(router.state.location.href).toBe('/reset_password');
  await choosePassword(user, PASSWORD);
  expect(await screen.findByText('Your password was changed. Sign in with the new one.')).toHaveRole('status');
  expect(calls(resetPassword)[0]?.body).toEqual({ token: 'secret', new_password: PASSWORD });
  expect(Object.values(sessionStorage)).toEqual([]);
});

test('a link that has expired says so before a password is typed, and leads to a new one', async () => {
  refuse(checkResetLink, 'link.expired');
  const { user, router } = openPortal(PATH);
  expect(await screen.findByRole('alert')).toHaveTextContent('This link has expired. Request a new one.');
  expect(screen.queryByLabelText('New password')).toBeNull();
  await waitFor(() => expect(Object.values(sessionStorage)).toEqual([]));
  await user.click(screen.getByRole('link', { name: 'Request a new link' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/forgot_password'));
});

test('a link that is used up meanwhile is forgotten', async () => {
  refuse(resetPassword, 'link.used');
  const { user } = openPortal(PATH);
  await choosePassword(user, PASSWORD);
  expect(await screen.findByRole('alert')).toHaveTextContent('This link was already used.');
  expect(Object.values(sessionStorage)).toEqual([]);
});

test('without a link the screen says where to get one', async () => {
  openPortal('/reset_password');
  await screen.findByText('Open the link in your email again, or request a new one.');
  expect(screen.getByRole('link', { name: 'Request a new link' })).toHaveAttribute('href', '/forgot_password');
});
