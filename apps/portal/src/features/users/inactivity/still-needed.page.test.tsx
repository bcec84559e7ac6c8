import { checkStillNeeded, confirmStillNeeded } from '@steward/contract/users/inactivity';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';

const TOKEN = 'a-token-of-more-than-twenty-characters';
const PATH = `/still_needed?token=${TOKEN}`;

beforeEach(() => {
  sessionStorage.clear();
  answer(checkStillNeeded, { team_name: 'Acme', days: 90 });
});

const findButton = () => screen.findByRole('button', { name: 'I still need access' });

test('opening the link only checks it, and the token leaves the address at once', async () => {
  const { router } = openScreen(PATH);
  await findButton();
  expect(router.state.location.href).toBe('/still_needed');
  expect(calls(checkStillNeeded)[0]?.body).toEqual({ token: TOKEN });
  expect(calls(confirmStillNeeded)).toEqual([]);
  expect(screen.getByText(/No activity of yours/)).toHaveTextContent('in the team Acme for 90 days');
});

test('the button says that access is still needed, and the token is forgotten', async () => {
  answer(confirmStillNeeded, { status_code: 200 });
  const { user } = openScreen(PATH);
  await user.click(await findButton());
  await screen.findByRole('heading', { name: 'You keep your access' });
  expect(calls(confirmStillNeeded)[0]?.body).toEqual({ token: TOKEN });
  await waitFor(() => expect(JSON.stringify({ ...sessionStorage })).not.toContain(TOKEN));
});

test('a link that has ended says so when it is opened, and when it ends while the page is open', async () => {
  refuse(confirmStillNeeded, 'inactivity.link_ended');
  const { user } = openScreen(PATH);
  await user.click(await findButton());
  expect(await screen.findByRole('alert')).toHaveTextContent('This link was used already or no longer works.');
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login');
  await waitFor(() => expect(JSON.stringify({ ...sessionStorage })).not.toContain(TOKEN));
});

test('a link that can’t be checked can be tried again', async () => {
  refuse(checkStillNeeded, 'server.unavailable');
  const { user } = openScreen(PATH);
  const retry = await screen.findByRole('button', { name: 'Retry' });
  answer(checkStillNeeded, { team_name: 'Acme', days: 90 });
  await user.click(retry);
  await findButton();
});

test('without a link, the page says to open it again', async () => {
  openScreen('/still_needed');
  expect(await screen.findByText('Open the link in your email again.')).toBeInTheDocument();
  expect(calls(checkStillNeeded)).toEqual([]);
});
