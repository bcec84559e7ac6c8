import { saveProfile } from '@steward/contract/account';
import { reauthenticate } from '@steward/contract/factors/factors';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answerAccount, answerFactors, findSection } from '#testing/account.ts';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { OLIVIA, openScreen } from '#testing/open-screen.tsx';
import { findDialog } from '#testing/users.ts';

beforeEach(answerAccount);

/** Makes a change that the server refuses until the user has confirmed who it is. */
async function askToConfirm() {
  const { user } = openScreen('/account');
  const profile = await findSection('Profile');
  await user.type(profile.getByRole('textbox', { name: 'First name' }), ' Ann');
  refuse(saveProfile, 'session.reauth_required');
  await user.click(profile.getByRole('button', { name: 'Save name' }));
  const dialog = within(await findDialog("Confirm that it's you"));
  const allow = () => answer(saveProfile, { ...OLIVIA, first_name: 'Olivia Ann' });
  return { user, profile, dialog, allow };
}

async function isSaved() {
  await screen.findByText('Your name was saved');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls(saveProfile)).toHaveLength(2);
}

test('a change is confirmed with a password, and goes on', async () => {
  const { user, dialog, allow } = await askToConfirm();
  const password = await dialog.findByLabelText('Password');
  await waitFor(() => expect(password).toHaveFocus());
  expect(dialog.queryByLabelText('Code')).toBeNull();
  await user.keyboard('{Enter}');
  await dialog.findByText('Enter your password.');
  refuse(reauthenticate, 'password.wrong');
  await user.type(password, 'wrong{Enter}');
  await dialog.findByText('The current password is wrong.');
  expect(password).toHaveFocus();
  answer(reauthenticate, { status_code: 200 });
  allow();
  await user.keyboard('{Enter}');
  await isSaved();
});

test('an account with a second factor also enters a code', async () => {
  answerFactors({ totp: true });
  const { user, dialog, allow } = await askToConfirm();
  await user.type(await dialog.findByLabelText('Password'), 'secret{Enter}');
  await dialog.findByText('Enter a code.');
  const code = dialog.getByRole('textbox', { name: 'Code' });
  expect(code).toHaveFocus();
  refuse(reauthenticate, 'mfa.wrong');
  await user.type(code, '000 000{Enter}');
  await dialog.findByText('This code is wrong, has expired or was already used.');
  refuse(reauthenticate, 'mfa.throttled');
  await user.keyboard('{Enter}');
  expect(await dialog.findByRole('alert')).toHaveTextContent('Too many wrong codes.');
  answer(reauthenticate, { status_code: 200 });
  allow();
  await user.keyboard('{Enter}');
  await isSaved();
  expect(calls(reauthenticate)[0]?.body).toEqual({ password: 'secret', token: '000000' });
});

test('a canceled change keeps what was typed', async () => {
  const { user, profile, dialog } = await askToConfirm();
  await user.click(await dialog.findByRole('button', { name: 'Cancel' }));
  expect(await profile.findByRole('alert')).toHaveTextContent("Confirm that it's you, and try again.");
  expect(profile.getByRole('textbox', { name: 'First name' })).toHaveValue('Olivia Ann');
  expect(calls(saveProfile)).toHaveLength(1);
});

test('a session of single sign-on is confirmed at the identity provider, in a tab that keeps its opener', async () => {
  answerFactors({ reauth_url: '/auth/oidc/c/start?reauth=1', reauth_provider: 'Company ID' });
  const { user, dialog, allow } = await askToConfirm();
  const link = await dialog.findByRole('link', { name: 'Continue with Company ID' });
  expect(link).toHaveAttribute('href', '/auth/oidc/c/start?reauth=1&return=%2Fidentity_confirmed');
  expect(link).toHaveAttribute('target', '_blank');
  expect(link).toHaveAttribute('rel', 'opener');
  expect(dialog.queryByRole('status')).toBeNull();
  await user.click(link);
  expect(await dialog.findByRole('status')).toHaveTextContent('Waiting for the other tab…');
  allow();
  await user.click(dialog.getByRole('button', { name: "I've signed in" }));
  await isSaved();
});
