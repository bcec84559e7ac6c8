import type { Answer } from '@steward/contract/api/endpoint';
import { getMe, logout } from '@steward/contract/session';
import { checkSignUp, finishSignUp } from '@steward/contract/signup';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, disconnect, hold, refuse } from '#testing/fake-server.ts';
import { OLIVIA, openPortal } from '#testing/open-screen.tsx';
import { keepEmailedToken } from '#workspace/session/emailed-token.ts';
import { EMPTY_DRAFT } from './signup.form.ts';
import { storedDraft } from './stored-draft.ts';

const TOKEN = 'a'.repeat(43);
const PATH = `/signup_confirm?token=${TOKEN}`;
const PASSWORD = 'quiet river under stones';
const VERIFIED = 'Email Verified Successfully. You can now login into your Steward Admin account';
const COMPLETED = 'SignUp Completed Successfully. You can now login into your Steward Admin account';
const OVER =
  'Something went Wrong. Error: This link has expired or was already used. If you already finished, sign in; otherwise request a new one.';

const INVITED: Answer<typeof checkSignUp> = {
  mode: '2',
  email: 'ivy@example.test',
  team_name: 'Northwind',
  invited: true,
  first: 'Ivy',
  last: 'Invited',
};
/** The owner of a requested team has an account, and hasn't signed in yet. */
const OWNER: Answer<typeof checkSignUp> = {
  mode: '1',
  email: 'owner@example.test',
  team_name: 'Fourth Team',
  invited: false,
  first: '',
  last: '',
  sign_in_until: Date.UTC(2100, 0, 1),
  invitees: 2,
};

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' });
const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const findTitle = (name: string) => screen.findByRole('heading', { level: 1, name });
const storedTexts = () => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]);

function fillPasswords(password = PASSWORD, again = password): void {
  fill('Password', password);
  fill('Re-enter password', again);
}

/** Another account has a session in this browser, until the test signs it out. */
function signInElsewhere(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store API
  document.cookie = `steward_user=${OLIVIA.id}`;
  answer(getMe, OLIVIA);
  answer(logout, { status_code: 200 });
}

beforeEach(() => answer(checkSignUp, INVITED));

test('the page waits for the check, and takes the token out of the address', async () => {
  const release = hold(checkSignUp, { ...OWNER, mode: '2' });
  const { router } = openPortal(PATH);
  await screen.findByText('Please Wait. Authenticating...');
  expect(router.state.location.href).toBe('/signup_confirm');
  release();
  await waitFor(() => expect(field('First name')).toHaveFocus());
  expect(screen.getByText(/is confirmed/)).toHaveTextContent('owner@example.test is confirmed.');
  expect(calls(checkSignUp).map(({ body }) => body.token)).toEqual([TOKEN]);
  expect(storedTexts()).toContain(TOKEN);
});

test('an owner with an account is told what the sign-in creates', async () => {
  answer(checkSignUp, OWNER);
  const { router } = openPortal(PATH);
  await screen.findByText(VERIFIED);
  expect(router.state.location.href).toBe('/login');
  expect(
    screen.getByText(/^To create the team Fourth Team and invite 2 people, sign in as owner@example.test/),
  ).toBeInTheDocument();
  expect(storedTexts()).not.toContain(TOKEN);
});

test('an owner whose team exists already is told only that the address is verified', async () => {
  const { sign_in_until: _until, ...created } = OWNER;
  answer(checkSignUp, created);
  openPortal(PATH);
  await screen.findByText(VERIFIED);
  expect(screen.queryByText(/To create the team/)).toBeNull();
});

test('an older invitation link shows the name filled in, and works', async () => {
  answer(finishSignUp, { status_code: 200 });
  const { user, router } = openPortal(`/reset_password?token=${TOKEN}&invitation=1`);
  await findTitle('Join Northwind');
  expect(router.state.location.href).toBe('/signup_confirm');
  expect(screen.getByText(/^You're invited to the team/)).toHaveTextContent('ivy@example.test');
  expect([field('First name').value, field('Last name').value]).toEqual(['Ivy', 'Invited']);
  await waitFor(() => expect(field('Password')).toHaveFocus());
  fillPasswords();
  await user.click(screen.getByRole('button', { name: 'Join team' }));
  await screen.findByText(COMPLETED);
  expect(calls(finishSignUp)[0]?.body).toMatchObject({ token: TOKEN, first: 'Ivy', password2: PASSWORD });
  for (const secret of [TOKEN, 'ivy@example.test', PASSWORD]) expect(storedTexts()).not.toContain(secret);
  // Going back says that it is done.
  await router.navigate({ to: '/signup_confirm' });
  await findTitle('All done');
  expect(screen.getByText(COMPLETED)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'OK' })).toHaveAttribute('href', '/users/users');
});

test('all four fields are required, and unequal passwords are never sent', async () => {
  const { user } = openPortal(PATH);
  await findTitle('Join Northwind');
  fill('First name', ' ');
  fill('Last name', '');
  await user.click(screen.getByRole('button', { name: 'Join team' }));
  expect(field('First name')).toHaveFocus();
  expect(field('First name')).toHaveAccessibleDescription('First name is required.');
  expect(field('Last name')).toHaveAccessibleDescription('Last name is required.');
  expect(screen.getByText('Password is required.')).toBeInTheDocument();
  expect(screen.getByText('Please enter the password again.')).toBeInTheDocument();
  fill('First name', 'Nora');
  fill('Last name', 'New');
  fillPasswords(PASSWORD, `${PASSWORD} `);
  await user.click(screen.getByRole('button', { name: 'Join team' }));
  expect(field('Re-enter password')).toHaveFocus();
  expect(screen.getByText('Passwords must be matching.').textContent).toBe('Passwords must be matching. ');
});

