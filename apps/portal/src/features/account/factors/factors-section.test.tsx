import { addTotp, confirmTotp, removeTotp, renewRecoveryCodes } from '@steward/contract/factors/factors';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answerAccount, answerFactors, findSection } from '#testing/account.ts';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { takeSavedFiles } from '#testing/saved-files.ts';
import { findDialog } from '#testing/users.ts';

const CODES = ['aaaa-1111', 'bbbb-2222'];
const TITLE = 'Two-factor authentication';

beforeEach(answerAccount);

test('an authenticator app is set up with a code, and recovery codes are shown once', async () => {
  const { user } = openScreen('/account');
  answer(addTotp, { secret: 'ABCDEFGH', uri: 'otpauth://totp/x?secret=ABCDEFGH' });
  await user.click((await findSection(TITLE)).getByRole('button', { name: 'Set up: Authenticator app' }));
  const dialog = within(await findDialog('Set up an authenticator app'));
  await dialog.findByRole('img', { name: /QR code/ });
  expect(dialog.getByText('ABCD EFGH')).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Copy key' }));
  expect(await navigator.clipboard.readText()).toBe('ABCDEFGH');
  await user.click(dialog.getByRole('button', { name: 'Set up' }));
  await dialog.findByText('Enter the code that the app shows.');
  refuse(confirmTotp, 'mfa.wrong');
  const field = dialog.getByRole('textbox', { name: /Enter the code/ });
  await user.type(field, '000 000{Enter}');
  await dialog.findByText('This code is wrong, has expired or was already used.');
  expect(field).toHaveFocus();
  answer(confirmTotp, { recovery_codes: CODES });
  answerFactors({ totp: true, recovery_codes_left: 2 });
  await user.click(dialog.getByRole('button', { name: 'Set up' }));
  const shown = await findDialog('Save your recovery codes');
  const codes = within(shown);
  expect(codes.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(CODES);
  await user.keyboard('{Escape}');
  expect(shown).toBeInTheDocument();
  await user.click(codes.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(CODES.join('\n'));
  takeSavedFiles();
  await user.click(codes.getByRole('button', { name: 'Download' }));
  expect(takeSavedFiles().map(({ name }) => name)).toEqual(['recovery-codes.txt']);
  await user.click(codes.getByRole('button', { name: "I've saved them" }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await screen.findByText('2 codes left. Each works once.');
});

test('the app is removed after a confirmation, in a dialog where a stray Enter does nothing', async () => {
  answerFactors({ totp: true, recovery_codes_left: 0 });
  const { user } = openScreen('/account');
  const section = await findSection(TITLE);
  expect(section.getByText(/^None left. Create new ones/)).toBeInTheDocument();
  await user.click(section.getByRole('button', { name: 'Remove: Authenticator app' }));
  const dialog = within(await findDialog('Remove authenticator app'));
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus());
  answer(removeTotp, { status_code: 200 });
  answerFactors();
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  await screen.findByText('Your authenticator app was removed');
  await waitFor(() => expect(section.queryByText('Recovery codes')).toBeNull());
});

test('new recovery codes replace the others', async () => {
  answerFactors({ totp: true, recovery_codes_left: 1 });
  answer(renewRecoveryCodes, { recovery_codes: CODES });
  const { user } = openScreen('/account');
  const section = await findSection(TITLE);
  expect(section.getByText('1 code left. Each works once.')).toBeInTheDocument();
  await user.click(section.getByRole('button', { name: 'Create new codes: Recovery codes' }));
  await user.click(
    within(await findDialog('Create new recovery codes')).getByRole('button', { name: 'Create new codes' }),
  );
  expect(within(await findDialog('Save your recovery codes')).getAllByRole('listitem')).toHaveLength(2);
  expect(calls(renewRecoveryCodes)).toHaveLength(1);
});

test.each([
  [true, "This browser can't use passkeys here: they need https."],
  [false, "Passkeys don't work with an IP address. Ask the operator to give the server a name (PUBLIC_URL)."],
])('passkeys that can’t be used say why: %s', async (passkeys_supported, text) => {
  answerFactors({ passkeys_supported });
  openScreen('/account');
  const section = await findSection(TITLE);
  expect(section.getByText(text)).toBeInTheDocument();
  expect(section.queryByRole('button', { name: 'Add: Passkeys' })).toBeNull();
});
