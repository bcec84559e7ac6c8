import { getSecurityPolicy, type SavedSecurityPolicy, saveSecurityPolicy } from '@steward/contract/security';
import { listUsers } from '@steward/contract/users';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { OLIVIA, openScreen, SOUTHWIND, TEAM } from '#testing/open-screen.tsx';
import { answerUsers, findDialog, toId } from '#testing/users.ts';

const PATH = '/dashboard/team_settings/security';
const ADDRESS = '192.0.2.44';

const POLICY: SavedSecurityPolicy = {
  require_mfa: 'none',
  idle_minutes: null,
  session_hours: null,
  networks: [],
  break_glass_owners: [],
  owners: [
    { id: OLIVIA.id, name: 'Olivia Owner', email: OLIVIA.email, has_second_factor: false },
    { id: toId('grace'), name: 'Grace Hopper', email: 'grace@example.test', has_second_factor: true },
  ],
  requires_sso: false,
  your_address: ADDRESS,
  server_idle_minutes: 60,
  server_session_hours: 24,
};

beforeEach(() => {
  answer(getSecurityPolicy, POLICY);
  answer(saveSecurityPolicy, ({ body }) => ({ ...POLICY, ...body, break_glass_owners: body.break_glass_owners ?? [] }));
});

async function openForm() {
  const { user, router } = openScreen(PATH);
  const form = within(await screen.findByRole('form', { name: 'Sign-in Security' }));
  const save = () => user.click(form.getByRole('button', { name: 'Save' }));
  return { user, router, form, save };
}

test('what is typed is checked beside its field, and the first wrong one gets the focus', async () => {
  const { user, form, save } = await openForm();
  expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Sign-in Security');
  expect(form.getByRole('radio', { name: 'Not required' })).toBeChecked();
  const minutes = form.getByRole('textbox', { name: 'Minutes without activity' });
  await user.type(minutes, '4');
  fireEvent.change(form.getByRole('textbox', { name: 'Allowed networks' }), {
    target: { value: '203.0.113.0/24\noffice' },
  });
  await save();
  await form.findByText('Enter a whole number from 5 to 1440, or leave it empty.');
  expect(form.getByText(/^“office” isn’t an address or a network/)).toBeInTheDocument();
  expect(minutes).toHaveFocus();
  expect(calls(saveSecurityPolicy)).toEqual([]);
});

test('networks that lock the owner out are refused beside their field, and the own address is added', async () => {
  const { user, form, save } = await openForm();
  expect(form.queryByRole('button', { name: 'Add it' })).toBeNull();
  fireEvent.change(form.getByRole('textbox', { name: 'Allowed networks' }), { target: { value: '203.0.113.0/24' } });
  refuse(saveSecurityPolicy, 'security.locks_you_out', 'You would be locked out.');
  await save();
  expect(await form.findAllByText('You would be locked out.')).toHaveLength(1);
  await user.click(form.getByRole('button', { name: 'Add it' }));
  answer(saveSecurityPolicy, ({ body }) => ({ ...POLICY, ...body, break_glass_owners: [] }));
  answer(getSecurityPolicy, { ...POLICY, networks: ['203.0.113.0/24', ADDRESS] });
  await save();
  await screen.findByText('Saved Successfully');
  expect(calls(saveSecurityPolicy).at(-1)?.body).toMatchObject({
    networks: ['203.0.113.0/24', ADDRESS],
    require_mfa: 'none',
    idle_minutes: null,
  });
  await waitFor(() => expect(form.queryByText('Unsaved changes')).toBeNull());
});

test('an owner with a second factor is named to enter without single sign-on', async () => {
  const { user, form, save } = await openForm();
  const owners = within(form.getByRole('group', { name: 'Owners who can enter without single sign-on' }));
  expect(owners.getByRole('checkbox', { name: /^Olivia Owner/ })).toBeDisabled();
  expect(form.getByText('Nobody is named')).toBeInTheDocument();
  await user.click(owners.getByRole('checkbox', { name: /^Grace Hopper/ }));
  expect(form.queryByText('Nobody is named')).toBeNull();
  await save();
  await screen.findByText('Saved Successfully');
  expect(calls(saveSecurityPolicy)[0]?.body.break_glass_owners).toEqual([toId('grace')]);
});

test('unsaved changes are not left without a question', async () => {
  const { user, router, form } = await openForm();
  await user.type(form.getByRole('textbox', { name: 'Hours since sign-in' }), '8');
  await user.click(screen.getByRole('link', { name: 'Audit Log' }));
  await user.click(within(await findDialog('Discard changes')).getByRole('button', { name: 'Cancel' }));
  expect(router.state.location.pathname).toBe(PATH);
  expect(form.getByRole('textbox', { name: 'Hours since sign-in' })).toHaveValue('8');
});

test('an admin sees that owners decide', async () => {
  openScreen(PATH, ['team_admin', 'team_user']);
  await screen.findByRole('heading', { name: 'Only owners can change sign-in security' });
  expect(screen.queryByRole('form')).toBeNull();
});

test('a team that can’t be opened from this network says so, and another team can be opened', async () => {
  answerUsers();
  refuse(listUsers, 'security.network');
  openScreen('/users/users', undefined, [TEAM, SOUTHWIND]);
  expect(await screen.findByRole('heading', { name: "This team can't be opened from here" })).toHaveFocus();
  const again = screen.getByRole('link', { name: 'Try again' });
  expect(again).toHaveAttribute('href', `/users/users?team=${TEAM.id}`);
  expect(screen.getByRole('button', { name: 'Open Southwind instead' })).toBeEnabled();
});
