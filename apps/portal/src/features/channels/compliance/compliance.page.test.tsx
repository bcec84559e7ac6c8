import {
  type ComplianceAccess,
  endComplianceAccess,
  grantComplianceAccess,
  listTeamComplianceAccess,
} from '@steward/contract/channels/compliance';
import { listTeamChannels } from '@steward/contract/channels/defaults';
import { listUsers } from '@steward/contract/users';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { OLIVIA, openScreen } from '#testing/open-screen.tsx';
import { findDialog, listedOlivia, toId } from '#testing/users.ts';

const PATH = '/compliance_access';
const DIRECT = toId('direct');
const ACCESS: ComplianceAccess = {
  channel_id: DIRECT,
  channel_name: '',
  channel_type: 'D',
  user_id: OLIVIA.id,
  user_name: 'Olivia Owner',
  email: OLIVIA.email,
  granted_by: OLIVIA.id,
  granted_by_name: 'Olivia Owner',
  granted_at: Date.now(),
  until: Date.now() + 3_600_000,
  reason: 'Complaint 17',
};
const NO_ONE = 'No one has compliance access';

beforeEach(() => {
  answer(listTeamComplianceAccess, { records: [] });
  answer(listTeamChannels, []);
  answer(listUsers, { records: [listedOlivia], last_key: null });
});

test('a direct channel is chosen by its id, and an id that isn’t of the team stays in the form', async () => {
  const { user } = openScreen(PATH);
  await screen.findByRole('heading', { name: NO_ONE });
  expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Compliance Access');
  await user.click(screen.getAllByRole('button', { name: 'Grant Access' })[0] as HTMLElement);
  const dialog = within(await findDialog('Grant Access'));
  const submit = dialog.getByRole('button', { name: 'Grant Access' });
  await user.click(submit);
  await dialog.findByText('Choose a channel.');
  await dialog.findByText('The reason is required.');
  await user.click(dialog.getByRole('radio', { name: 'Direct channel' }));
  const id = dialog.getByRole('textbox', { name: 'Channel ID' });
  fireEvent.change(id, { target: { value: 'olivia__max' } });
  fireEvent.change(dialog.getByRole('textbox', { name: 'Reason' }), { target: { value: 'Complaint 17' } });
  await user.click(submit);
  await dialog.findByText('The ID of a channel has 26 letters and digits.');
  refuse(grantComplianceAccess, 'record.not_found', 'This team has no such channel.');
  fireEvent.change(id, { target: { value: 'x'.repeat(26) } });
  await user.click(submit);
  await dialog.findAllByText('This team has no such channel.');
  expect(id).toHaveValue('x'.repeat(26));
  answer(grantComplianceAccess, ACCESS);
  answer(listTeamComplianceAccess, { records: [ACCESS] });
  fireEvent.change(id, { target: { value: DIRECT } });
  await user.click(submit);
  const row = await screen.findByRole('row', { name: /Direct channel/ });
  expect(row).toHaveTextContent(DIRECT);
  expect(row).toHaveTextContent('Olivia Owner');
  expect(calls(grantComplianceAccess).at(-1)).toMatchObject({
    params: { channelId: DIRECT },
    body: { user_id: OLIVIA.id },
  });
});

test('other admins read what it is, and have no form', async () => {
  openScreen(PATH, ['team_admin', 'team_user']);
  await screen.findByRole('heading', { name: 'Only owners can grant compliance access' });
  expect(screen.queryByRole('button', { name: 'Grant Access' })).toBeNull();
  expect(calls(listTeamComplianceAccess)).toEqual([]);
});

test('access that has ended already disappears when it is ended again', async () => {
  answer(listTeamComplianceAccess, { records: [ACCESS] });
  refuse(endComplianceAccess, 'record.not_found', 'This access has already ended.');
  const { user } = openScreen(PATH);
  await user.click(await screen.findByRole('button', { name: /^End access/ }));
  answer(listTeamComplianceAccess, { records: [] });
  await user.click(within(await findDialog('End Access')).getByRole('button', { name: 'End Access' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This access has already ended.');
  await screen.findByRole('heading', { name: NO_ONE });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
