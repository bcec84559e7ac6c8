import {
  connectedServer,
  fillMirror,
  rehearse,
  remoteChannel,
  remoteMessage,
  remoteUser,
  reportReady,
} from '@steward/server/testing/workspace/connections.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';

const SETTINGS = '/dashboard/team_settings';

test('an owner accepts a connected server and sees that everything was listed', async ({ page, node, team }) => {
  const connection = await connectedServer(node, { teamId: team.id, acceptedBy: null, directMessages: true });
  await signIn(page, { node }, team.owner);
  await page.goto(`${SETTINGS}/connected_server`);
  const section = page.getByRole('region', { name: 'Chat' });
  await expect(section.getByText('Accepting means')).toBeVisible();
  await picture(page, 'connected-server-waiting');
  await section.getByRole('button', { name: 'Accept' }).click();
  const question = page.getByRole('dialog', { name: 'Accept Chat' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await picture(page, 'connected-server-accept');
  await question.getByRole('button', { name: 'Accept' }).click();
  await expect(section.getByText('Last report')).toBeVisible();

  await reportReady(connection);
  await fillMirror(connection, {
    users: [remoteUser({ id: 'ada' }), remoteUser({ id: 'grace' })],
    channels: [{ ...remoteChannel({ id: 'general' }), messages: [remoteMessage({ id: 'old' })] }],
  });
  await rehearse(connection);
  await page.reload();
  await expect(section.getByText('Working')).toBeVisible();
  await expect(section.getByText('1 check passed')).toBeVisible();
  await picture(page, 'connected-server');
  await expectAccessible(page, 'connected-server');
  await section.getByRole('button', { name: 'Stop governing Chat' }).click();
  await expect(page.getByRole('dialog', { name: 'Stop governing' })).toContainText('2 users, 1 channel');
  await picture(page, 'connected-server-leave');
});
