import { addTotp, confirmTotp, reauthenticate } from '@steward/contract/factors/factors';
import { listUsers } from '@steward/contract/users';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answerAccount, answerFactors } from '#testing/account.ts';
import { answer, refuse } from '#testing/fake-server.ts';
import { openScreen, SOUTHWIND, TEAM } from '#testing/open-screen.tsx';
import { answerUsers, findDialog } from '#testing/users.ts';

const PATH = '/users/users?search=olivia';

beforeEach(() => {
  answerAccount();
  answerUsers();
  refuse(listUsers, 'mfa.enroll_required');
});

test('a team that requires a second factor leads to the account, and back once there is one', async () => {
  const { user, router } = openScreen(PATH);
  expect(await screen.findByRole('heading', { name: 'This team requires a second factor' })).toHaveFocus();
  expect(router.state.location.pathname).toBe('/second_factor');
  await user.click(await screen.findByRole('link', { name: 'Set up a second factor' }));
  answer(addTotp, { secret: 'ABCDEFGH', uri: 'otpauth://totp/x?secret=ABCDEFGH' });
  answer(confirmTotp, { recovery_codes: [] });
  await user.click(await screen.findByRole('button', { name: 'Set up: Authenticator app' }));
  answerFactors({ totp: true });
  answerUsers();
  await user.type(await screen.findByRole('textbox', { name: /Enter the code/ }), '000000{Enter}');
  await user.click(await screen.findByRole('link', { name: 'Go back to your team' }));
  await screen.findByRole('heading', { name: 'Manage Users' });
  expect(router.state.location.href).toBe(PATH);
});

test('a session from before the factor opens that team once it is confirmed', async () => {
  answerFactors({ totp: true });
  answer(reauthenticate, { status_code: 200 });
  const { user, router } = openScreen(PATH);
  await user.click(await screen.findByRole('button', { name: 'Confirm' }));
  const dialog = within(await findDialog("Confirm that it's you"));
  await user.type(await dialog.findByLabelText('Password'), 'secret');
  answerUsers();
  await user.type(dialog.getByRole('textbox', { name: 'Code' }), '000000{Enter}');
  await screen.findByRole('heading', { name: 'Manage Users' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.href).toBe(PATH);
});

test('another team can be opened instead', async () => {
  openScreen(PATH, undefined, [TEAM, SOUTHWIND]);
  expect(await screen.findByRole('button', { name: 'Open Southwind instead' })).toBeEnabled();
  expect(screen.getByRole('link', { name: 'Sign out' })).toHaveAttribute('href', '/logout');
});
