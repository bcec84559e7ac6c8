import { newId } from '@steward/server/src/platform/database/ids.ts';
import { channel } from '@steward/server/testing/workspace/content.ts';
import { person } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { expectAccessible, SIZES } from '../screens/accessible.ts';
import { chooseAction, people } from '../users/users-screen.ts';
import { channelField, generateChannels, openDefaultChannels, option, storeDefaults } from './channels-screen.ts';

for (const [size, viewport] of Object.entries(SIZES)) {
  test.describe(`${size}, in both themes, axe finds nothing`, () => {
    test.use({ viewport });
    test.setTimeout(60_000);

    test('on the default channels: at rest, open, no results, confirmation, progress', async ({ page, node, team }) => {
      await generateChannels({ node, team }, ['design', 'ops']);
      await channel(node, team.id, { name: 'board', type: 'P', members: [team.owner.id] });
      const old = await channel(node, team.id, { name: 'old-project', deleteAt: 5 });
      await storeDefaults({ node, team }, [old, { name: 'ghost' }]);
      await person(node, { team: team.id });
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

    test('on the invitations screens', async ({ page, node, team }) => {
      const pia = await person(node, { team: team.id, pending: true, first_name: 'Pia', last_name: 'Pending' });
      const about = { team_id: team.id, person_id: pia.id, kind: 'users.invitation', recipient: pia.email };
      const outcome = { state: 'failed', attempts: 1, error: '550 no such user', ended_at: new Date() } as const;
      await node.db
        .insertInto('mails')
        .values({ id: newId(), ...about, ...outcome })
        .execute();
      await signIn(page, { node }, team.owner);
      await page.goto('/users/users');
      await expect(people(page)).toHaveCount(2);
      await expectAccessible(page, 'undelivered');
      for (const action of ['Resend invitation', 'Cancel invitation']) {
        await chooseAction(page, 'Pia Pending', action);
        await expect(page.getByRole('dialog', { name: action })).toContainText('Pia Pending');
        await expectAccessible(page, action);
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toHaveCount(0);
      }
      await page.getByRole('button', { name: 'Show undelivered invitations' }).click();
      await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(1);
      await expectAccessible(page, 'the undelivered');
    });
  });
}
