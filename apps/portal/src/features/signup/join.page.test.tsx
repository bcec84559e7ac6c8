import { askToJoin, checkInvitationLink } from '@steward/contract/users/invitation-links';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';

const TOKEN = 'a-token-of-more-than-twenty-characters';
const PATH = `/join?token=${TOKEN}`;

beforeEach(() => {
  sessionStorage.clear();
  answer(checkInvitationLink, { team_name: 'Acme', domains: [] });
});

const findEmail = () => screen.findByRole('textbox', { name: 'Email' });

test('the token leaves the address at once, and a reload keeps it', async () => {
  const { router } = openScreen(PATH);
  await screen.findByRole('heading', { name: 'Join Acme' });
  expect(router.state.location.href).toBe('/join');
  expect(calls(checkInvitationLink)[0]?.body).toEqual({ token: TOKEN });
  expect(await findEmail()).toHaveFocus();
});

test('every address gets the same answer, which says what to do if no email arrives', async () => {
  answer(askToJoin, { status_code: 200 });
  const { user } = openScreen(PATH);
  await user.type(await findEmail(), ' ann@example.com{Enter}');
  await screen.findByRole('heading', { name: 'Check your email' });
  expect(calls(askToJoin)[0]?.body).toEqual({ token: TOKEN, email: 'ann@example.com' });
  expect(screen.getByText(/^If/)).toHaveTextContent(
    "If ann@example.com can join with this link, we've sent an invitation there.",
  );
  await user.click(screen.getByRole('button', { name: 'Use another address' }));
  expect(await findEmail()).toHaveValue('');
});

test('a link for certain domains names them, and refuses others beside the field', async () => {
  answer(checkInvitationLink, { team_name: 'Acme', domains: ['acme.example', 'acme.test'] });
  refuse(askToJoin, 'join.domain');
  const { user } = openScreen(PATH);
  await user.type(await findEmail(), 'ann@example.com{Enter}');
  expect(screen.getByText(/acme\.example or acme\.test/)).toBeInTheDocument();
  expect(await screen.findByRole('alert')).toHaveTextContent('only for addresses of certain domains');
  expect(await findEmail()).toHaveValue('ann@example.com');
});

test('a link that has ended says so, and is forgotten', async () => {
  refuse(checkInvitationLink, 'join.link_ended');
  openScreen(PATH);
  expect(await screen.findByRole('alert')).toHaveTextContent('This invitation link no longer works.');
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login');
  await waitFor(() => expect(JSON.stringify({ ...sessionStorage })).not.toContain(TOKEN));
});

test('a link that can’t be checked can be tried again', async () => {
  refuse(checkInvitationLink, 'server.unavailable');
  const { user } = openScreen(PATH);
  const retry = await screen.findByRole('button', { name: 'Retry' });
  answer(checkInvitationLink, { team_name: 'Acme', domains: [] });
  await user.click(retry);
  await screen.findByRole('heading', { name: 'Join Acme' });
});

test('without a link, the page says to open it again', async () => {
  openScreen('/join');
  expect(await screen.findByText('Open the invitation link again, or scan its QR code.')).toBeInTheDocument();
  expect(calls(checkInvitationLink)).toEqual([]);
});
