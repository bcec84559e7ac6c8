import { expect, signIn, test } from '../browser/fixtures.ts';
import { seedEntries } from '../directory/directory-screen.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { choice, openPalette, palette, paletteField } from './palette-screen.ts';

test('axe finds nothing in the palette in its states', async ({ page, node, team, trouble }) => {
  trouble.expect(/ERR_FAILED/);
  await seedEntries({ node, team }, { name: 'Quill Supplies', email: 'quill@example.com' });
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await openPalette(page);
  await expectAccessible(page, 'all');
  await paletteField(page).fill('quill');
  await expect(choice(page, /Quill Supplies/)).toBeVisible();
  await expectAccessible(page, 'found');
  await paletteField(page).fill('nothing like this');
  await expect(palette(page).getByText('Nothing found for')).toBeVisible();
  await expectAccessible(page, 'nothing');
  await page.route('**/admin/teams/*/users?search=*', (route) => route.abort());
  await paletteField(page).fill('qui');
  await expect(palette(page).getByText('Couldn’t search people')).toBeVisible();
  await expectAccessible(page, 'failed');
});
