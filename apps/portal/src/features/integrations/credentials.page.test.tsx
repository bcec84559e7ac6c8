import { connectIntegration, getIntegration, listIntegrations, saveIntegration } from '@steward/contract/integrations';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, hold, refuse } from '#testing/fake-server.ts';
import { answerIntegration, CONNECTED, ZENDESK } from '#testing/integrations.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { findDialog } from '#testing/users.ts';

const PATH = `/dashboard/settings/${ZENDESK.id}`;
const DONE = { status_code: 200 as const, warnings: [] as string[] };
/** The label of a required field ends in an asterisk. */
const field = (label: string) => screen.getByLabelText(new RegExp(`^${label}( \\*)?$`), { selector: 'input,textarea' });
const queryField = (label: string) => screen.queryByLabelText(new RegExp(`^${label}( \\*)?$`));
const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const button = (name: string) => screen.getByRole('button', { name });

async function openForm(kind: 'OAuth client' | 'API token or password') {
  const opened = openScreen(PATH);
  await opened.user.click(await screen.findByRole('radio', { name: kind }));
  return opened;
}

function fillToken(): void {
  for (const [label, value] of [
    ['Domain', 'acme'],
    ['Email', 'ada@acme.example'],
    ['API Token', 'acme-token'],
  ] as const)
    fill(label, value);
}

beforeEach(() => answerIntegration());

test('required fields of the chosen way to sign in are checked before sending', async () => {
  const { user } = openScreen(PATH);
  expect(await screen.findByRole('radio', { name: 'OAuth client' })).toBeChecked();
  await user.click(button('Save'));
  for (const text of ['The client id is required.', 'The client secret is required.']) await screen.findByText(text);
  expect(queryField('Email')).toBeNull();
  await user.click(screen.getByRole('radio', { name: 'API token or password' }));
  await user.click(button('Save'));
  for (const text of ['The domain is required.', 'The email is required.', 'The API token is required.'])
    await screen.findByText(text);
  expect(field('Domain')).toHaveFocus();
  await user.click(screen.getByRole('switch', { name: 'Token authentication' }));
  await user.click(button('Save'));
  await screen.findByText('The password is required.');
  fill('Domain', 'evil.example/');
  await user.click(button('Save'));
  await screen.findByText(/^This is not the name of a Zendesk account/);
  expect(calls(connectIntegration)).toEqual([]);
});

test('the switch chooses between token and password, and the form says when each of them ends', async () => {
  answer(connectIntegration, DONE);
  const { user } = await openForm('API token or password');
  const token = screen.getByRole('switch', { name: 'Token authentication' });
  expect(token).toBeChecked();
  expect(screen.getByText('Enable')).toBeInTheDocument();
  expect(screen.getByText(/Existing tokens stop working on April 30, 2027/)).toBeInTheDocument();
  await user.click(token);
  expect(screen.getByText('Disable')).toBeInTheDocument();
  expect(queryField('API Token')).toBeNull();
  expect(screen.getByText(/Zendesk retired password sign-in in January 2026/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: /^About token authentication/ })).toHaveAttribute(
    'href',
    expect.stringMatching(/zendesk\.com/),
  );
  fill('Domain', 'globex');
  fill('Email', 'ada@globex.example');
  fill('Password', 'globex-password');
  await user.type(field('Password'), '{Enter}');
  await screen.findByText('Settings Saved Successfully');
  expect(calls(connectIntegration)[0]?.body).toMatchObject({ authentication: 1, password: 'globex-password' });
});

test('an OAuth client connects without an email', async () => {
  answer(connectIntegration, DONE);
  const { user, router } = await openForm('OAuth client');
  fill('Domain', 'acme');
  fill('Client ID', 'steward');
  fill('Client Secret', 'acme-secret');
  await user.click(button('Save'));
  await waitFor(() => expect(router.state.location.href).toBe('/dashboard/integrations'));
  const body = { domain: 'acme', username: '', authentication: 3, client_id: 'steward', client_secret: 'acme-secret' };
  expect(calls(connectIntegration).map((sent) => sent.body)).toEqual([body]);
});

test('while credentials are verified the button says so, and a second press sends nothing', async () => {
  const release = hold(connectIntegration, DONE);
  const { user } = await openForm('API token or password');
  fillToken();
  await user.dblClick(button('Save'));
  await waitFor(() => expect(button('Save')).toHaveAttribute('aria-busy', 'true'));
  expect(screen.getByText(/^Verifying with Zendesk\./)).toBeInTheDocument();
  await user.type(field('Email'), '{Enter}');
  release();
  await screen.findByText('Settings Saved Successfully');
  expect(calls(connectIntegration)).toHaveLength(1);
});

test('leaving with unsaved input asks for confirmation', async () => {
  const { user, router } = await openForm('OAuth client');
  fill('Domain', 'acme');
  await user.click(screen.getByRole('link', { name: 'Cancel' }));
  await user.click(within(await findDialog('Discard changes')).getByRole('button', { name: 'Cancel' }));
  expect(field('Domain')).toHaveValue('acme');
  await user.click(screen.getByRole('link', { name: 'Cancel' }));
  await user.click(within(await findDialog('Discard changes')).getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(router.state.location.href).toBe('/dashboard/integrations'));
});