test('a password that the server refuses has its error beside the field, and the next one is accepted', async () => {
  refuse(finishSignUp, 'password.too_common');
  const { user } = openPortal(PATH);
  await findTitle('Join Northwind');
  fillPasswords('password123');
  await user.click(screen.getByRole('button', { name: 'Join team' }));
  await screen.findByText('This password is too common. Choose another one.');
  expect(field('Password')).toHaveFocus();
  expect(screen.queryByRole('alert')).toBeNull();
  answer(finishSignUp, { status_code: 200 });
  fillPasswords();
  await user.click(screen.getByRole('button', { name: 'Join team' }));
  await screen.findByText(COMPLETED);
});

test('a form that is submitted twice finishes once', async () => {
  answer(finishSignUp, { status_code: 200 });
  openPortal(PATH);
  await findTitle('Join Northwind');
  fillPasswords();
  // Both are sent before the button shows that it is busy.
  for (let times = 0; times < 2; times += 1) fireEvent.submit(document.querySelector('form') as HTMLFormElement);
  await screen.findByText(COMPLETED);
  expect(calls(finishSignUp)).toHaveLength(1);
});

test('a link that was used meanwhile says so, and where to sign in', async () => {
  refuse(finishSignUp, 'signup.link_invalid');
  const { user } = openPortal(PATH);
  await findTitle('Join Northwind');
  fillPasswords();
  await user.click(screen.getByRole('button', { name: 'Join team' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This link has expired or was already used.');
  expect(screen.getByRole('link', { name: 'Sign in' })).toBeInTheDocument();
  expect(storedTexts()).not.toContain(TOKEN);
});

test('a link that was refused is forgotten', async () => {
  refuse(checkSignUp, 'signup.link_invalid');
  openPortal(PATH);
  expect(await screen.findByRole('alert')).toHaveTextContent(OVER);
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Sign in' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Create a team' })).toBeInTheDocument();
  expect(storedTexts()).not.toContain(TOKEN);
});

test('without a connection the link is kept, and a retry works', async () => {
  disconnect(checkSignUp);
  const { user } = openPortal(PATH);
  expect(await screen.findByRole('alert')).toHaveTextContent(/^Something went Wrong. Error: API error$/);
  expect(storedTexts()).toContain(TOKEN);
  answer(checkSignUp, INVITED);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await findTitle('Join Northwind');
});

test('an unknown mode isn’t a dead end', async () => {
  globalThis.fetch = async () => Response.json({ mode: '3' });
  openPortal(PATH);
  await screen.findByText('Something went wrong. Please try again later or contact site administrator.');
});

test('an address without a token shows nothing, and neither does one with an empty token', async () => {
  for (const path of ['/signup_confirm', '/signup_confirm?token=']) {
    const { router } = openPortal(path);
    await waitFor(() => expect(router.state).toMatchObject({ status: 'idle', location: { href: '/signup_confirm' } }));
    expect(document.body).toHaveTextContent(/^$/);
  }
});

test('an invitation of an account in the session of someone else leads through the sign-in to the answer', async () => {
  signInElsewhere();
  answer(checkSignUp, { ...INVITED, mode: '1' });
  const { user, router } = openPortal(PATH);
  await waitFor(async () => expect(await findTitle('This link is for another account')).toHaveFocus());
  const main = screen.getByRole('main');
  expect(main).toHaveTextContent('It invites ivy@example.test to the team Northwind.');
  expect(main).toHaveTextContent(`You are signed in as Olivia Owner (${OLIVIA.email}).`);
  await user.click(screen.getByRole('button', { name: 'Sign out and continue' }));
  await screen.findByText(/Sign in to answer the invitation to Northwind./);
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/account' } });
});

test('an invitation of someone without an account in the session of someone else goes on after the sign-out', async () => {
  signInElsewhere();
  const { user } = openPortal(PATH);
  await waitFor(async () => expect(await findTitle('This link is for another account')).toHaveFocus());
  expect(screen.getByRole('main')).toHaveTextContent('It invites ivy@example.test to the team Northwind.');
  expect(screen.queryByLabelText('Password')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Sign out and continue' }));
  await findTitle('Join Northwind');
  expect(field('First name')).toHaveValue('Ivy');
  expect(calls(logout)).toHaveLength(1);
});

test('a sign-up link of an account in the session of someone else creates nothing until its owner signs in', async () => {
  signInElsewhere();
  answer(checkSignUp, OWNER);
  const { user } = openPortal(PATH);
  await findTitle('This link is for another account');
  expect(screen.getByRole('main')).toHaveTextContent(
    'It is for owner@example.test and the new team Fourth Team. You are signed in as Olivia Owner',
  );
  await user.click(screen.getByRole('button', { name: 'Sign out and continue' }));
  await screen.findByText(VERIFIED);
  expect(screen.getByText(/^To create the team Fourth Team/)).toBeInTheDocument();
});

test('signing out clears unused links and an unfinished team', async () => {
  answer(logout, { status_code: 200 });
  storedDraft.write(JSON.stringify({ ...EMPTY_DRAFT, team_name: 'Never Asked For' }));
  keepEmailedToken('reset', 'b'.repeat(43));
  const { router } = openPortal(PATH);
  await findTitle('Join Northwind');
  for (const kept of ['Never Asked For', 'b'.repeat(43), TOKEN]) expect(storedTexts()).toContain(kept);
  await router.navigate({ to: '/logout' });
  await waitFor(() => expect(router.state.location.href).toBe('/login'));
  expect(storedTexts()).toBe('[{},{}]');
});
