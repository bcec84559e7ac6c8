import { cookieLogin, listStatuses } from '@steward/contract/session';
import { listTeamMembers, listTeams } from '@steward/contract/session/teams';
import { listUsers } from '@steward/contract/users';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, disconnect, hold, refuse } from '#testing/fake-server.ts';
import { answerTeams, keepCookie, OLIVIA, openPortal, openScreen, SOUTHWIND, TEAM } from '#testing/open-screen.tsx';
import { answerUsers } from '#testing/users.ts';

const PATH = '/users/users';
const presence = { user_id: OLIVIA.id, status: 'away' as const, manual: false, last_activity_at: 1 };

beforeEach(() => answerUsers());

/** The page that becomes visible again polls immediately. */
const poll = () => document.dispatchEvent(new Event('visibilitychange'));
const findOlivia = () => screen.findByRole('row', { name: /Olivia Owner/ });
const hasNoOlivia = () => expect(document.body).not.toHaveTextContent('Olivia');

function openWithCookie(path = PATH) {
  keepCookie();
  answer(cookieLogin, OLIVIA);
  answerTeams([TEAM]);
  return () => openPortal(path);
}

test('a reload signs in by cookie, shows Loading... until the server responds, and makes each call once', async () => {
  const open = openWithCookie();
  const release = hold(cookieLogin, OLIVIA);
  open();
  await screen.findByText('Loading...');
  release();
  await findOlivia();
  expect(screen.queryByText('Loading...')).toBeNull();
  for (const endpoint of [cookieLogin, listTeams, listTeamMembers, listUsers]) expect(calls(endpoint)).toHaveLength(1);
});

test('an open screen doesn’t fetch the session', async () => {
  openWithCookie('/forgot_password')();
  await screen.findByRole('heading', { name: 'Forgot Password' });
  expect(calls(cookieLogin)).toEqual([]);
});

test('the user-id cookie alone doesn’t sign in, and is removed', async () => {
  const open = openWithCookie();
  refuse(cookieLogin, 'session.required');
  const { router } = open();
  expect(await screen.findByRole('alert')).toHaveTextContent('unexpected json returned');
  expect(router.state.location.pathname).toBe('/login');
  expect(router.state.location.state.from).toBe(PATH);
  expect(document.cookie).toBe('');
});

test('an unreachable server doesn’t end the session', async () => {
  const open = openWithCookie();
  disconnect(cookieLogin);
  const { user } = open();
  await screen.findByRole('heading', { name: 'An Error Occurred!' });
  expect(document.cookie).not.toBe('');
  answer(cookieLogin, OLIVIA);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await findOlivia();
});

test('a user who manages no team is refused on every protected address', async () => {
  const open = openWithCookie();
  answerTeams([TEAM], ['team_user']);
  const { router } = open();
  await screen.findByRole('heading', { name: 'No access' });
  expect(router.state.location.pathname).toBe('/permission_error');
  expect(document.body).not.toHaveTextContent('Northwind');
});

test('a team in the browser’s storage that the user doesn’t manage opens nothing', async () => {
  localStorage.setItem('steward.team', SOUTHWIND.id);
  openWithCookie()();
  expect(await screen.findByRole('alert')).toHaveTextContent(
    "You're no longer an admin or owner of your previous team. Switched to Northwind.",
  );
  expect(screen.getByRole('link', { name: /^Northwind/ })).toBeInTheDocument();
  expect(localStorage.getItem('steward.team')).toBe(TEAM.id);
});

test('the first poll fetches the teams, the next ones only if they have changed', async () => {
  openScreen(PATH);
  await findOlivia();
  answer(listStatuses, [{ ...presence, teams_version: '1' }]);
  for (const [polls, teams] of [
    [1, 1],
    [2, 1],
  ]) {
    poll();
    await waitFor(() => expect(calls(listStatuses)).toHaveLength(polls ?? 0));
    await waitFor(() => expect(calls(listTeams)).toHaveLength(teams ?? 0));
    await screen.findByText('Away');
  }
  answer(listStatuses, [{ ...presence, teams_version: '2' }]);
  poll();
  await waitFor(() => expect(calls(listTeams)).toHaveLength(2));
});

test('an admin who loses the role is moved away by the next poll', async () => {
  const { router } = openScreen(PATH);
  await findOlivia();
  answerTeams([TEAM], ['team_user']);
  poll();
  await screen.findByRole('heading', { name: 'No access' });
  expect(router.state.location.pathname).toBe('/permission_error');
  hasNoOlivia();
  expect({ ...localStorage, ...sessionStorage }).toEqual({});
});

test('a session that ended elsewhere ends here with the next poll', async () => {
  const { router } = openScreen(`${PATH}?search=olivia`);
  await findOlivia();
  refuse(listStatuses, 'session.required');
  poll();
  expect(await screen.findByText('Your session has ended. Sign in again.')).toHaveRole('status');
  expect(router.state.location.state.from).toBe(`${PATH}?search=olivia`);
  expect(document.cookie).toBe('');
  hasNoOlivia();
});

test('a session that ended elsewhere ends here with the next click', async () => {
  const { user } = openScreen(PATH);
  await findOlivia();
  refuse(listUsers, 'session.required');
  await user.click(screen.getByRole('button', { name: 'Filters' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Member' }));
  await screen.findByText('Your session has ended. Sign in again.');
  hasNoOlivia();
});
