import { login } from '@steward/contract/session';
import { getLoginOptions } from '@steward/contract/session/login-options';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { answerTeams, OLIVIA, openPortal, TEAM } from '#testing/open-screen.tsx';
import { answerUsers } from '#testing/users.ts';

const mark = document.createElement('meta');
mark.name = 'steward-sso';
mark.content = 'on';

beforeEach(() => document.head.append(mark));
afterEach(() => {
  mark.remove();
  vi.unstubAllGlobals();
});

test('the email comes first where a team uses single sign-on, and leads to the provider', async () => {
  const assign = vi.fn();
  vi.stubGlobal('location', { ...location, hostname: 'localhost', assign });
  answer(getLoginOptions, { next: 'sso', sso_url: '/auth/oidc/c/start' });
  const { user } = openPortal('/login?error=sso.unreachable', { from: '/users/users?member=1' });
  expect(await screen.findByRole('alert')).toHaveTextContent("Your identity provider can't be reached.");
  expect(screen.queryByLabelText('Password')).toBeNull();
  await user.type(screen.getByRole('textbox', { name: 'Email' }), `${OLIVIA.email}{Enter}`);
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/auth/oidc/c/start?return=%2Fusers%2Fusers%3Fmember%3D1'));
  expect(calls(getLoginOptions)[0]?.body).toEqual({ login_id: OLIVIA.email });
});

test('a password can be chosen instead, or is asked for if the team has no provider', async () => {
  answer(getLoginOptions, { next: 'password' });
  answer(login, OLIVIA);
  answerTeams([TEAM]);
  answerUsers();
  const { user } = openPortal('/login?error=sso.refused<script>');
  expect(await screen.findByRole('alert')).toHaveTextContent("Single sign-on didn't work. Try again.");
  refuse(getLoginOptions, 'server.unavailable', 'Please try again.');
  await user.type(screen.getByRole('textbox', { name: 'Email' }), `${OLIVIA.email}{Enter}`);
  await screen.findByText('Please try again.');
  answer(getLoginOptions, { next: 'password' });
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  const password = await screen.findByLabelText('Password');
  expect(password).toHaveFocus();
  expect(screen.getByRole('textbox', { name: 'Email' })).toHaveValue(OLIVIA.email);
  await user.type(password, 'secret{Enter}');
  await screen.findByRole('heading', { name: 'Manage Users' });
});
