import { answerInvitation } from '@steward/contract/account/memberships';
import { takeWork } from '@steward/contract/connections/connector';
import { call } from '@steward/server/testing/app/call.ts';
import {
  connectedServer,
  fillMirror,
  remoteChannel,
  remoteUser,
  sendList,
} from '@steward/server/testing/workspace/connections.ts';
import { deactivate, signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';

const EMAIL = 'ada@example.test';

test('a user of a connected server is invited from their row, and Home names them when their access ends', async ({
  page,
  node,
  team,
}) => {
  const connection = await connectedServer(node, { teamId: team.id, acceptedBy: team.owner.id });
  const ada = remoteUser({ id: 'ada', name: 'Ada Lovelace', email: EMAIL, roles: ['team_user'], owns_bots: true });
  const users = [ada, remoteUser({ id: 'grace', name: 'Grace Hopper', roles: ['team_user'] })];
  await fillMirror(connection, { users, channels: [] });
  await signIn(page, { node }, team.owner);
  await page.goto('/users/connected_users');
  await page.getByRole('button', { name: 'Invite Ada Lovelace' }).click();
  const question = page.getByRole('dialog', { name: 'Invite to' });
  await expect(question).toContainText(EMAIL);
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await picture(page, 'connected-users-invite');
  await question.getByRole('button', { name: 'Send invitation' }).click();
  const row = page.getByRole('row', { name: /Ada Lovelace/ });
  await expect(row.getByText('Invited')).toBeVisible();

  const as = await signedIn(node, { email: EMAIL, first_name: 'Ada', last_name: 'Byron' });
  await call(node, answerInvitation, { as, params: { teamId: team.id }, body: { accept: true } });
  await page.reload();
  await expect(row.getByRole('link', { name: 'Ada Byron' })).toBeVisible();
  await picture(page, 'connected-users-linked');
  await row.getByRole('link', { name: 'Ada Byron' }).click();
  await expect(page.getByRole('dialog').getByText('Lives on')).toBeVisible();
  await picture(page, 'user-panel-lives-on');

  await deactivate(node, team.id, as.id);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('link', { name: /^1 person whose access ended should be removed/ }).click();
  await expect(page.getByLabel('Only people whose access here ended')).toBeChecked();
  await expect(row.getByText('Deactivated')).toBeVisible();
  await expect(page.getByRole('row', { name: /Grace Hopper/ })).toHaveCount(0);
  await picture(page, 'connected-users-ended');
  await expectAccessible(page, 'connected-users-ended');
});

test('default channels of a connected server are chosen, and a user is added to them', async ({ page, node, team }) => {
  const connection = await connectedServer(node, { teamId: team.id, acceptedBy: team.owner.id });
  await sendList(connection, { users: [remoteUser({ id: 'ada', name: 'Ada Lovelace' })] });
  const channels = ['town-square', 'design', 'operations'].map((id) => remoteChannel({ id }));
  await sendList(connection, { channels: [...channels, remoteChannel({ id: 'board', type: 'P' })] });
  await signIn(page, { node }, team.owner);
  await page.goto('/dashboard/team_settings/connected_defaults');
  const field = page.getByRole('combobox', { name: 'Channels' });
  await field.fill('town');
  await page.getByRole('option', { name: 'town-square' }).click();
  await field.fill('des');
  await expect(page.getByRole('option', { name: 'design' })).toBeVisible();
  await picture(page, 'connected-defaults');
  await field.press('Enter');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved Successfully')).toBeVisible();
  await expectAccessible(page, 'connected-defaults');

  await page.goto('/users/connected_users');
  await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ada Lovelace on Chat' });
  await dialog.getByLabel('Add to default channels').check();
  await dialog.getByRole('button', { name: 'Add to default channels' }).click();
  await expect(page.getByRole('row', { name: /Ada Lovelace/ }).getByText('Waiting')).toBeVisible();
  const { body } = await connection.send(takeWork);
  expect(body.records[0]).toMatchObject({ action: 'add_to_channels', channel_ids: ['town-square', 'design'] });
});
