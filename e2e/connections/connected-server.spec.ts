import { reportWork, takeWork } from '@steward/contract/connections/connector';
import { openOrder } from '@steward/server/src/features/connections/orders/orders.actions.ts';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import {
  connectedRule,
  connectedServer,
  fillMirror,
  rehearse,
  remoteChannel,
  remoteMessage,
  remoteUser,
  reportReady,
  waitTwoDays,
} from '@steward/server/testing/workspace/connections.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { getSetting, limit, saveButton } from '../retention/retention-screen.ts';
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

test('an owner saves a rule after seeing what it deletes there, and an order is shown with its messages', async ({
  page,
  node,
  team,
}) => {
  const teamId = team.id;
  const connection = await connectedServer(node, { teamId, acceptedBy: team.owner.id });
  const messages = Array.from({ length: 12 }, (_, at) =>
    remoteMessage({ id: `message${at}`, files: at === 0 ? [{ id: 'file1', size: 5_000 }] : [] }),
  );
  await reportReady(connection);
  await fillMirror(connection, {
    users: [remoteUser({ id: 'ada' })],
    channels: [{ ...remoteChannel({ id: 'general' }), messages }],
  });
  await waitTwoDays(node);
  await signIn(page, { node }, team.owner);
  await page.goto(`${SETTINGS}/connected_retention`);
  const setting = getSetting(page, 'Public channels');
  await limit(setting, '6', 'Months');
  await expect(setting.getByText(/^If saved, 12 messages in 12 threads would be deleted/)).toBeVisible();
  await picture(page, 'connected-retention-edited');
  await saveButton(page).click();
  const dialog = page.getByRole('dialog', { name: 'Save the rule' });
  await expect(dialog.getByText('12 messages in 12 threads')).toBeVisible();
  await picture(page, 'connected-retention-dialog');
  await dialog.getByRole('button', { name: 'Save the rule' }).click();
  await expect(setting.getByRole('button', { name: /^Cancel this change/ })).toBeVisible();

  await connectedRule(node, connection, { rule: { value: 1, duration: { count: 1, period: 'y' } } });
  await inTransaction(node.db, (trx) => openOrder(trx, node.deps, { serverId: connection.id, teamId }));
  await rehearse(connection);
  await page.reload();
  const orders = page.getByRole('table', { name: 'Orders' });
  await expect(orders.getByText('Open', { exact: true })).toBeVisible();
  await picture(page, 'connected-retention');
  await expectAccessible(page, 'connected-retention');
  await orders.getByRole('button', { name: /^Details/ }).click();
  await expect(page.getByRole('dialog', { name: 'Order' })).toContainText('12 messages in 12 threads');
  await picture(page, 'connected-retention-order');
  await page.keyboard.press('Escape');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Connected Server' }).click();
  await expect(page.getByRole('progressbar', { name: 'Order to Chat' })).toBeVisible();
  await picture(page, 'connected-server-order');
});

test('users of a connected server are shown under their server, and an action waits for its outcome', async ({
  page,
  node,
  team,
}) => {
  const connection = await connectedServer(node, { teamId: team.id, acceptedBy: team.owner.id });
  const users = [
    remoteUser({ id: 'ada', name: 'Ada Lovelace', roles: ['team_user'] }),
    remoteUser({ id: 'grace', name: 'Grace Hopper', roles: ['team_user'], team_ids: ['team1', 'team2'] }),
    remoteUser({ id: 'helper', name: 'Build helper', is_bot: true }),
  ];
  await fillMirror(connection, { users, channels: [] });
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await page.getByLabel('Lives on').selectOption('Chat');
  await expect(page.getByRole('heading', { name: 'Users on Chat' })).toBeVisible();
  await page.getByLabel('Select all loaded').check();
  await picture(page, 'connected-users');
  await expectAccessible(page, 'connected-users');
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '3 people on Chat' });
  await dialog.getByLabel('Deactivate').check();
  await expect(dialog.getByText(/^Grace Hopper: .* teams that you do not manage here/)).toBeVisible();
  await picture(page, 'connected-users-dialog');
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  const row = page.getByRole('row', { name: /Ada Lovelace/ });
  await expect(row.getByText('Waiting')).toBeVisible();
  const { body } = await connection.send(takeWork);
  await connection.send(reportWork, {
    params: { workId: body.records[0].id },
    body: { outcome: 'done', detail: 'Its sessions ended.' },
  });
  await expect(row.getByText('Done')).toBeVisible();

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Legal Holds' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Create Hold' }).click();
  const hold = page.getByRole('dialog', { name: 'Create Legal Hold' });
  await hold.getByRole('combobox', { name: 'Users on Chat' }).fill('ada');
  await page.getByRole('option', { name: 'Ada Lovelace' }).click();
  await picture(page, 'connected-hold');
  await hold.getByRole('textbox', { name: 'Name' }).fill('Chat case');
  await hold.getByRole('textbox', { name: 'Reason' }).fill('Claim of March 2');
  await hold.getByRole('button', { name: 'Create Hold' }).click();
  await expect(page.getByText('Connected: Ada Lovelace')).toBeVisible();
});
