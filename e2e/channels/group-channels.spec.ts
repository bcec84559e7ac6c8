import { settled } from '@steward/server/testing/faults/wait-for-jobs.ts';
import { buildGroup, scim, scimToken } from '@steward/server/testing/peers/scim.ts';
import { channel } from '@steward/server/testing/workspace/content.ts';
import { signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';

test('an owner maps a group to channels, after seeing who joins, and its members are in them', async ({
  page,
  node,
  team,
}) => {
  const member = await signedIn(node, { team: team.id });
  const open = await channel(node, team.id, { displayName: 'Deployments' });
  await channel(node, team.id, { displayName: 'Design reviews' });
  const provider = await scimToken(node, team.id, team.owner.id);
  for (const name of ['Engineering', 'Sales'])
    await scim(node, provider, 'POST /Groups', { body: buildGroup(name, [member.id]) });
  await signIn(page, { node }, team.owner);
  await page.goto('/dashboard/team_settings/group_channels');
  await page.getByRole('button', { name: 'Choose channels of Engineering' }).click();
  await page.getByRole('combobox', { name: 'Channels of Engineering' }).click();
  await page.getByRole('option', { name: 'Deployments' }).click();
  await page.keyboard.press('Escape');
  await picture(page, 'group-channels-form');
  await page.getByRole('button', { name: 'Review and Save' }).click();
  const effect = page.getByRole('dialog', { name: 'Channels of Engineering' });
  await expect(effect.getByRole('row', { name: 'Deployments 1 0' })).toBeVisible();
  await picture(page, 'group-channels-effect');
  await effect.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('row', { name: /^Engineering 1 Deployments/ })).toBeVisible();
  await settled(node);
  await picture(page, 'group-channels');
  const rows = await node.db
    .selectFrom('channel_members')
    .select('person_id')
    .where('channel_id', '=', open.id)
    .execute();
  expect(rows.map(({ person_id }) => person_id)).toEqual([member.id]);
});
