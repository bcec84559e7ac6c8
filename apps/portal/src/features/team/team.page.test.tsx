import { getTeamSettings, saveTeamSettings } from '@steward/contract/team';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answer, calls } from '#testing/fake-server.ts';
import { openScreen, TEAM } from '#testing/open-screen.tsx';
import { findDialog } from '#testing/users.ts';

const PATH = '/dashboard/team_settings/team';

test('a name is required, and leaving with changes is asked about', async () => {
  answer(getTeamSettings, { display_name: TEAM.display_name, time_zone: 'UTC' });
  const { user, router } = openScreen(PATH);
  const name = await screen.findByLabelText('Company or team name');
  expect(name).toHaveValue('Northwind');
  fireEvent.change(name, { target: { value: ' ' } });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(name).toHaveAccessibleDescription(/The name is required\./);
  expect(calls(saveTeamSettings)).toEqual([]);
  await user.click(screen.getByRole('link', { name: 'Default Channels' }));
  await user.click(within(await findDialog('Discard changes')).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.href).toBe(PATH);
});

test('another admin reads who can change the settings', async () => {
  openScreen(PATH, ['team_admin', 'team_user']);
  await screen.findByText('Only owners can change the name and the time zone');
  expect(calls(getTeamSettings)).toEqual([]);
});
