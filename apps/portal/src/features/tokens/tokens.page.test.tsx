import {
  addToken,
  getTokenPolicy,
  listTokens,
  removeToken,
  saveTokenPolicy,
  type Token,
} from '@steward/contract/tokens';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { OLIVIA, openScreen, TEAM } from '#testing/open-screen.tsx';
import { findDialog, toId } from '#testing/users.ts';

const PATH = '/dashboard/service_tokens';
const DAY_MS = 86_400_000;
const SECRET = 'a-token-of-more-than-twenty-characters';

function token(name: string, fields: Partial<Token> = {}): Token {
  return {
    id: toId(name),
    name,
    kinds: ['note'],
    speak_for_users: false,
    source_id: toId(name),
    created_at: 1,
    created_by: OLIVIA.id,
    created_by_name: 'Olivia Owner',
    expires_at: Date.now() + 365 * DAY_MS,
    stopped_at: 0,
    last_used_at: 0,
    ...fields,
  };
}

const PHONE = token('Phone system', { kinds: ['call', 'voicemail'], expires_at: Date.now() + 10 * DAY_MS });
const answerTokens = (...records: Token[]) => answer(listTokens, { records, may_create: true });

beforeEach(() => {
  answerTokens(PHONE, token('Chat service'));
  answer(getTokenPolicy, { admins_may_create: false });
});

const findToken = (name: string) => screen.findByRole('row', { name: new RegExp(`^${name}`) });
const getCell = (row: HTMLElement, label: string) => row.querySelector(`[data-label="${label}"]`);

async function openAdd() {
  const { user } = openScreen(PATH);
  await user.click(await screen.findByRole('button', { name: 'Add Token' }));
  return { user, form: within(await findDialog('Add Token')) };
}

test('an empty list says what tokens are for', async () => {
  answerTokens();
  openScreen(PATH);
  await screen.findByRole('heading', { name: 'No service tokens yet' });
  expect(screen.getByText(`POST /api/v4/teams/${TEAM.id}/content`, { exact: false })).toBeInTheDocument();
  expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Service Tokens');
});

test('a token needs a name and a kind, is shown once, and can be copied', async () => {
  const { user, form } = await openAdd();
  await user.click(form.getByRole('button', { name: 'Add Token' }));
  await form.findByText('The name is required.');
  fireEvent.change(form.getByRole('textbox', { name: 'Name' }), { target: { value: 'Mail service' } });
  const kinds = within(form.getByRole('group', { name: 'Imports' })).getAllByRole('checkbox');
  for (const box of kinds) await user.click(box);
  await user.click(form.getByRole('button', { name: 'Add Token' }));
  await form.findByText('Choose at least one kind of content.');
  await user.click(form.getByRole('checkbox', { name: 'Notes' }));
  expect(form.getByRole('checkbox', { name: 'Speaks for users' })).not.toBeChecked();
  await user.selectOptions(form.getByRole('combobox', { name: 'Expires' }), 'In 90 days');
  const added = token('Mail service');
  answer(addToken, { ...added, token: SECRET });
  answerTokens(added, PHONE);
  await user.click(form.getByRole('button', { name: 'Add Token' }));
  const shown = await findDialog('Copy the token now');
  expect(shown).toHaveTextContent('This is the token for Mail service. Copy it now');
  expect(calls(addToken)[0]?.body).toMatchObject({ name: 'Mail service', kinds: ['note'], speak_for_users: false });
  const days = ((calls(addToken)[0]?.body.expires_at ?? 0) - Date.now()) / DAY_MS;
  expect(Math.round(days)).toBe(90);
  await user.keyboard('{Escape}');
  expect(shown).toBeInTheDocument();
  await user.click(within(shown).getByRole('button', { name: 'Copy' }));
  await within(shown).findByText('Copied');
  expect(await navigator.clipboard.readText()).toBe(SECRET);
  await user.click(within(shown).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(screen.getByRole('button', { name: 'Add Token' })).toHaveFocus());
  const row = await findToken('Mail service');
  expect(row).toHaveTextContent('Olivia Owner');
  expect(getCell(row, 'Imports')).toHaveTextContent('Notes');
  expect(getCell(row, 'Last used')).toHaveTextContent('Never');
  expect(document.body).not.toHaveTextContent(SECRET);
});

