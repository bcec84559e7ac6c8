import { connection } from '@steward/server/testing/sso/sso.ts';
import { join, signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { makeTeam } from '../browser/team-members.ts';
import { expectAccessible } from '../screens/accessible.ts';

test('single sign-on of one team changes nothing of an account that is in others, and says so without errors', async ({
  page,
  node,
  team,
}) => {
  const ada = await signedIn(node, { team: team.id, kind: 'admin', first_name: 'Ada', last_name: 'Lovelace' });
  await join(node, (await makeTeam(node, 'Another')).id, ada.id);
  const provider = { issuer: 'https://id.steward.example', clientId: 'steward', secret: 'a secret' };
  const connection_id = await connection(node, team.id, provider, { name: 'Company ID' });
  const sso = { method: 'sso' as const, team_id: team.id, connection_id };
  await node.db.updateTable('sessions').set(sso).where('person_id', '=', ada.id).execute();
  await signIn(page, { node }, ada);
  await page.goto('/account');
  const section = page.getByRole('region', { name: 'Signed in with Company ID' });
  await expect(section).toContainText('nothing about it can be changed from here');
  await expect(page.getByRole('region', { name: /Profile|Sessions|Teams|Password/ })).toHaveCount(0);
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await picture(page, 'account-sso-teams');
  await expectAccessible(page, 'an account in other teams');
  await section.getByRole('link', { name: 'sign out' }).click();
  await expect(page.getByText('still signed in at Company ID')).toBeVisible();
});
