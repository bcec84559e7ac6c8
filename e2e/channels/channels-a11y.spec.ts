import { newId } from '@steward/server/src/platform/database/ids.ts';
import { channel } from '@steward/server/testing/workspace/content.ts';
import { user } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { channelField, generateChannels, openDefaultChannels, option, storeDefaults } from './channels-screen.ts';

test('axe finds nothing on the default channels: at rest, open, no results, confirmation, progress', async ({
  page,
  node,
  team,
}) => {
  await generateChannels({ node, team }, ['design', 'ops']);
  await channel(node, team.id, { name: 'board', type: 'P', members: [team.owner.id] });
  const old = await channel(node, team.id, { name: 'old-project', deleteAt: 5 });
  await storeDefaults({ node, team }, [old, { name: 'ghost' }]);
  await user(node, { team: team.id });
  await signIn(page, { node }, team.owner);
  await openDefaultChannels(page);
  await expectAccessible(page, 'default channels');
  await channelField(page).click();
  await option(page, 'ops').click();
  await page.keyboard.press('ArrowDown');
  await expectAccessible(page, 'the open list');
  await channelField(page).fill('nothing like it');
  await expect(page.getByText('No channels match')).toBeVisible();
  await expectAccessible(page, 'nothing found');
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog', { name: 'Add members' }).getByRole('table')).toBeVisible();
  await expectAccessible(page, 'add members');
  const join = { id: newId(), state: 'running', people_done: 1, people_total: 2, joined: 1 };
  const running = { join: { ...join, started_at: Date.now(), ended_at: null } };
  await page.route('**/channel_default/join', (route) => route.fulfill({ json: running }));
  await page.getByRole('button', { name: 'Save and add members' }).click();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expectAccessible(page, 'adding members');
});