test('warnings from connecting stay on the tiles until dismissed', async () => {
  const warnings = ["Some items couldn't be removed from old.zendesk.com."];
  answer(connectIntegration, { ...DONE, warnings });
  const { user } = await openForm('API token or password');
  fillToken();
  await user.click(button('Save'));
  const notice = await screen.findByRole('region', { name: 'Needs attention' });
  expect(notice).toHaveTextContent(warnings.join());
  await user.click(within(notice).getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Needs attention' })).toBeNull());
});

test('a form whose settings can’t be fetched opens empty, and an unknown path shows a notice', async () => {
  refuse(getIntegration, 'server.error');
  const { router } = openScreen(PATH);
  await screen.findByRole('radio', { name: 'OAuth client' });
  expect(field('Domain')).toHaveValue('');
  expect(screen.queryByRole('alert')).toBeNull();
  await router.navigate({ to: '/dashboard/settings/$integrationId', params: { integrationId: 'nosuchid' } });
  await screen.findByRole('heading', { name: 'No such integration' });
});

test('the dialog replaces the credentials of a connected integration', async () => {
  answerIntegration({});
  const { user } = openScreen('/dashboard/triggers');
  await user.click(await screen.findByRole('button', { name: 'UPDATE CREDENTIAL' }));
  const dialog = within(await findDialog('UPDATE INTEGRATION CREDENTIALS'));
  expect(['Domain', 'Email', 'API Token'].map((label) => (field(label) as HTMLInputElement).value)).toEqual([
    ...['acme', 'ada@acme.example', ''],
  ]);
  await user.click(dialog.getByRole('button', { name: 'Update' }));
  await dialog.findByText('The API token is required.');
  expect(calls(saveIntegration)).toEqual([]);
  refuse(saveIntegration, 'helpdesk.refused', 'Zendesk did not accept this email and token.');
  fill('API Token', 'wrong-token');
  await user.click(dialog.getByRole('button', { name: 'Update' }));
  await dialog.findByText('Zendesk did not accept this email and token.');
  answer(saveIntegration, DONE);
  fill('API Token', 'acme-token');
  await user.click(dialog.getByRole('button', { name: 'Update' }));
  await screen.findByText('Updated Successfully');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(button('UPDATE CREDENTIAL')).toHaveFocus());
  const body = { integration: ZENDESK.id, domain: 'acme', username: 'ada@acme.example', authentication: 2 };
  expect(calls(saveIntegration).at(-1)?.body).toEqual({ ...body, token: 'acme-token' });
});

test('the dialog opened before the stored settings have arrived starts with them, not empty', async () => {
  answerIntegration({});
  const release = hold(getIntegration, CONNECTED);
  const { user } = openScreen('/dashboard/triggers');
  await user.click(await screen.findByRole('button', { name: 'UPDATE CREDENTIAL' }));
  release();
  await findDialog('UPDATE INTEGRATION CREDENTIALS');
  expect(field('Domain')).toHaveValue('acme');
  expect(screen.getByRole('radio', { name: 'API token or password' })).toBeChecked();
});

test('an empty list and a failed list show a notice', async () => {
  refuse(listIntegrations, 'server.error');
  const { user } = openScreen('/dashboard/integrations');
  await screen.findByRole('heading', { name: 'An Error Occurred!' });
  answer(listIntegrations, { records: [] });
  await user.click(button('Retry'));
  await screen.findByRole('heading', { name: 'No list found' });
});

test.for([
  ['off', 'Not connected'],
  ['warning', 'Needs attention'],
  ['failing', 'Connection error'],
] as const)('a tile shows its health, the last delivery and the last error: %s', async ([health, word]) => {
  const at = Date.UTC(2026, 2, 2, 9, 41);
  const known = { ...ZENDESK, health, enabled: health !== 'off', warnings: ["Zendesk couldn't be reached."] };
  const error = { last_delivery_at: at - 60_000, last_error: 'The channel ops is archived.', last_error_at: at };
  answer(listIntegrations, { records: [health === 'off' ? known : { ...known, ...error }] });
  openScreen('/dashboard/integrations');
  const tile = (await screen.findByRole('heading', { name: 'Zendesk' })).closest('li') as HTMLElement;
  for (const text of [word, 'zendesk', ZENDESK.id, "Zendesk couldn't be reached."])
    expect(tile).toHaveTextContent(text);
  const times = health === 'off' ? [] : ['Mar 2, 2026, 10:40 AM', 'Mar 2, 2026, 10:41 AM'];
  expect([...tile.querySelectorAll('time')].map(({ textContent }) => textContent)).toEqual(times);
  if (health !== 'off') expect(tile).toHaveTextContent('The channel ops is archived.');
});
