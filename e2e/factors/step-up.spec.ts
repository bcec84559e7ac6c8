import { totpFactor } from '@steward/server/testing/factors/factors.ts';
import { authenticated } from '@steward/server/testing/sessions/sessions.ts';
import { signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';

test('an owner removes the second factors of a member who lost them, and confirms that with a password', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of (?:400|401|403)/);
  const member = await signedIn(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await totpFactor(node, member.id);
  await signIn(page, { node }, team.owner);
  await page.goto(`/users/users/${member.id}`);
  const panel = page.getByRole('dialog', { name: 'Max Member' });
  await expect(panel.getByText('Second factor', { exact: true })).toBeVisible();
  await picture(page, 'user-second-factor');
  await authenticated(node, team.owner, 11);
  await panel.getByRole('button', { name: 'Remove second factors' }).click();
  await picture(page, 'user-remove-second-factors');
  await page
    .getByRole('dialog', { name: 'Remove second factors' })
    .getByRole('button', { name: 'Remove', exact: true })
    .click();
  const stepUp = page.getByRole('dialog', { name: "Confirm that it's you" });
  const password = stepUp.getByLabel('Password', { exact: true });
  await expect(password).toBeFocused();
  await picture(page, 'step-up');
  await expectAccessible(page, 'confirming who it is');
  await password.fill('wrong');
  await page.keyboard.press('Enter');
  await expect(stepUp.getByText('The current password is wrong.')).toBeVisible();
  await password.fill(team.owner.password);
  await page.keyboard.press('Enter');
  await expect(stepUp).toBeHidden();
  await expect(page.getByText('Second factors of Max Member were removed')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Remove second factors' })).toBeHidden();
});