test('a token that the browser won’t copy is selected', async () => {
  const { user, form } = await openAdd();
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  answer(addToken, { ...token('Mail service'), token: SECRET });
  fireEvent.change(form.getByRole('textbox', { name: 'Name' }), { target: { value: 'Mail service' } });
  await user.type(form.getByRole('textbox', { name: 'Name' }), '{Enter}');
  const shown = within(await findDialog('Copy the token now'));
  await user.click(shown.getByRole('button', { name: 'Copy' }));
  await shown.findByText(/The token is selected/);
  const field = shown.getByRole<HTMLInputElement>('textbox', { name: 'Token' });
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, SECRET.length]);
});

test('removing a token names the service that stops; one that is gone already disappears', async () => {
  const { user } = openScreen(PATH);
  await user.click(await screen.findByRole('button', { name: 'Remove Phone system' }));
  const question = await findDialog('Remove Token');
  expect(question).toHaveTextContent('Phone system will lose access immediately.');
  await waitFor(() => expect(within(question).getByRole('button', { name: 'Cancel' })).toHaveFocus());
  answer(removeToken, { status_code: 200 });
  answerTokens(token('Chat service'));
  await user.click(within(question).getByRole('button', { name: 'Remove' }));
  await screen.findByText('Deleted Successfully');
  await waitFor(() => expect(screen.queryByText('Phone system')).toBeNull());
  await user.click(await screen.findByRole('button', { name: 'Remove Chat service' }));
  refuse(removeToken, 'record.not_found');
  answerTokens();
  await user.click(within(await findDialog('Remove Token')).getByRole('button', { name: 'Remove' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Someone else already removed this token.');
  await screen.findByRole('heading', { name: 'No service tokens yet' });
  await waitFor(() => expect(screen.getByRole('button', { name: 'Add Token' })).toHaveFocus());
});

test('a token that expires soon is marked, and can be replaced without a gap', async () => {
  const { user } = openScreen(PATH);
  const row = await findToken('Phone system');
  expect(row).toHaveTextContent('Expires soon');
  expect(getCell(row, 'Imports')).toHaveTextContent('Calls, Voicemails');
  expect(await findToken('Chat service')).not.toHaveTextContent('Expires soon');
  await user.click(screen.getByRole('button', { name: 'Replace Phone system' }));
  const form = await findDialog('Replace Token');
  expect(form).toHaveTextContent('The current token works for 24 hours more.');
  expect(within(form).getByRole('checkbox', { name: 'Calls' })).toBeChecked();
  expect(within(form).getByRole('checkbox', { name: 'Messages' })).not.toBeChecked();
  answer(addToken, { ...token('Phone system'), token: SECRET });
  await user.click(within(form).getByRole('button', { name: 'Replace Token' }));
  await user.click(within(await findDialog('Copy the token now')).getByRole('button', { name: 'Done' }));
  expect(calls(addToken)[0]?.body).toMatchObject({ replaces: PHONE.id, kinds: ['call', 'voicemail'] });
});

test('an owner lets admins create tokens, and revokes that', async () => {
  answer(saveTokenPolicy, ({ body }) => body);
  const { user } = openScreen(PATH);
  const allow = await screen.findByRole('switch', { name: /^Admins can create tokens/ });
  expect(allow).not.toBeChecked();
  for (const admins_may_create of [true, false]) {
    answer(getTokenPolicy, { admins_may_create });
    await user.click(allow);
    await waitFor(() => expect(calls(saveTokenPolicy).at(-1)?.body).toEqual({ admins_may_create }));
    await waitFor(() => expect((allow as HTMLInputElement).checked).toBe(admins_may_create));
  }
});

test.each([false, true])('an admin creates tokens only if an owner allows it: %s', async (may_create) => {
  answer(listTokens, { records: [PHONE], may_create });
  openScreen(PATH, ['team_admin', 'team_user']);
  await findToken('Phone system');
  for (const name of ['Add Token', 'Remove Phone system', 'Replace Phone system'])
    expect(screen.queryAllByRole('button', { name })).toHaveLength(may_create ? 1 : 0);
  expect(screen.queryAllByText('Only owners can create tokens for them.', { exact: false })).toHaveLength(
    may_create ? 0 : 1,
  );
  expect(screen.queryByRole('switch')).toBeNull();
});
